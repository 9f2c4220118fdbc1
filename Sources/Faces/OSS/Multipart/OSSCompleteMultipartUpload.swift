import Calls
import Cloud
import Cryptography
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// The maximum size of the document in bytes: ten thousand parts with number and ETag.
    private static let completionLimit = 4 << 20
    /// The minimum size of every part except the last in bytes. (OSS User Guide, "Multipart upload".)
    private static let minimumPartSize: Int64 = 100 << 10

    func completeMultipartUpload(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let input = try input(CompleteMultipartUploadInput.self)
        let isEncoded = input.isEncoded
        let callback = try uploadCallback(in: bucket)
        let takesAll = try input.takesAll.get()
        let body = try await document(upTo: Self.completionLimit)
        var upload = try upload(input.uploadID, of: key, in: bucket)
        if let access = input.access {
            upload.properties.accessControl = try accessControl(try access.get(), in: bucket)
        }
        let stored: [StoredPart]
        do { stored = try await objects.parts(of: upload).parts } catch {
            throw OSSError(error, bucket: bucket.name, key: key, uploadID: upload.id)
        }
        let parts: [StoredPart]
        if takesAll {
            // (OSS API Reference, "CompleteMultipartUpload", `x-oss-complete-all`: there must be no body.)
            guard body.isEmpty else {
                throw OSSError.invalidArgument("The request has a list of parts.", name: "x-oss-complete-all", value: "yes")
            }
            parts = stored
        } else {
            parts = try chosen(try namedParts(body), among: stored, of: upload)
        }
        guard !parts.isEmpty else { throw OSSError(.malformedXML) }
        let record = try await complete(upload, with: parts, forbidsOverwrite: input.forbidsOverwrite, in: bucket)
        if let callback {
            return await answer(
                of: callback, about: record, in: bucket, operation: "CompleteMultipartUpload", writtenFields(record, in: bucket))
        }
        return answer(.ok, writtenFields(record, in: bucket), root: "CompleteMultipartUploadResult") { xml in
            if isEncoded { xml.element("EncodingType", "url") }
            xml.element("Location", call.origin + call.path)
            xml.element("Bucket", bucket.name)
            xml.element("Key", isEncoded ? percentEncoded(key) : key)
            xml.element("ETag", record.ossEntityTag)
        }
    }

    private func complete(
        _ upload: MultipartUpload, with parts: [StoredPart], forbidsOverwrite: Bool, in bucket: Bucket
    ) async throws(OSSError) -> ObjectRecord {
        let condition = try precondition(forbidsOverwrite: forbidsOverwrite, to: upload.key, in: bucket)
        var md5 = MD5()
        for part in parts { md5.update(part.md5) }
        let checksums = bucket.standardChecksums.compactMap { algorithm in
            let checks = parts.compactMap { part in
                part.checksums.first { $0.algorithm == algorithm }.map { (size: part.size, checksum: $0) }
            }
            return checks.count == parts.count ? combinedChecksum(algorithm, .fullObject, of: checks) : nil
        }
        do {
            return try await changes(in: bucket).complete(
                upload,
                with: UploadCompletion(
                    parts: parts.map { UploadCompletion.Part(number: $0.number, md5: $0.md5) }, md5: md5.finalize(),
                    checksums: checksums, modified: clock.now, minimumPartSize: Self.minimumPartSize),
                if: condition)
        } catch {
            throw refusal(error, upload.key, in: bucket, uploadID: upload.id)
        }
    }

    private struct NamedPart {
        var number: Int
        /// The ETag in lowercase, without quotes.
        var entityTag: String
    }

    /// Parses the parts in the document.
    /// - Throws: `MalformedXML`, `InvalidPartOrder`.
    private func namedParts(_ body: [UInt8]) throws(OSSError) -> [NamedPart] {
        var parts: [NamedPart] = []
        for child in try xml("CompleteMultipartUpload", body).children {
            guard child.name == "Part", let number = child.child("PartNumber").flatMap({ Int(digits: $0.text) }),
                (1...10_000).contains(number), let tag = child.child("ETag")?.text
            else { throw OSSError(.malformedXML) }
            parts.append(NamedPart(number: number, entityTag: unquoted(tag).lowercased()))
        }
        for (earlier, later) in zip(parts, parts.dropFirst()) where earlier.number >= later.number {
            throw OSSError(.invalidPartOrder)
        }
        return parts
    }

    /// Returns the uploaded parts that the document lists.
    /// - Throws: `InvalidPart`.
    private func chosen(_ named: [NamedPart], among stored: [StoredPart], of upload: MultipartUpload) throws(OSSError) -> [StoredPart] {
        let byNumber = Dictionary(stored.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        var chosen: [StoredPart] = []
        for part in named {
            guard let found = byNumber[part.number], found.md5.hex == part.entityTag else {
                throw OSSError(
                    .invalidPart, nil,
                    ["UploadId": upload.id, "PartNumber": String(part.number), "PartEtag": part.entityTag.uppercased()])
            }
            chosen.append(found)
        }
        return chosen
    }
}
