import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func getObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let stored = try openedObject(address, in: bucket)
        let record = stored.record
        if let keys { try await keys.check(record.properties.encryption, in: bucket) }
        try checkIsReadable(record, "The operation is not valid for the object's storage class")
        guard let selection = try select(record, parts: stored) else { return notModified(record, in: bucket) }
        let (status, fields) = try head(of: record, selection, in: bucket)
        return Response(status: status, headers: fields, body: try await ResponseBody(stored, selection.range))
    }

    func headObject(_ address: ObjectAddress) throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        do throws(S3Error) {
            if query["partNumber"] != nil {
                let stored = try openedObject(address, in: bucket)
                guard let selection = try select(stored.record, parts: stored) else { return notModified(stored.record, in: bucket) }
                return try headed(stored.record, selection, in: bucket)
            }
            let record = try headedObject(address, in: bucket)
            guard let selection = try select(record, parts: nil) else { return notModified(record, in: bucket) }
            return try headed(record, selection, in: bucket)
        } catch  where dialect == .ceph && error.code == .noSuchKey && !error.fields.contains(.deleteMarker) {
            var error = error
            error.fields.append(HTTPField(name: .deleteMarker, value: "false"))
            throw error
        }
    }

    /// Returns the object or version that the request names, with its body, after checking the permission to read it.
    func openedObject(_ address: ObjectAddress, in bucket: Bucket) throws(S3Error) -> StoredObject {
        let version = try version(of: address.key)
        let found: Found<StoredObject>
        do { found = try objects.open(address.key, version: version, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        let stored = try object(found, address, version, in: bucket, asking: readAction(version))
        try authorize(readAction(version), on: bucket, object: stored.record)
        if dialect == .ceph, let part = query["partNumber"] { _ = try selectPart(part, of: stored.record, stored) }
        try check(stored.record.properties.encryption, against: headers)
        return stored
    }

    /// Returns the object or version that the request names, without its body, after checking the permission to read it.
    private func headedObject(_ address: ObjectAddress, in bucket: Bucket) throws(S3Error) -> ObjectRecord {
        let version = try version(of: address.key)
        let found: Found<ObjectRecord>
        do { found = try objects.head(address.key, version: version, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        let record = try object(found, address, version, in: bucket, asking: readAction(version))
        try permitReading(record, readAction(version), in: bucket)
        return record
    }

    /// Returns the action that reading a version requires.
    func readAction(_ version: VersionSelector) -> S3Action { version == .current ? .getObject : .getObjectVersion }

    /// Rejects callers who may not read an object or do not send its key.
    func permitReading(_ record: ObjectRecord, _ action: S3Action, in bucket: Bucket) throws(S3Error) {
        try authorize(action, on: bucket, object: record)
        try check(record.properties.encryption, against: headers)
    }

    /// The part of an object that a request selects.
    private struct Selection {
        /// The range of bytes; `nil` for the whole object.
        var range: Range<Int64>?
        /// The part, if the request selects one of several parts.
        var part: StoredObject.Part?
    }

    /// Evaluates conditions and ranges; `nil` if the response is 304.
    private func select(_ record: ObjectRecord, parts: StoredObject?) throws(S3Error) -> Selection? {
        let modified = clock.effective(record.modified)
        switch ReadConditions(headers).judge(record.entityTag, modified: modified, now: call.received) {
        case .holds: break
        case .notModified: return nil
        case .failed(let condition): throw .preconditionFailed(condition)
        }
        let rangeHeader = headers.value(of: .range)
        if let parts, let text = query["partNumber"] {
            guard rangeHeader == nil else {
                throw S3Error(.invalidRequest, "Cannot specify both Range header and partNumber query parameter")
            }
            return try selectPart(text, of: record, parts)
        }
        switch RangeSelection(rangeHeader, ifRange: headers.value(of: .ifRange), of: record, modified: modified) {
        case .whole: return Selection()
        case .part(let range): return Selection(range: range)
        case .unsatisfiable(let requested):
            throw S3Error(.invalidRange, nil, ["RangeRequested": requested, "ActualObjectSize": String(record.size)])
        }
    }

    private func selectPart(_ text: String, of record: ObjectRecord, _ stored: StoredObject) throws(S3Error) -> Selection {
        guard let number = Int(digits: text), (1...10_000).contains(number) else { throw .invalidPartNumber(text) }
        guard let range = stored.range(ofPart: number) else {
            throw S3Error(
                dialect == .ceph ? .invalidPart : .invalidPartNumber, "The requested partnumber is not satisfiable",
                ["PartNumberRequested": text, "ActualPartCount": String(record.entityTag.partCount ?? 1)])
        }
        return Selection(range: range, part: stored.parts.first { $0.number == number })
    }

    private func notModified(_ record: ObjectRecord, in bucket: Bucket) -> Response {
        var headers = call.s3Headers()
        headers.append(HTTPField(name: .eTag, value: record.entityTag.quoted))
        headers.append(HTTPField(name: .lastModified, value: clock.effective(record.modified).httpDate))
        append(record.version, of: record.key, in: bucket, to: &headers)
        // Headers for caches. (RFC 9110 section 15.4.5.)
        if let text = record.attributes.cacheControl { headers.append(HTTPField(name: .cacheControl, value: text)) }
        if let text = record.attributes.expires { headers.append(HTTPField(name: .expires, value: text)) }
        return Response(status: .notModified, headers: headers)
    }

    private func headed(_ record: ObjectRecord, _ selection: Selection, in bucket: Bucket) throws(S3Error) -> Response {
        let (status, fields) = try head(of: record, selection, in: bucket)
        return Response(status: status, headers: fields)
    }

    /// Returns status and header fields of the response, including the length of the body.
    private func head(
        of record: ObjectRecord, _ selection: Selection, in bucket: Bucket
    ) throws(S3Error) -> (HTTPResponse.Status, HTTPFields) {
        var fields = call.s3Headers()
        fields.append(HTTPField(name: .lastModified, value: clock.effective(record.modified).httpDate))
        fields.append(HTTPField(name: .eTag, value: record.entityTag.quoted))
        append(record.version, of: record.key, in: bucket, to: &fields)
        append(record.properties, to: &fields)
        if let text = record.restoration?.header(by: clock) { fields.append(HTTPField(name: .restore, value: text)) }
        if query["versionId"] == nil { try appendExpiration(of: record, in: bucket, to: &fields) }
        fields.append(HTTPField(name: .acceptRanges, value: "bytes"))
        record.attributes.append(to: &fields, overrides: try responseOverrides())
        if headers.value(of: .checksumMode)?.uppercased() == "ENABLED" { appendChecksums(of: record, selection, to: &fields) }
        if selection.part != nil, let count = record.entityTag.partCount {
            fields.append(HTTPField(name: .multipartPartsCount, value: String(count)))
        }
        fields.append(length: selection.range, ofObjectOf: record.size)
        return (selection.range == nil ? .ok : .partialContent, fields)
    }

    /// Appends the checksums of the whole object, or that of a selected part if they are composite.
    private func appendChecksums(of record: ObjectRecord, _ selection: Selection, to fields: inout HTTPFields) {
        if let part = selection.part, let first = record.checksums.shown.first, first.coverage == .composite || dialect == .ceph {
            for checksum in part.checksums.shown {
                fields.append(HTTPField(name: checksum.algorithm.header, value: checksum.bytes.base64))
            }
            fields.append(HTTPField(name: .checksumType, value: first.coverage.name))
        } else if selection.range.map({ $0.count == record.size }) ?? true {
            append(record.checksums, partCount: record.entityTag.partCount, to: &fields)
        }
    }

    /// Appends the headers for the properties of an object.
    private func append(_ properties: ObjectProperties, to fields: inout HTTPFields) {
        append(properties.encryption, to: &fields)
        if !properties.tags.isEmpty {
            fields.append(HTTPField(name: .taggingCount, value: String(properties.tags.count)))
        }
        if !properties.lock.isEmpty { properties.lock.append(to: &fields, by: clock) }
    }

    /// Returns the `response-…` parameters, which override headers of the response.
    private func responseOverrides() throws(S3Error) -> [HTTPField.Name: String] {
        guard !query.fields.isEmpty else { return [:] }
        var overrides: [HTTPField.Name: String] = [:]
        for field in query.fields where field.name.hasPrefix("response-") {
            guard let name = Self.overridable[field.name] else { continue }
            guard field.value.unicodeScalars.allSatisfy({ $0.value <= 0xFF }), HTTPField.isValidValue(field.value) else {
                throw .invalidArgument(
                    "Header value cannot be represented using ISO-8859-1.", name: field.name, value: field.value)
            }
            overrides[name] = HeaderText.stored(HeaderText.latin1(field.value))
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
}

extension S3Error {
    /// Returns the error for a part number that is not an integer from 1 to 10,000.
    static func invalidPartNumber(_ text: String) -> S3Error {
        .invalidArgument(
            "Part number must be an integer between 1 and 10000, inclusive", name: "partNumber", value: text)
    }
}
