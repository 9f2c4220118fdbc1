import Cloud
import Exchange
import HTTPTypes
import HummingbirdCore
import NIOCore
import WireFormats

extension S3Request {
    /// A range this long or shorter leaves as one buffer with its head.
    private static let longestBuffer = 256 << 10

    /// GetObject.
    func getObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorizeReading(address.key, in: bucket)
        let found: Found<StoredObject>
        do { found = try objects.open(address.key, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        guard case .object(let stored) = found else { throw missing(address.key, in: bucket) }
        let record = stored.record
        if let name = record.attributes.storageClass, StorageClass(rawValue: name)?.isArchive == true {
            throw S3Error(.invalidObjectState, nil, ["StorageClass": name])
        }
        guard let selection = try select(record, parts: stored) else { return notModified(record) }
        var response = try head(of: record, selection)
        response.body = try await body(of: stored, selection.range, size: record.size)
        return response
    }

    /// HeadObject.
    func headObject(_ address: ObjectAddress) throws -> Response {
        let bucket = try bucket(address.bucket)
        try authorizeReading(address.key, in: bucket)
        var stored: StoredObject?
        let found: Found<ObjectRecord>
        do {
            if query["partNumber"] != nil {
                if case .object(let object) = try objects.open(address.key, in: bucket.id) {
                    stored = object
                    found = .object(object.record)
                } else {
                    found = .nothing
                }
            } else {
                found = try objects.head(address.key, in: bucket.id)
            }
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        guard case .object(let record) = found else { throw missing(address.key, in: bucket) }
        guard let selection = try select(record, parts: stored) else { return notModified(record) }
        return try head(of: record, selection)
    }

    private func authorizeReading(_ key: String, in bucket: Bucket) throws(S3Error) {
        try authorize(query["versionId"] == nil ? .getObject : .getObjectVersion, on: bucket, key: key)
        try checkVersion()
    }

    /// What of an object is asked for.
    private struct Selection {
        /// Nothing for the whole object.
        var range: Range<Int64>?
        /// The number of parts, where one of them is asked for.
        var partCount: Int?
    }

    /// Judges conditions and ranges; nothing where the reader has the object already.
    private func select(_ record: ObjectRecord, parts: StoredObject?) throws(S3Error) -> Selection? {
        let modified = clock.effective(record.modified)
        switch ReadConditions(headers).judge(record.entityTag, modified: modified, now: exchange.received) {
        case .holds: break
        case .notModified: return nil
        case .failed(let condition): throw .preconditionFailed(condition)
        }
        let rangeHeader = headers[.range]
        if let text = query["partNumber"], let parts {
            guard rangeHeader == nil else {
                throw S3Error(.invalidRequest, "Cannot specify both Range header and partNumber query parameter")
            }
            return try selectPart(text, of: record, parts)
        }
        guard let rangeHeader, let range = ByteRange(header: rangeHeader),
            rangeApplies(ifRange: headers[.ifRange], to: record.entityTag, modified: modified)
        else { return Selection() }
        guard let resolved = range.resolved(size: record.size) else {
            throw S3Error(
                .invalidRange, nil, ["RangeRequested": rangeHeader, "ActualObjectSize": String(record.size)])
        }
        return Selection(range: resolved)
    }

    private func selectPart(_ text: String, of record: ObjectRecord, _ stored: StoredObject) throws(S3Error) -> Selection {
        guard let number = Int(text), (1...10_000).contains(number) else { throw .invalidPartNumber(text) }
        guard let range = stored.range(ofPart: number) else {
            throw S3Error(
                .invalidPartNumber, nil,
                ["PartNumberRequested": text, "ActualPartCount": String(record.entityTag.partCount ?? 1)])
        }
        return Selection(range: range, partCount: record.entityTag.partCount)
    }

    private func notModified(_ record: ObjectRecord) -> Response {
        var headers = exchange.s3Headers()
        headers.append(HTTPField(name: .eTag, value: record.entityTag.quoted))
        headers.append(HTTPField(name: .lastModified, value: clock.effective(record.modified).httpDate))
        return Response(status: .notModified, headers: headers)
    }

    /// The answer without its body, the length of the body included.
    private func head(of record: ObjectRecord, _ selection: Selection) throws(S3Error) -> Response {
        var fields = exchange.s3Headers()
        fields.append(HTTPField(name: .lastModified, value: clock.effective(record.modified).httpDate))
        fields.append(HTTPField(name: .eTag, value: record.entityTag.quoted))
        fields.append(HTTPField(name: .serverSideEncryption, value: "AES256"))
        fields.append(HTTPField(name: .acceptRanges, value: "bytes"))
        record.attributes.append(to: &fields, overrides: try responseOverrides())
        // The checksum of the object says nothing about a part of it.
        let isWhole = selection.range.map { $0.count == record.size } ?? true
        if isWhole, headers[.checksumMode]?.uppercased() == "ENABLED" {
            append(record.checksums, partCount: record.entityTag.partCount, to: &fields)
        }
        if let count = selection.partCount { fields.append(HTTPField(name: .multipartPartsCount, value: String(count))) }
        guard let range = selection.range else {
            fields.append(HTTPField(name: .contentLength, value: String(record.size)))
            return Response(status: .ok, headers: fields)
        }
        fields.append(HTTPField(name: .contentLength, value: String(range.count)))
        if !range.isEmpty {
            fields.append(
                HTTPField(name: .contentRange, value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(record.size)"))
        }
        return Response(status: .partialContent, headers: fields)
    }

    /// `response-…` parameters, which replace headers of the answer.
    private func responseOverrides() throws(S3Error) -> [HTTPField.Name: String] {
        guard !query.fields.isEmpty else { return [:] }
        var overrides: [HTTPField.Name: String] = [:]
        for field in query.fields where field.name.hasPrefix("response-") {
            guard let name = Self.overridable[field.name] else { continue }
            guard HTTPField.isValidValue(field.value) else {
                throw .invalidArgument("Header value cannot be represented", name: field.name, value: field.value)
            }
            overrides[name] = field.value
        }
        guard overrides.isEmpty || authenticated != nil else {
            throw S3Error(
                .invalidRequest, "Request specific response headers cannot be used for anonymous GET requests.")
        }
        return overrides
    }

    private static let overridable: [String: HTTPField.Name] = [
        "response-content-type": .contentType, "response-content-language": .contentLanguage,
        "response-expires": .expires, "response-cache-control": .cacheControl,
        "response-content-disposition": .contentDisposition, "response-content-encoding": .contentEncoding,
    ]

    private func body(of stored: StoredObject, _ range: Range<Int64>?, size: Int64) async throws -> ResponseBody {
        let length = range.map { Int64($0.count) } ?? size
        if let inline = stored.inlineBody {
            guard let range else { return ResponseBody(byteBuffer: inline) }
            let start = inline.readerIndex + Int(range.lowerBound)
            return ResponseBody(byteBuffer: inline.getSlice(at: start, length: range.count) ?? ByteBuffer())
        }
        let bytes = stored.bytes(in: range)
        guard length > Self.longestBuffer else {
            var whole = ByteBufferAllocator().buffer(capacity: Int(length))
            for try await piece in bytes { whole.writeImmutableBuffer(piece) }
            return ResponseBody(byteBuffer: whole)
        }
        return ResponseBody(contentLength: Int(length)) { writer in
            for try await piece in bytes { try await writer.write(piece) }
            try await writer.finish(nil)
        }
    }
}

extension S3Error {
    /// A part number that is no number from 1 to 10,000.
    static func invalidPartNumber(_ text: String) -> S3Error {
        .invalidArgument(
            "Part number must be an integer between 1 and 10000, inclusive", name: "partNumber", value: text)
    }
}
