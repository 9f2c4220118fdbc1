import Calls
import Cloud
import Directory
import HTTPTypes
import ObjectStore
import WireFormats

extension Storage {
    /// GET `collections`, for users who have logged in.
    func listCollections() async throws -> Response {
        try Self.checkLogin(of: try await call.enter(authenticating: "getCollections"))
        try checkAccepts("application/json")
        let page = try StoragePage(self)
        // One whose bucket was deleted is not there any more.
        let collections = call.mobile.environment.collections.filter { call.cloud.objects.bucket(named: $0.bucket) != nil }
        var items: [JSONObject] = []
        for collection in collections.dropFirst(page.offset).prefix(page.limit) { items.append(try await json(of: collection)) }
        return .json(
            page.json(
                items, hasMore: page.offset + items.count < collections.count, total: collections.count, path: Self.collectionsPath),
            headers: syncFields("collection"))
    }

    /// GET `collections/{collection}`, for users who have logged in.
    func describe(_ request: CollectionCall) async throws -> Response {
        try checkAccepts("application/json")
        guard request.user == nil else {
            throw MobileError(.malformedRequest, "The query parameter user is for the objects of a collection.")
        }
        let headers = call.http.headers
        if let tags = headers.value(of: .ifMatch), !Self.covers(tags) {
            throw MobileError(.preconditionFailed, "The collection's ETag is \(Self.collectionTag), which 'If-Match' does not name.")
        }
        if let tags = headers.value(of: .ifNoneMatch), Self.covers(tags) {
            return Response(status: .notModified, headers: [.eTag: Self.collectionTag])
        }
        var fields = syncFields("item")
        fields[.eTag] = Self.collectionTag
        return .json(.object(try await json(of: request.collection)), headers: fields)
    }

    /// Refuses callers who are no users of the mobile cloud: the anonymous key neither lists collections nor reads what describes them.
    static func checkLogin(of caller: MobileCaller) throws(MobileError) {
        switch caller.identity {
        case .user, .virtual: break
        case .anonymous: throw MobileError(.notAuthenticated, "Collections are for users who have logged in.")
        case .social: throw MobileError(.forbidden, "Collections are for users with roles, which social users do not have.")
        }
    }

    /// That of a collection's description, which is its version.
    private static let collectionTag = "\"1.0\""

    private static func covers(_ tags: String) -> Bool {
        tags.split(separator: ",").map(\.trimmedOfBlanks).contains { $0 == "*" || $0 == collectionTag || $0 == "W/\(collectionTag)" }
    }

    private func json(of collection: StorageCollection) async throws -> JSONObject {
        let path = JSONValue.string("\(Self.collectionsPath)/\(percentEncoded(collection.id))")
        var size: Int64 = 0
        if let bucket = call.cloud.objects.bucket(named: collection.bucket) { size = try await call.cloud.objects.totalSize(of: bucket.id) }
        return [
            "id": .string(collection.id), "description": .string(collection.description), "contentLength": .integer(size),
            "eTag": .string(Self.collectionTag), "userIsolated": .bool(collection.isUserIsolated),
            "links": [["rel": "canonical", "href": path], ["rel": "self", "href": path]],
        ]
    }
}
