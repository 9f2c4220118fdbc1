import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    func initiateMultipartUpload(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let input = try input(InitiateMultipartUploadInput.self)
        let isEncoded = input.isEncoded
        let declared = try declaredObject(key, input.object, in: bucket)
        if try precondition(forbidsOverwrite: input.object.forbidsOverwrite, to: key, in: bucket) == .ifNoneMatchAny {
            try refuseOverwriting(key, in: bucket)
        }
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

    /// Rejects an upload to an existing object. The store checks this again on completion.
    private func refuseOverwriting(_ key: String, in bucket: Bucket) throws(OSSError) {
        let found: Found<ObjectRecord>
        do { found = try objects.head(key, in: bucket.id) } catch { throw OSSError(error, bucket: bucket.name, key: key) }
        if found.object != nil { throw OSSError(.fileAlreadyExists, nil, ["ObjectName": key]) }
    }

    func abortMultipartUpload(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.abortMultipartUpload, on: bucket, key: key)
        let upload = try upload(try input(UploadInput.self).uploadID, of: key, in: bucket)
        do { try await objects.abort(upload) } catch {
            throw OSSError(error, bucket: bucket.name, key: key, uploadID: upload.id)
        }
        return answer(.noContent)
    }

    func listParts(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.listParts, on: bucket, key: key)
        let input = try input(ListPartsInput.self)
        let (isEncoded, limit, marker) = (input.isEncoded, input.limit, input.marker)
        let upload = try upload(input.uploadID, of: key, in: bucket)
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

    /// Writes the client-side encryption properties of an upload, which a client needs to continue it. (OSS API Reference, "ListParts".)
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

    /// Returns the unfinished upload of a key with this identifier.
    /// - Throws: `NoSuchUpload`.
    func upload(_ id: String, of key: String, in bucket: Bucket) throws(OSSError) -> MultipartUpload {
        let upload: MultipartUpload?
        do { upload = try objects.upload(id, of: key, in: bucket.id) } catch {
            throw OSSError(error, bucket: bucket.name, key: key, uploadID: id)
        }
        guard let upload else { throw .noSuchUpload(id) }
        return upload
    }
}
