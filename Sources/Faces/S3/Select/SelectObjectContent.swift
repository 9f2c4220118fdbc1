import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// The maximum size of the request in bytes: the longest statement with every character escaped, and the formats.
    private static let selectRequestLimit = 2 << 20
    /// The maximum size of records in one message in bytes; older SDKs accept messages of up to 128 KiB.
    private static let longestRecords = 127 << 10

    /// SelectObjectContent. An error before the first records is an error response; a later error ends the stream.
    func selectObjectContent(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let input = try input(SelectObjectContentInput.self)
        try refuseAnonymous("Anonymous access is forbidden for this operation")
        guard !input.hasRange else { throw S3Error(.unsupportedRangeHeader) }
        let reading = try reading(address, in: bucket)
        let stored = try reading.open(address.key, version: reading.door.version)
        if keys != nil { try await useKey(of: stored.record.properties.encryption, to: .decrypt, address.key, in: bucket) }
        try checkIsQueryable(stored.record)
        let body = try await document(upTo: Self.selectRequestLimit, try declaredBody())
        guard !body.isEmpty else { throw S3Error(.emptyRequestBody) }
        let request = try SelectContentRequest(body)
        var search: SelectSearch
        do {
            let statement = try await SelectParser.parse(request.expression, .s3(now: clock.now))
            search = try SelectSearch(statement, request.query, in: stored, range: request.range, for: call.request.client)
        } catch {
            throw S3Error(error)
        }
        try await search.searchNextChunk()
        if let refusal = search.refusal, search.isEmpty { throw S3Error(refusal) }
        var response = answer()
        response.body = Self.stream(search, showsProgress: request.showsProgress)
        return response
    }

    /// Rejects an object in a storage class that cannot be queried.
    private func checkIsQueryable(_ record: ObjectRecord) throws(S3Error) {
        let storageClass = record.attributes.storageClass.flatMap { StorageClass(rawValue: $0) }
        guard record.attributes.storageClass != "REDUCED_REDUNDANCY", storageClass?.isArchive != true else {
            throw S3Error(.unsupportedStorageClass)
        }
    }

    /// Returns the messages of a response. Each is produced after the client has received the previous ones.
    private static func stream(_ began: SelectSearch, showsProgress: Bool) -> ResponseBody {
        ResponseBody { writer in
            var search = began
            var returned: Int64 = 0
            while true {
                var found = search.takeOutput()[...]
                returned += Int64(found.count)
                if found.isEmpty, !search.isAtEnd { try await writer.write(EventStreamMessage.continue.encoded) }
                while !found.isEmpty {
                    try await writer.write(EventStreamMessage.records(found.prefix(Self.longestRecords)).encoded)
                    found = found.dropFirst(Self.longestRecords)
                }
                let details = EventStreamMessage.Details(scanned: search.scanned, processed: search.processed, returned: returned)
                if let refusal = search.refusal {
                    try await writer.write(EventStreamMessage.error(S3Error(refusal)).encoded)
                    break
                }
                if showsProgress { try await writer.write(EventStreamMessage.progress(details).encoded) }
                if search.isAtEnd {
                    try await writer.write(EventStreamMessage.stats(details).encoded)
                    try await writer.write(EventStreamMessage.end.encoded)
                    break
                }
                try await search.searchNextChunk()
            }
            try await writer.finish(nil)
        }
    }
}
