import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// GetObject.
    /// - Parameter isConditional: whether the client's conditions and range are for this object.
    func getObject(_ key: String, in bucket: Bucket, isConditional: Bool = true) async throws -> Response {
        let limit = try trafficLimit()
        let (named, stored) = try openedObject(key, in: bucket)
        let read = OSSReadObject(named: named.record, record: stored.record)
        let overrides = try responseOverrides()
        switch judge(read, isConditional: isConditional) {
        case .holds: break
        case .notModified: return notModified(read, in: bucket)
        case .failed: throw OSSError(.preconditionFailed)
        }
        try checkIsReadable(stored.record, in: bucket)
        var fields = objectFields(read, in: bucket, overrides: overrides)
        let range = try !isConditional ? nil : range(of: stored.record, modified: read.modified(by: clock))
        if range == nil, limit == nil, isCompressed(stored.record, fields) {
            fields[.contentEncoding] = "gzip"
            // The tag is that of the other form. (OSS API Reference, "GetObject", on `Accept-Encoding`.)
            fields[.eTag] = nil
            fields[.contentMD5] = nil
            var response = answer(.ok, fields)
            response.body = ResponseBody(compressing: stored)
            return response
        }
        fields.append(length: range, ofObjectOf: stored.record.size)
        var response = answer(range == nil ? .ok : .partialContent, fields)
        response.body =
            if let limit { ResponseBody(stored, range, at: limit) } else { try await ResponseBody(stored, range) }
        return response
    }

    /// The object that the caller asks for and may read, and the one that it leads to where it is a link.
    func openedObject(_ key: String, in bucket: Bucket) throws(OSSError) -> (named: StoredObject, stored: StoredObject) {
        let version = try version(of: key)
        let found: Found<StoredObject>
        do { found = try objects.open(key, version: version, in: bucket.id) } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
        try authorize(
            version == .current ? "oss:GetObject" : "oss:GetObjectVersion", on: bucket, key: key, object: found.object?.record)
        let named = try object(found, key, version, named: query["versionId"])
        let objects = objects
        let target = try target(
            of: named.record, in: bucket, { key throws(ObjectStoreError) in try objects.open(key, in: bucket.id) },
            record: { $0.record })
        try refuseCustomerKey(of: (target ?? named).record)
        return (named, target ?? named)
    }

    /// The range that is asked for; `nil` for the whole object, which is what a range comes to that does not fit the object.
    /// (OSS API Reference, "GetObject", `Range` and `x-oss-range-behavior`.)
    /// - Throws: `InvalidRange`, where the client wants the standard's behaviour.
    private func range(of record: ObjectRecord, modified: Timestamp) throws(OSSError) -> Range<Int64>? {
        let fit: RangeSelection.Fit = headers.value(of: .ossRangeBehavior)?.lowercased() == "standard" ? .standard : .wholeOrNothing
        let selection = RangeSelection(
            headers.value(of: .range), ifRange: headers.value(of: .ifRange)?.loweringTag, of: record, modified: modified, fit)
        if case .unsatisfiable(let requested) = selection {
            throw OSSError(
                .invalidRange, nil, ["ActualObjectSize": String(record.size), "RangeRequested": requested],
                fields: [.contentRange: "bytes */\(record.size)"])
        }
        return selection.range
    }

    private static let leastCompressed: Int64 = 1024
    /// (OSS API Reference, "GetObject", on `Accept-Encoding`.)
    private static let compressed: Set<String> = [
        "text/cache-manifest", "text/xml", "text/plain", "text/css", "application/javascript", "application/x-javascript",
        "application/rss+xml", "application/json", "text/json", "text/html",
    ]

    /// Whether the content travels compressed.
    private func isCompressed(_ record: ObjectRecord, _ fields: HTTPFields) -> Bool {
        guard record.size >= Self.leastCompressed, !fields.contains(.contentEncoding),
            let accepted = headers.value(of: .acceptEncoding)?.lowercased(),
            accepted.split(separator: ",").contains(where: { item in
                let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
                return parts.first == "gzip" && !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            })
        else { return false }
        let type = (fields[.contentType] ?? "").lowercased().prefix { $0 != ";" }
        return Self.compressed.contains(type.filter { $0 != " " })
    }

    /// `response-…` parameters, which replace headers of the answer.
    /// - Throws: `InvalidRequest` for somebody who does not sign.
    private func responseOverrides() throws(OSSError) -> [HTTPField.Name: String] {
        guard query.fields.contains(where: { $0.name.hasPrefix("response-") }) else { return [:] }
        var overrides: [HTTPField.Name: String] = [:]
        for field in query.fields {
            guard let name = Self.overridable[field.name] else { continue }
            guard HTTPField.isValidValue(field.value) else {
                throw .invalidArgument("The value is no header value.", name: field.name, value: field.value)
            }
            overrides[name] = field.value
        }
        guard overrides.isEmpty || authenticated != nil else {
            throw OSSError(.invalidRequest, "Request specific response headers cannot be used for anonymous GET requests.")
        }
        return overrides
    }

    private static let overridable: [String: HTTPField.Name] = [
        "response-content-type": .contentType, "response-content-language": .contentLanguage, "response-expires": .expires,
        "response-cache-control": .cacheControl, "response-content-disposition": .contentDisposition,
        "response-content-encoding": .contentEncoding,
    ]
}

extension String {
    /// A tag in lower case; a date as it is.
    fileprivate var loweringTag: String { Timestamp(httpDate: self) == nil ? lowercased() : self }
}
