import Cloud
import Cryptography
import HTTPTypes
import HummingbirdCore
import NIOCore
import WireFormats

extension S3Request {
    /// UploadPart.
    func uploadPart(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key, keys: writeKeys)
        let number = try partNumber()
        let upload = try upload(of: address.key, in: bucket)
        let declaration = try declaredBody()
        if let expected = upload.checksumAlgorithm, let actual = declaration.algorithm, expected != actual {
            throw S3Error(
                .invalidRequest,
                "Checksum Type mismatch occurred, expected checksum Type: \(expected.lowercaseName), actual checksum Type: \(actual.lowercaseName)"
            )
        }
        let (writer, body) = try await receive(
            declaration, length: declaration.objectLength(), default: upload.partAlgorithm, further: upload.partAlgorithm)
        let part = try await put(
            NewPart(number: number, md5: body.md5, checksums: [body.further], modified: clock.now), of: upload, writer)
        var fields = writtenFields(EntityTag(md5: part.md5))
        fields.append(HTTPField(name: body.checksum.algorithm.header, value: body.checksum.bytes.base64))
        return answer(.ok, fields)
    }

    /// UploadPartCopy.
    func uploadPartCopy(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key, keys: writeKeys)
        let number = try partNumber()
        let source = try CopySourceAddress(header: headers[.copySource] ?? "")
        let upload = try upload(of: address.key, in: bucket)
        let (sourceBucket, record) = try copySource(source)
        let range = try copySourceRange(size: record.size)
        guard Int64(range?.count ?? Int(record.size)) <= BodyDeclaration.maximumLength else { throw S3Error.copySourceTooLarge }
        guard case .object(let stored) = try objects.open(source.key, in: sourceBucket.id), stored.record.entityTag == record.entityTag else {
            throw S3Error.preconditionFailed("x-amz-copy-source-If-Match")
        }
        let writer = objects.stage(expecting: Int64(range?.count ?? Int(record.size)))
        var md5 = MD5()
        var checksum = RunningChecksum(upload.partAlgorithm)
        for try await piece in stored.bytes(in: range) {
            piece.withUnsafeReadableBytes { bytes in
                md5.update(bytes)
                checksum.update(bytes)
            }
            try await writer.append(piece)
        }
        let part = try await put(
            NewPart(
                number: number, md5: md5.finalize(), checksums: [Checksum(checksum.algorithm, bytes: checksum.finalize())],
                modified: clock.now),
            of: upload, writer)
        return answer(.ok, [.serverSideEncryption: "AES256"], root: "CopyPartResult") { xml in
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
        guard let number = Int(text), (1...10_000).contains(number) else { throw .invalidPartNumber(text) }
        return number
    }

    /// The range of the source; nothing where all of it is to be copied.
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
            throw .invalidArgument(
                "Range specified is not valid for source object of size: \(size)", name: "x-amz-copy-source-range", value: text)
        }
        return first..<(last + 1)
    }
}

extension MultipartUpload {
    /// The checksum that every part is stored with: the one of the upload, or the one S3 gives an object by itself.
    var partAlgorithm: Checksum.Algorithm { checksumAlgorithm ?? .crc64nvme }
}
