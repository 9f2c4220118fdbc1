import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    func uploadPart(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let input = try input(UploadPartInput.self)
        let upload = try upload(input.uploadID, of: key, in: bucket)
        let (writer, body) = try await receive(try self.input(OSSBodyDeclaration.self), for: bucket)
        let part = try await put(
            NewPart(number: input.number, md5: body.md5, checksums: body.checksums, modified: clock.now), of: upload, writer)
        var fields: HTTPFields = [.eTag: EntityTag(md5: part.md5).ossQuoted, .contentMD5: part.md5.base64]
        if let crc = part.checksums.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        upload.properties.encryption?.append(ossTo: &fields)
        return answer(.ok, fields)
    }

    func uploadPartCopy(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let input = try input(UploadPartCopyInput.self)
        let upload = try upload(input.uploadID, of: key, in: bucket)
        let source = try copySource()
        let range = input.bytes(of: source.record.size)
        let length = range.map { Int64($0.count) } ?? source.record.size
        guard length <= OSSBodyDeclaration.maximumLength else { throw OSSError(.entityTooLarge) }
        let stored = try open(source)
        let (writer, body) = try await objects.copy(stored, range, length: length, computing: bucket.standardChecksums)
        let part = try await put(
            NewPart(number: input.number, md5: body.md5, checksums: body.checksums, modified: clock.now), of: upload, writer)
        let tag = EntityTag(md5: part.md5).ossQuoted
        var fields: HTTPFields = [.eTag: tag]
        if let crc = part.checksums.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        append(source, to: &fields)
        return answer(.ok, fields, root: "CopyPartResult") { xml in
            xml.element("LastModified", clock.effective(part.modified).ossText)
            xml.element("ETag", tag)
        }
    }

    private func put(_ part: NewPart, of upload: MultipartUpload, _ writer: BodyWriter) async throws(OSSError) -> StoredPart {
        do { return try await objects.putPart(part, of: upload, body: writer) } catch {
            throw OSSError(error, bucket: address.bucket ?? "", key: upload.key, uploadID: upload.id)
        }
    }
}

extension UploadPartCopyInput {
    /// Returns the range of a source of this size; `nil` for the whole source, and for a range beyond its end. A range without an end includes
    /// the end of the source. (OSS API Reference, "UploadPartCopy", `x-oss-copy-source-range`.)
    fileprivate func bytes(of size: Int64) -> Range<Int64>? {
        guard let range, case .from(_, let end) = range, end.map({ $0 < size }) ?? true else { return nil }
        return range.resolved(size: size)
    }
}
