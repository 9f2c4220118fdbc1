import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// InitiateMultipartUpload.
    func initiateMultipartUpload(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize("oss:PutObject", on: bucket, key: key)
        let isEncoded = try wantsURLEncoding(query["encoding-type"])
        let declared = try declaredObject(key, headers, in: bucket)
        if try precondition(ofWrite: headers, to: key, in: bucket) == .ifNoneMatchAny { try refuseOverwriting(key, in: bucket) }
        let upload: MultipartUpload
        do {
            upload = try await objects.createUpload(
                NewUpload(
                    key: key, attributes: declared.attributes, owner: bucket.owner, initiated: clock.now,
                    properties: declared.properties),
                in: bucket.id)
        } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
        var fields: HTTPFields = [:]
        upload.properties.encryption?.append(ossTo: &fields)
        return answer(.ok, fields, root: "InitiateMultipartUploadResult") { xml in
            if isEncoded { xml.element("EncodingType", "url") }
            xml.element("Bucket", bucket.name)
            xml.element("Key", isEncoded ? percentEncoded(key) : key)
            xml.element("UploadId", upload.id)
        }
    }

    /// Refuses an upload that could not be completed. The store judges the completion itself.
    private func refuseOverwriting(_ key: String, in bucket: Bucket) throws(OSSError) {
        let found: Found<ObjectRecord>
        do { found = try objects.head(key, in: bucket.id) } catch { throw OSSError(error, bucket: bucket.name, key: key) }
        if found.object != nil { throw OSSError(.fileAlreadyExists, nil, ["ObjectName": key]) }
    }

    /// AbortMultipartUpload.
    func abortMultipartUpload(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize("oss:AbortMultipartUpload", on: bucket, key: key)
        let upload = try upload(of: key, in: bucket)
        do { try await objects.abort(upload) } catch {
            throw OSSError(error, bucket: bucket.name, key: key, uploadID: upload.id)
        }
        return answer(.noContent)
    }

    /// ListParts.
    func listParts(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize("oss:ListParts", on: bucket, key: key)
        let isEncoded = try wantsURLEncoding(query["encoding-type"])
        let limit = try number("max-parts", in: 1...1000, otherwise: 1000)
        let marker = try number("part-number-marker", in: 0...Int(Int32.max), otherwise: 0)
        let upload = try upload(of: key, in: bucket)
        let parts: [StoredPart]
        let isTruncated: Bool
        do { (parts, isTruncated) = try await objects.parts(of: upload, after: marker, limit: limit) } catch {
            throw OSSError(error, bucket: bucket.name, key: key, uploadID: upload.id)
        }
        return answer(root: "ListPartsResult", capacity: 512 + 256 * parts.count) { xml in
            if isEncoded { xml.element("EncodingType", "url") }
            xml.element("Bucket", bucket.name)
            xml.element("Key", isEncoded ? percentEncoded(key) : key)
            xml.element("UploadId", upload.id)
            xml.element("StorageClass", OSSStorageClass(stored: upload.attributes.storageClass).rawValue)
            xml.element("PartNumberMarker", marker)
            xml.element("NextPartNumberMarker", parts.last?.number ?? 0)
            xml.element("MaxParts", limit)
            xml.element("IsTruncated", isTruncated)
            Self.encodeClientEncryption(of: upload, into: &xml)
            for part in parts { encode(part, into: &xml) }
        }
    }

    private func encode(_ part: StoredPart, into xml: inout XMLWriter) {
        xml.element("Part") { xml in
            xml.element("PartNumber", part.number)
            xml.element("LastModified", clock.effective(part.modified).ossText)
            xml.element("ETag", EntityTag(md5: part.md5).ossQuoted)
            if let crc = part.checksums.ossCRC64 { xml.element("HashCrc64ecma", crc) }
            xml.element("Size", part.size)
        }
    }

    /// What a client needs that goes on with an upload which it encrypts itself. (OSS API Reference, "ListParts".)
    private static func encodeClientEncryption(of upload: MultipartUpload, into xml: inout XMLWriter) {
        for (name, element) in [
            ("key", "ClientEncryptionKey"), ("start", "ClientEncryptionStart"), ("cek-alg", "ClientEncryptionCekAlg"),
            ("wrap-alg", "ClientEncryptionWrapAlg"), ("data-size", "ClientEncryptionDataSize"),
            ("part-size", "ClientEncryptionPartSize"),
        ] {
            guard let field = upload.attributes.metadata.first(where: { $0.name == "client-side-encryption-" + name }) else { continue }
            xml.element(element, field.value)
        }
    }

    /// The unfinished upload that the request names.
    /// - Throws: `NoSuchUpload`.
    func upload(of key: String, in bucket: Bucket) throws(OSSError) -> MultipartUpload {
        let id = query["uploadId"] ?? ""
        let upload: MultipartUpload?
        do { upload = try objects.upload(id, of: key, in: bucket.id) } catch {
            throw OSSError(error, bucket: bucket.name, key: key, uploadID: id)
        }
        guard let upload else { throw .noSuchUpload(id) }
        return upload
    }

    /// A number of the query.
    /// - Throws: `InvalidArgument`.
    func number(_ name: String, in range: ClosedRange<Int>, otherwise: Int) throws(OSSError) -> Int {
        guard let text = query.value(name) else { return otherwise }
        guard let number = Int(digits: text), range.contains(number) else {
            throw .invalidArgument(
                "Argument \(name) must be an integer between \(range.lowerBound) and \(range.upperBound).", name: name, value: text)
        }
        return number
    }
}
