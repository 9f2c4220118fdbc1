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
        let number = try partNumber()
        let upload = try upload(of: address.key, in: bucket)
        try check(upload.properties.encryption, against: headers, .part)
        var declaration = try declaredBody()
        declaration.isOfPart = true
        if let expected = upload.checksumAlgorithm, let actual = declaration.algorithm, expected != actual {
            throw S3Error(
                .invalidRequest,
                "Checksum Type mismatch occurred, expected checksum Type: \(expected.lowercaseName), actual checksum Type: \(actual.lowercaseName)"
            )
        }
        let (writer, body) = try await receive(
            declaration, length: declaration.objectLength(), default: upload.partAlgorithm, further: upload.partAlgorithms(in: bucket))
        let part = try await put(
            NewPart(
                number: number, md5: upload.properties.encryption.tagDigest(body.md5), checksums: body.further,
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
        let number = try partNumber()
        let named = try CopySourceAddress(header: headers[.copySource] ?? "")
        let upload = try upload(of: address.key, in: bucket)
        try check(upload.properties.encryption, against: headers, .part)
        let source = try copySource(named)
        if let keys { try await keys.check(source.record.properties.encryption, in: source.bucket) }
        let size = source.record.size
        let range = try copySourceRange(size: size)
        let length = range.map { Int64($0.count) } ?? size
        guard length <= BodyDeclaration.maximumLength else { throw S3Error.copySourceTooLarge }
        let stored = try open(source)
        let (writer, body) = try await objects.copy(stored, range, length: length, computing: upload.partAlgorithms(in: bucket))
        let part = try await put(
            NewPart(
                number: number, md5: upload.properties.encryption.tagDigest(body.md5), checksums: body.checksums, modified: clock.now),
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

    private func put(_ part: NewPart, of upload: MultipartUpload, _ writer: BodyWriter) async throws(S3Error) -> StoredPart {
        do { return try await objects.putPart(part, of: upload, body: writer) } catch {
            throw S3Error(error, bucket: "", key: upload.key, uploadID: upload.id)
        }
    }

    private func partNumber() throws(S3Error) -> Int {
        let text = query["partNumber"] ?? ""
        guard let number = Int(digits: text), (1...10_000).contains(number) else { throw .invalidPartNumber(text) }
        return number
    }

    /// Returns the range of the source; `nil` for the whole source.
    private func copySourceRange(size: Int64) throws(S3Error) -> Range<Int64>? {
        guard let text = headers[.copySourceRange] else { return nil }
        guard case .from(let first, through: let last?)? = ByteRange(header: text) else {
            throw .invalidArgument(
                "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy",
                name: "x-amz-copy-source-range", value: text)
        }
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
