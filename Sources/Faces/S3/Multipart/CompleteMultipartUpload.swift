import Calls
import Cloud
import Cryptography
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// The maximum size of the document in bytes: ten thousand parts with number, ETag and checksum.
    private static let completionLimit = 4 << 20
    /// The minimum size of every part except the last in bytes. (S3 User Guide, "Amazon S3 multipart upload limits".)
    private static let minimumPartSize: Int64 = 5 << 20

    func completeMultipartUpload(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key)
        let input = try input(CompleteMultipartUploadInput.self)
        let condition = input.condition
        try authorizeRead(of: address.key, for: condition, in: bucket)
        let body = try await document(
            upTo: Self.completionLimit, try declaredBody(checksumSubject: .completedObject))
        if body.isEmpty, dialect == .aws {
            _ = try self.upload(input.uploadID, of: address.key, in: bucket)
            throw S3Error(.invalidRequest, "You must specify at least one part")
        }
        let completion = try CompletionRequest(
            try xml("CompleteMultipartUpload", body), uploadID: input.uploadID)
        let upload: MultipartUpload
        do { upload = try self.upload(input.uploadID, of: address.key, in: bucket) } catch {
            guard error.code == .noSuchUpload, let record = try completed(completion, input.uploadID, address.key, in: bucket) else {
                throw error
            }
            return try completionAnswer(record, in: bucket, hasChosenChecksum: false)
        }
        try check(
            upload.properties.encryption, against: try input.customerKey.get(),
            upload.checksumAlgorithm == nil && dialect == .aws ? .completion : .completionWithChecksum)
        try check(input.checksumType, of: upload)
        let parts = try await chosenParts(completion, of: upload)
        let checksum = try checksum(of: parts, upload, input)
        try check(input.objectSize, of: parts)
        try check(condition, of: upload, in: bucket)

        var md5 = MD5()
        for part in parts { md5.update(part.md5) }
        let record: ObjectRecord
        do {
            record = try await changes(in: bucket).complete(
                upload,
                with: UploadCompletion(
                    parts: parts.map { UploadCompletion.Part(number: $0.number, md5: $0.md5) }, md5: md5.finalize(),
                    checksums: [checksum, ossChecksum(of: parts)].compactMap(\.self), modified: clock.now,
                    minimumPartSize: Self.minimumPartSize),
                if: condition)
        } catch {
            throw S3Error(
                error, bucket: bucket.name, key: address.key, condition: condition.header, uploadID: upload.id)
        }
        return try completionAnswer(record, in: bucket, hasChosenChecksum: upload.checksumAlgorithm != nil)
    }

    /// Returns the object that a previous completion with the same parts created, so that a client can retry after a lost response.
    /// (S3 API Reference, CompleteMultipartUpload, on retrying a request whose answer was lost.)
    private func completed(
        _ completion: CompletionRequest, _ uploadID: String, _ key: String, in bucket: Bucket
    ) throws(S3Error) -> ObjectRecord? {
        do {
            guard try objects.hasCompleted(uploadID, of: key, in: bucket.id) else { return nil }
        } catch {
            throw S3Error(error, bucket: bucket.name, key: key)
        }
        var md5 = MD5()
        for part in completion.parts {
            guard let digest = [UInt8](hex: part.entityTag), digest.count == MD5.byteCount else { return nil }
            md5.update(digest)
        }
        let found: Found<ObjectRecord>
        do { found = try objects.head(key, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: key)
        }
        let tag = EntityTag(md5: md5.finalize(), partCount: completion.parts.count)
        guard case .object(let record) = found, record.entityTag == tag else { return nil }
        return record
    }

    /// Returns the response of a completed upload.
    /// - Parameter hasChosenChecksum: whether the client chose the checksum of the upload. The default checksum of S3 is not in the
    ///   response if the object is encrypted with KMS (observed in S3).
    private func completionAnswer(
        _ record: ObjectRecord, in bucket: Bucket, hasChosenChecksum: Bool
    ) throws(S3Error) -> Response {
        var fields = HTTPFields()
        let usesKeyService = record.properties.encryption?.scheme.usesKeyService == true
        let checksums = usesKeyService && !hasChosenChecksum && dialect == .aws ? [] : record.checksums.shown
        append(record.properties.encryption, to: &fields, .completed)
        append(written: record.version, of: record.key, to: &fields)
        try appendExpiration(of: record, in: bucket, to: &fields)
        return answer(.ok, fields, root: "CompleteMultipartUploadResult") { xml in
            xml.element("Location", call.origin + call.path)
            xml.element("Bucket", bucket.name)
            xml.element("Key", record.key)
            xml.element("ETag", record.entityTag.quoted)
            for checksum in checksums {
                xml.element(checksum.algorithm.element, checksum.text(partCount: record.entityTag.partCount))
                xml.element("ChecksumType", checksum.coverage.name)
            }
        }
    }

    /// Rejects a completion if the object of its condition was replaced or deleted after the upload was created. The store evaluates the
    /// condition itself.
    /// (S3 User Guide, "How to prevent object overwrites with conditional writes", on 409 `ConditionalRequestConflict`.)
    private func check(_ condition: Precondition, of upload: MultipartUpload, in bucket: Bucket) throws(S3Error) {
        if condition == .none { return }
        let present: ObjectRecord?
        do { present = try objects.head(upload.key, in: bucket.id).object } catch {
            throw S3Error(error, bucket: bucket.name, key: upload.key)
        }
        switch condition {
        case .ifMatch(let tag): guard let present, present.entityTag == tag, present.modified > upload.initiated else { return }
        case .ifNoneMatchAny: guard present == nil, upload.replaces else { return }
        case .none, .ifMatchAny, .ifNoneMatch: return
        }
        throw S3Error(.conditionalRequestConflict, nil, ["Condition": condition.header, "Key": upload.key])
    }

    /// Refuses a kind of checksum that is not the upload's.
    private func check(_ type: String?, of upload: MultipartUpload) throws(S3Error) {
        guard let type else { return }
        let expected = upload.checksumAlgorithm == nil ? "null" : upload.checksumCoverage.name
        guard type == expected else {
            throw S3Error(
                .invalidRequest,
                "The upload was created using the \(expected) checksum mode. The complete request must use the same checksum mode."
            )
        }
    }

    /// Returns the uploaded parts that the client lists.
    private func chosenParts(
        _ completion: CompletionRequest, of upload: MultipartUpload
    ) async throws(S3Error) -> [StoredPart] {
        let stored: [StoredPart]
        do { stored = try await objects.parts(of: upload).parts } catch {
            throw S3Error(error, bucket: "", key: upload.key, uploadID: upload.id)
        }
        let byNumber = Dictionary(stored.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        var chosen: [StoredPart] = []
        for part in completion.parts {
            guard let found = byNumber[part.number], found.md5.hex == part.entityTag.lowercased() else {
                throw .invalidPart(part, of: upload)
            }
            try check(part, against: found, of: upload)
            chosen.append(found)
        }
        for (part, found) in zip(completion.parts, chosen).dropLast() where found.size < Self.minimumPartSize {
            throw S3Error(
                .entityTooSmall, nil,
                [
                    "ProposedSize": String(found.size), "MinSizeAllowed": String(Self.minimumPartSize),
                    "PartNumber": String(part.number), "ETag": part.entityTag,
                ])
        }
        return chosen
    }

    /// Compares the checksums that the client lists for a part with the part's own.
    private func check(
        _ part: CompletionRequest.Part, against found: StoredPart, of upload: MultipartUpload
    ) throws(S3Error) {
        guard let algorithm = upload.checksumAlgorithm else {
            guard part.checksums.isEmpty else { throw .invalidPart(part, of: upload) }
            return
        }
        if let other = part.checksums.keys.first(where: { $0 != algorithm }) {
            throw S3Error(
                .badDigest, "The \(other.lowercaseName) you specified for part \(part.number) did not match what we received.")
        }
        guard let named = part.checksums[algorithm] else {
            guard upload.checksumCoverage == .composite, dialect == .aws else { return }
            throw S3Error(
                .invalidRequest,
                "The upload was created using a \(algorithm.lowercaseName) checksum. The complete request must include the checksum for each part. It was missing for part \(part.number) in the request."
            )
        }
        guard found.checksums.contains(where: { $0.algorithm == algorithm && $0.bytes.base64 == named }) else {
            throw .invalidPart(part, of: upload)
        }
    }

    /// Returns the checksum of the object, after comparing it with the one in the request.
    private func checksum(
        of parts: [StoredPart], _ upload: MultipartUpload, _ input: CompleteMultipartUploadInput
    ) throws(S3Error) -> Checksum? {
        let algorithm = upload.partAlgorithm
        let coverage = upload.checksumAlgorithm == nil ? .fullObject : upload.checksumCoverage
        let pieces = parts.compactMap { part in part.checksums.shown.first.map { (size: part.size, checksum: $0) } }
        let computed = pieces.count == parts.count ? combinedChecksum(algorithm, coverage, of: pieces) : nil
        for (named, text) in input.checksums {
            // If the client chose no checksum for the upload, only that of S3's choice is compared.
            if upload.checksumAlgorithm == nil, named != algorithm { continue }
            let value = text.split(separator: "-", maxSplits: 1).first.map(String.init)
            // Without `x-amz-checksum-type` it is a checksum of the parts' checksums, except for an algorithm without such checksums
            // (observed in S3).
            let isOfUpload = dialect == .ceph || input.checksumType != nil || named == .crc64nvme || coverage == .composite
            guard named == algorithm, isOfUpload, value == computed?.bytes.base64 else {
                throw S3Error(.badDigest, "The \(algorithm.lowercaseName) you specified did not match the calculated checksum.")
            }
        }
        // S3 has no default checksum for parts with customer-provided keys, which it cannot decrypt afterwards.
        let isSealed = upload.checksumAlgorithm == nil && upload.properties.encryption?.scheme == .customer
        return isSealed && dialect == .aws ? nil : computed
    }

    /// Computes the checksum that OSS returns for the object; `nil` unless all parts have one.
    private func ossChecksum(of parts: [StoredPart]) -> Checksum? {
        let pieces = parts.compactMap { part in
            part.checksums.first { $0.algorithm == .crc64xz }.map { (size: part.size, checksum: $0) }
        }
        return pieces.count == parts.count ? combinedChecksum(.crc64xz, .fullObject, of: pieces) : nil
    }

    private func check(_ size: Parsed<Int64>?, of parts: [StoredPart]) throws(S3Error) {
        guard let declared = try size?.get() else { return }
        let size = parts.reduce(Int64(0)) { $0 + $1.size }
        guard declared == size else {
            throw S3Error(
                .invalidRequest,
                "The provided 'x-amz-mp-object-size' header value \(declared) does not match what was computed: \(size)")
        }
    }
}

extension S3Error {
    fileprivate static func invalidPart(_ part: CompletionRequest.Part, of upload: MultipartUpload) -> S3Error {
        S3Error(
            .invalidPart, nil,
            ["UploadId": upload.id, "PartNumber": String(part.number), "ETag": part.entityTag])
    }
}
