import Calls
import Cloud
import Cryptography
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func uploadPart(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key)
        let input = try input(UploadPartInput.self)
        let upload = try upload(input.uploadID, of: address.key, in: bucket)
        try check(upload.properties.encryption, against: try input.customerKey.get(), .part)
        var declaration = try declaredBody()
        declaration.isOfPart = true
        try checkDigest(declaration, of: upload.properties.lock)
        try check(declaration.algorithm, of: upload)
        let (writer, body) = try await receive(
            declaration, length: declaration.objectLength(), default: upload.partAlgorithm, further: upload.partAlgorithms(in: bucket))
        let part = try await put(
            NewPart(
                number: input.number, md5: upload.properties.encryption.tagDigest(body.md5), checksums: body.further,
                modified: clock.now),
            of: upload, writer)
        var fields: HTTPFields = [.eTag: EntityTag(md5: part.md5).quoted]
        append(upload.properties.encryption, to: &fields)
        fields.append(HTTPField(name: body.checksum.algorithm.header, value: body.checksum.bytes.base64))
        return answer(.ok, fields)
    }

    func uploadPartCopy(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key)
        let input = try input(UploadPartCopyInput.self)
        let upload = try upload(input.part.uploadID, of: address.key, in: bucket)
        try check(upload.properties.encryption, against: try input.part.customerKey.get(), .part)
        let source = try copySource(input.source)
        if keys != nil {
            try await useKey(of: source.record.properties.encryption, to: .decrypt, input.source.key, in: source.bucket)
        }
        let size = source.record.size
        let range = try input.range?.get().bytes(of: size, dialect)
        let length = range.map { Int64($0.count) } ?? size
        guard length <= BodyDeclaration.maximumLength else { throw S3Error.copySourceTooLarge }
        let stored = try open(source)
        let (writer, body) = try await objects.copy(stored, range, length: length, computing: upload.partAlgorithms(in: bucket))
        let part = try await put(
            NewPart(
                number: input.part.number, md5: upload.properties.encryption.tagDigest(body.md5), checksums: body.checksums,
                modified: clock.now),
            of: upload, writer)
        var fields = HTTPFields()
        append(upload.properties.encryption, to: &fields)
        append(source, to: &fields)
        return answer(.ok, fields, root: "CopyPartResult") { xml in
            encodeCopy(
                EntityTag(md5: part.md5), part.modified, upload.checksumAlgorithm == nil ? [] : part.checksums,
                withType: false, into: &xml)
        }
    }

    /// Checks the checksum algorithm of a part. A composite checksum needs one of every part, which RADOS Gateway computes itself.
    /// (floci-io/floci#3093, recorded with boto3 in September 2026; versity/versitygw#1342.)
    private func check(_ actual: Checksum.Algorithm?, of upload: MultipartUpload) throws(S3Error) {
        guard let expected = upload.checksumAlgorithm, expected != actual else { return }
        if actual == nil, upload.checksumCoverage == .fullObject || dialect == .ceph { return }
        let found = actual?.lowercaseName ?? "null"
        throw S3Error(
            .invalidRequest,
            "Checksum Type mismatch occurred, expected checksum Type: \(expected.lowercaseName), actual checksum Type: \(found)")
    }

    private func put(_ part: NewPart, of upload: MultipartUpload, _ writer: BodyWriter) async throws(S3Error) -> StoredPart {
        do { return try await objects.putPart(part, of: upload, body: writer) } catch {
            throw S3Error(error, bucket: "", key: upload.key, uploadID: upload.id)
        }
    }
}

extension UploadPartCopyInput.Range {
    /// The range of a source of this size.
    /// - Throws: `InvalidRequest`, `InvalidArgument`.
    fileprivate func bytes(of size: Int64, _ dialect: Dialect) throws(S3Error) -> Range<Int64> {
        guard first < size else {
            throw S3Error(.invalidRequest, "The specified copy range is invalid for the source object size")
        }
        guard last < size else {
            throw S3Error(
                dialect == .ceph ? .invalidRange : .invalidArgument, "Range specified is not valid for source object of size: \(size)",
                ["ArgumentName": "x-amz-copy-source-range", "ArgumentValue": text])
        }
        return first..<(last + 1)
    }
}

extension MultipartUpload {
    /// The checksum algorithm of stored parts: the one of the upload, or the default of S3.
    var partAlgorithm: Checksum.Algorithm { checksumAlgorithm ?? .crc64nvme }

    /// The checksum algorithms of stored parts, including the one of OSS if the bucket is visible in OSS.
    func partAlgorithms(in bucket: Bucket) -> [Checksum.Algorithm] { [partAlgorithm] + bucket.furtherChecksums }
}
