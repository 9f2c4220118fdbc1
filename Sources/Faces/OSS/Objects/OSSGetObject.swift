import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// GetObject.
    /// - Parameter isConditional: whether the client's conditions and range apply to this object.
    func getObject(_ key: String, in bucket: Bucket, isConditional: Bool = true) async throws -> Response {
        let input = try input(OSSReadInput.self)
        let (named, stored, reading) = try openedObject(key, in: bucket, archive: .afterConditions)
        let read = OSSReadObject(named: named.record, record: stored.record)
        let overrides = try input.overrides.get()
        guard overrides.isEmpty || authenticated != nil else {
            throw OSSError(.invalidRequest, "Request specific response headers cannot be used for anonymous GET requests.")
        }
        let selected = isConditional ? input.selection : ReadInput()
        guard case .selected(let selection) = try reading.select(stored, selected, modified: read.modified(by: clock)) else {
            return notModified(read, in: bucket)
        }
        let range = selection.range
        var fields = objectFields(read, in: bucket, overrides: overrides)
        if range == nil, input.limit == nil, input.acceptsGzip, isCompressible(stored.record, fields) {
            fields[.contentEncoding] = "gzip"
            // The ETag applies to the uncompressed form only. (OSS API Reference, "GetObject", on `Accept-Encoding`.)
            fields[.eTag] = nil
            fields[.contentMD5] = nil
            var response = answer(.ok, fields)
            response.body = ResponseBody(compressing: stored)
            return response
        }
        fields.append(length: range, ofObjectOf: stored.record.size)
        var response = answer(range == nil ? .ok : .partialContent, fields)
        response.body =
            if let limit = input.limit { ResponseBody(stored, range, at: limit, wait: face.wait) } else {
                try await ResponseBody(stored, range)
            }
        return response
    }

    /// Opens the object that the request names, and the target if it is a symbolic link, after checking the permissions.
    /// - Returns: both objects, which are the same without a link, and the reads of the second one.
    func openedObject(
        _ key: String, in bucket: Bucket, archive: ReadPolicy.ArchiveCheck
    ) throws(OSSError) -> (named: StoredObject, stored: StoredObject, reading: ObjectReading<OSSReadingDoor>) {
        let reading = try reading(key, in: bucket, archive: archive)
        let named = try reading.open(key, version: reading.door.version.selector)
        guard let target = self.reading(targetOf: named.record, in: bucket, archive: archive) else { return (named, named, reading) }
        let stored = try target.reading.open(target.key)
        try refuseLink(stored.record, from: named.record)
        return (named, stored, target.reading)
    }

    private static let leastCompressed: Int64 = 1024
    /// The content types that are compressed. (OSS API Reference, "GetObject", on `Accept-Encoding`.)
    private static let compressed: Set<String> = [
        "text/cache-manifest", "text/xml", "text/plain", "text/css", "application/javascript", "application/x-javascript",
        "application/rss+xml", "application/json", "text/json", "text/html",
    ]

    /// Whether the response is compressed for a client that accepts it.
    private func isCompressible(_ record: ObjectRecord, _ fields: HTTPFields) -> Bool {
        guard record.size >= Self.leastCompressed, !fields.contains(.contentEncoding) else { return false }
        let type = (fields[.contentType] ?? "").lowercased().prefix { $0 != ";" }
        return Self.compressed.contains(type.filter { $0 != " " })
    }
}
