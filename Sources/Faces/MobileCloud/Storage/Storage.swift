import Calls
import Cloud
import Directory
import HTTPTypes
import ObjectStore
import WireFormats

/// `/mobile/platform/storage/…`: collections of objects, which are stored in buckets of the object store.
/// (REST API for Oracle Mobile Cloud Service, "Storage"; Using Oracle Mobile Cloud Service, "Storage".)
struct Storage {
    let call: MobileCall

    static let collectionsPath = "/mobile/platform/storage/collections"

    func respond() async throws -> Response {
        let path = call.path
        guard path.count >= 4, path[3] == "collections", path.count <= 5 || path[5] == "objects" else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        switch path.count {
        case 4:
            guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
            return try await listCollections()
        case 5:
            guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
            return try await describe(try await request("getCollection", .describe, check: Self.checkLogin))
        case 6:
            switch call.method {
            case .get: return try await list(try await request("getObjects", .list))
            case .post: return try await store(RequestID().uuid, in: try await request("storeObject", .write), isNew: true)
            default: throw MobileError.methodNotAllowed(.get, .post)
            }
        case 7:
            switch call.method {
            case .get: return try await read(path[6], in: try await request("getObject", call.http.method == .head ? .head : .read))
            case .put: return try await store(path[6], in: try await request("storeObjectById", .write), isNew: false)
            case .delete: return try await remove(path[6], in: try await request("removeObject", .delete))
            default: throw MobileError.methodNotAllowed(.get, .put, .delete)
            }
        default: throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
    }

    /// A request for one collection.
    struct CollectionCall: Sendable {
        var caller: MobileCaller
        var collection: StorageCollection
        var bucket: Bucket
        var access: CollectionAccess
        /// The query parameter `user`.
        var user: String?
    }

    /// - Parameters:
    ///   - access: what the call does in the collection's bucket.
    ///   - check: rejects callers before the collection is looked up.
    private func request(
        _ operation: String, _ access: ObjectAccess.Kind, check: (MobileCaller) throws(MobileError) -> Void = { _ in }
    ) async throws -> CollectionCall {
        let caller = try await call.enter(authenticating: operation)
        try check(caller)
        let environment = call.mobile.environment
        guard let collection = environment.collections.first(where: { $0.id == call.path[4] }),
            let bucket = call.cloud.objects.bucket(named: collection.bucket)
        else { throw MobileError(.unknownResource, "There is no collection '\(call.path[4])'.") }
        // The collection's identifier of the object stands for its key until that is known.
        call.http.note(access: ObjectAccess(access, bucket: bucket.name, key: call.path.count > 6 ? call.path[6] : nil))
        return CollectionCall(
            caller: caller, collection: collection, bucket: bucket,
            access: CollectionAccess(collection, caller: caller, policies: environment.policies, call: call.http),
            user: try parameter("user"))
    }

    /// Returns the value of a query parameter. Clients may send a literal percent sign, so invalid escapes are kept.
    /// - Throws: ``MobileError`` for an empty value.
    func parameter(_ name: String) throws(MobileError) -> String? {
        guard let item = RawQuery(call.http.query)[name] else { return nil }
        let value = item.decodedValue ?? String(item.value ?? "")
        guard !value.isEmpty else { throw MobileError(.malformedRequest, "The query parameter '\(name)' must have a value.") }
        return value
    }

    /// - Throws: ``MobileError`` if the client does not accept the type.
    func checkAccepts(_ type: String) throws(MobileError) {
        guard AcceptedTypes(call.http.headers.value(of: .accept)).contain(type) else {
            throw MobileError(.notAcceptable, "The media type is \(type), which 'Accept' does not cover.")
        }
    }

    /// Returns the header that names the type of the resource to a client that synchronizes.
    func syncFields(_ kind: String) -> HTTPFields {
        let asks = call.http.headers.value(of: .syncAgent)?.lowercased() == "true"
        return asks ? [.syncResourceType: kind] : [:]
    }

    /// Returns the API error for an error of the object store.
    static func error(_ error: ObjectStoreError) -> any Error {
        switch error {
        case .noSuchBucket: MobileError(.unknownResource, "The collection's bucket does not exist any more.")
        case .preconditionFailed, .noSuchKey, .isDeleteMarker:
            MobileError(.conflict, "Another request has changed the object at the same time.")
        case .locked: locked
        case .overwritingForbidden: MobileError(.forbidden, "A rule of the collection's bucket forbids overwriting the object.")
        case .bodyTooLarge: MobileError(.bodyTooLarge, "An object may have at most \(largestObject) bytes.")
        case .bucketExists, .bucketNotEmpty, .noSuchUpload, .invalidPart, .invalidPartOrder, .partTooSmall, .notAppendable, .sealed,
            .wrongPosition, .bodyDiscarded, .storage, .closed:
            error
        }
    }

    static let locked = MobileError(.forbidden, "The object is locked.")

    /// The largest object in bytes.
    static let largestObject: Int64 = 2_147_483_647
}
