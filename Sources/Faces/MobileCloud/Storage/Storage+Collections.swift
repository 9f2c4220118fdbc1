import Calls
import Cloud
import Directory
import HTTPTypes
import ObjectStore
import WireFormats

extension Storage {
    /// Handles GET `collections`, for logged-in users.
    func listCollections() async throws -> Response {
        try Self.checkLogin(of: try await call.enter(authenticating: "getCollections"))
        try checkAccepts("application/json")
        let page = try StoragePage(self)
        // A collection whose bucket was deleted no longer exists.
        let collections = call.mobile.environment.collections.filter { call.cloud.objects.bucket(named: $0.bucket) != nil }
        var items: [JSONObject] = []
        for collection in collections.dropFirst(page.offset).prefix(page.limit) { items.append(try await json(of: collection)) }
        return .json(
            page.json(
                items, hasMore: page.offset + items.count < collections.count, total: collections.count, path: Self.collectionsPath),
            headers: syncFields("collection"))
    }

    /// Handles GET `collections/{collection}`, for logged-in users.
    func describe(_ request: CollectionCall) async throws -> Response {
        try checkAccepts("application/json")
        guard request.user == nil else {
            throw MobileError(.malformedRequest, "The query parameter user is allowed only for the objects of a collection.")
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

    /// Rejects callers that are not mobile users. The anonymous key can neither list collections nor read their descriptions.
    static func checkLogin(of caller: MobileCaller) throws(MobileError) {
        switch caller.identity {
        case .user, .virtual: break
        case .anonymous: throw MobileError(.notAuthenticated, "Collections are for users who have logged in.")
        case .social: throw MobileError(.forbidden, "Collections are for users with roles, which social users do not have.")
        }
    }

    /// The entity tag of a collection's description, which is its version.
    private static let collectionTag = "\"1.0\""

    private static func covers(_ tags: String) -> Bool {
        let known = ["*", collectionTag, "W/\(collectionTag)"]
        return tags.split(separator: ",").contains { known.contains(String($0.trimmedOfBlanks)) }
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
