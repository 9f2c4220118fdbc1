import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// An object between the two steps of a GET. A class, because it is kept in the frame of an asynchronous function.
private final class OpenedForReading: Sendable {
    let bucket: Bucket
    let reading: ObjectReading<S3ReadingDoor>
    let input: S3ReadInput
    let stored: StoredObject

    init(bucket: Bucket, reading: ObjectReading<S3ReadingDoor>, input: S3ReadInput, stored: StoredObject) {
        self.bucket = bucket
        self.reading = reading
        self.input = input
        self.stored = stored
    }
}

extension S3Request {
    func getObject(_ address: ObjectAddress) async throws -> Response {
        let opened = try open(address)
        if keys != nil {
            try await useKey(of: opened.stored.record.properties.encryption, to: .decrypt, address.key, in: opened.bucket)
        }
        var (response, further) = try answer(opened)
        if let further { response.body = try await ResponseBody(opened.stored, further.range) }
        return response
    }

    /// Does the first step of a GET. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func open(_ address: ObjectAddress) throws(S3Error) -> OpenedForReading {
        let bucket = try bucket(address.bucket)
        let (reading, input) = (try reading(address, in: bucket, archive: .beforeConditions), try input(S3ReadInput.self))
        let stored = try reading.open(address.key, version: reading.door.version, input.selection)
        return OpenedForReading(bucket: bucket, reading: reading, input: input, stored: stored)
    }

    /// Does the second step of a GET. Not inlined, see `FrontDoor.finish`.
    /// - Returns: the response, and what its body has yet to be read from; `nil` for a complete response.
    @inline(never)
    private func answer(_ opened: OpenedForReading) throws(S3Error) -> (response: Response, further: ReadSelection?) {
        let stored = opened.stored
        guard case .selected(let selection) = try opened.reading.select(stored, opened.input.selection) else {
            return (notModified(stored.record, in: opened.bucket), nil)
        }
        let (status, fields) = try head(of: stored.record, selection, opened.input, in: opened.bucket)
        let body = ResponseBody(inline: stored, selection.range)
        return (Response(status: status, headers: fields, body: body ?? ResponseBody()), body == nil ? selection : nil)
    }

    func headObject(_ address: ObjectAddress) throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        do throws(S3Error) {
            let (reading, input) = (try reading(address, in: bucket), try input(S3ReadInput.self))
            if input.selection.partNumber != nil {
                let stored = try reading.open(address.key, version: reading.door.version, input.selection)
                return try headed(stored.record, try reading.select(stored, input.selection), input, in: bucket)
            }
            let record = try reading.head(address.key, version: reading.door.version)
            return try headed(record, try reading.select(record, input.selection), input, in: bucket)
        } catch  where dialect == .ceph && error.code == .noSuchKey && !error.fields.contains(.deleteMarker) {
            var error = error
            error.fields.append(HTTPField(name: .deleteMarker, value: "false"))
            throw error
        }
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

    private func headed(
        _ record: ObjectRecord, _ outcome: ReadOutcome, _ input: S3ReadInput, in bucket: Bucket
    ) throws(S3Error) -> Response {
        guard case .selected(let selection) = outcome else { return notModified(record, in: bucket) }
        let (status, fields) = try head(of: record, selection, input, in: bucket)
        return Response(status: status, headers: fields)
    }

    /// Returns status and header fields of the response, including the length of the body.
    private func head(
        of record: ObjectRecord, _ selection: ReadSelection, _ input: S3ReadInput, in bucket: Bucket
    ) throws(S3Error) -> (HTTPResponse.Status, HTTPFields) {
        var fields = call.s3Headers()
        fields.append(HTTPField(name: .lastModified, value: clock.effective(record.modified).httpDate))
        fields.append(HTTPField(name: .eTag, value: record.entityTag.quoted))
        append(record.version, of: record.key, in: bucket, to: &fields)
        append(record.properties, to: &fields)
        if let text = record.restoration?.header(by: clock) { fields.append(HTTPField(name: .restore, value: text)) }
        if !input.namesVersion { try appendExpiration(of: record, in: bucket, to: &fields) }
        fields.append(.acceptsByteRanges)
        record.attributes.append(to: &fields, overrides: try responseOverrides(input))
        if input.showsChecksums { appendChecksums(of: record, selection, to: &fields) }
        if selection.part != nil, let count = record.entityTag.partCount {
            fields.append(HTTPField(name: .multipartPartsCount, value: String(count)))
        }
        fields.append(length: selection.range, ofObjectOf: record.size)
        return (selection.range == nil ? .ok : .partialContent, fields)
    }

    /// Appends the checksums of the whole object, or that of a selected part if they are composite.
    private func appendChecksums(of record: ObjectRecord, _ selection: ReadSelection, to fields: inout HTTPFields) {
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
        if !properties.lock.isEmpty { properties.lock.append(to: &fields, named: .s3, by: clock) }
    }

    /// Returns the `response-…` parameters, which override headers of the response.
    private func responseOverrides(_ input: S3ReadInput) throws(S3Error) -> [HTTPField.Name: String] {
        guard !input.overrides.isEmpty else { return [:] }
        var overrides: [HTTPField.Name: String] = [:]
        for (name, parameter, value) in input.overrides {
            guard value.unicodeScalars.allSatisfy({ $0.value <= 0xFF }), HTTPField.isValidValue(value) else {
                throw .invalidArgument("Header value cannot be represented using ISO-8859-1.", name: parameter, value: value)
            }
            overrides[name] = HeaderText.stored(HeaderText.latin1(value))
        }
        guard authenticated != nil else {
            throw S3Error(
                .invalidRequest, "Request specific response headers cannot be used for anonymous GET requests.")
        }
        return overrides
    }
}

extension S3Error {
    /// Returns the error for a part number that is not an integer from 1 to 10,000.
    static func invalidPartNumber(_ text: String) -> S3Error {
        .invalidArgument(
            "Part number must be an integer between 1 and 10000, inclusive", name: "partNumber", value: text)
    }
}
