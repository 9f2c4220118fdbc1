import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// The maximum size of the request in bytes: the longest statement in base64, and the formats.
    private static let selectRequestLimit = 64 << 10

    /// SelectObject. An error before the response begins is an error response; a later error is in the last frame.
    func selectObject(_ key: String, isJSON: Bool, in bucket: Bucket) async throws -> Response {
        let stored = try contentToQuery(key, in: bucket)
        let document = try await selectDocument(["SelectRequest"])
        let range = try input(SelectObjectInput.self).range
        let request: OSSSelectRequest
        var search: SelectSearch
        do {
            request = try OSSSelectRequest(document, isJSON: isJSON)
            let statement = try await SelectParser.parse(try OSSSelectRequest.expression(in: document))
            search = try SelectSearch(statement, request.query, in: stored, range: range, for: call.request.client)
        } catch {
            throw OSSError(error)
        }
        try await search.searchNextChunk()
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
                    // This response has no frames for an error, so the connection is closed.
                    if let refusal = search.refusal { throw refusal }
                } else if !found.isEmpty {
                    try await writer.write(frames.data(found, offset: search.offset))
                } else if !search.isAtEnd {
                    try await writer.write(frames.continuation(offset: search.offset))
                }
                if search.isAtEnd { break }
                try await search.searchNextChunk()
            }
            if !request.isRaw { try await writer.write(frames.end(offset: search.offset, search.refusal)) }
            try await writer.finish(nil)
        }
        return response
    }

    /// CreateSelectObjectMeta. Returns the number of records of an object. They are counted in each call; queries of line ranges do not
    /// require it.
    func createSelectObjectMeta(_ key: String, isJSON: Bool, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let stored = try contentToQuery(key, in: bucket)
        let document = try await selectDocument([isJSON ? "JsonMetaRequest" : "CsvMetaRequest", "SelectMetaRequest"])
        let counter: SelectCounter
        do {
            counter = try await SelectCounter(try OSSSelectRequest(document, isJSON: isJSON).query, in: stored, for: call.request.client)
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

    /// Parses the document of the request, with one of the given root elements.
    private func selectDocument(_ roots: [String]) async throws -> XMLElement {
        let bytes = try await document(upTo: Self.selectRequestLimit)
        guard let element = try? XMLElement(parsing: bytes), roots.contains(element.name) else { throw OSSError(.malformedXML) }
        return element
    }
}
