import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Bytes of a request: the longest statement in Base64, and what is said of the formats.
    private static let selectRequestLimit = 64 << 10

    /// SelectObject. What the answer cannot begin with is refused like everything else; what goes wrong later is told in its last frame.
    func selectObject(_ key: String, isJSON: Bool, in bucket: Bucket) async throws -> Response {
        let stored = try contentToQuery(key, in: bucket)
        let document = try await selectDocument(["SelectRequest"])
        let request: OSSSelectRequest
        var search: SelectSearch
        do {
            request = try OSSSelectRequest(document, isJSON: isJSON)
            let statement = try SelectParser.statement(try OSSSelectRequest.expression(in: document))
            search = try SelectSearch(
                statement, request.query, in: stored, range: headers.value(of: .range).flatMap { ByteRange(header: $0) })
        } catch {
            throw OSSError(error)
        }
        try await search.goOn()
        if let refusal = search.refusal, search.isEmpty { throw OSSError(refusal) }
        let began = search
        var fields: HTTPFields = [.contentType: "application/octet-stream"]
        fields.append(HTTPField(name: .ossSelectOutputRaw, value: request.isRaw ? "true" : "false"))
        var response = answer(.partialContent, fields)
        response.body = ResponseBody { writer in
            var search = began
            let frames = SelectFrames(hasChecksums: request.hasChecksums)
            while true {
                let found = search.takeOutput()
                if request.isRaw {
                    if !found.isEmpty { try await writer.write(ByteBuffer(bytes: found)) }
                    // No frame could tell of it: the content is cut off.
                    if let refusal = search.refusal { throw refusal }
                } else if !found.isEmpty {
                    try await writer.write(frames.data(found, offset: search.offset))
                } else if !search.isAtEnd {
                    try await writer.write(frames.goingOn(offset: search.offset))
                }
                if search.isAtEnd { break }
                try await search.goOn()
            }
            if !request.isRaw { try await writer.write(frames.end(offset: search.offset, search.refusal)) }
            try await writer.finish(nil)
        }
        return response
    }

    /// CreateSelectObjectMeta: how many records an object has. They are counted at each call, and ranges of lines need no such call.
    func createSelectObjectMeta(_ key: String, isJSON: Bool, in bucket: Bucket) async throws -> Response {
        try authorize("oss:PutObject", on: bucket, key: key)
        let stored = try contentToQuery(key, in: bucket)
        let document = try await selectDocument([isJSON ? "JsonMetaRequest" : "CsvMetaRequest", "SelectMetaRequest"])
        let counter: SelectCounter
        do {
            counter = try await SelectCounter(try OSSSelectRequest(document, isJSON: isJSON).query, in: stored)
        } catch let refusal as SelectRefusal {
            throw OSSError(refusal)
        }
        var response = answer(.ok, [.contentType: "application/octet-stream"])
        response.body = ResponseBody(
            byteBuffer: SelectFrames(hasChecksums: true).metadata(size: stored.record.size, rows: counter.rows, columns: counter.columns))
        return response
    }

    /// The object that the request names, which must not be in an archive.
    private func contentToQuery(_ key: String, in bucket: Bucket) throws(OSSError) -> StoredObject {
        let (_, stored, reading) = try openedObject(key, in: bucket, archive: .beforeConditions)
        _ = try reading.select(stored, ReadInput())
        return stored
    }

    /// The document that the request carries, whose root has one of these names.
    private func selectDocument(_ roots: [String]) async throws -> XMLElement {
        let bytes = try await document(upTo: Self.selectRequestLimit)
        guard let element = try? XMLElement(parsing: bytes), roots.contains(element.name) else { throw OSSError(.malformedXML) }
        return element
    }
}
