import Calls
import Cloud
import Directory
import HTTPTypes
import ObjectStore
import WireFormats

extension Storage {
    /// Handles GET `collections/{collection}/objects`.
    func list(_ request: CollectionCall) async throws -> Response {
        try checkAccepts("application/json")
        let space = try request.access.space(.read, user: request.user, isListing: true)
        try await checkExists(space, in: request)
        let page = try StoragePage(self)
        let filter = try parameter("q")
        let order = try ObjectOrder(try parameter("orderBy"))
        let own = try? request.access.ownID()
        let found = try await find(space, in: request.bucket, own: own, page: page, filter: filter.map(PartialMatch.init), order: order)
        let collection = request.collection.id
        let filters = [("user", request.user), ("q", filter), ("orderBy", try parameter("orderBy"))]
        return .json(
            page.json(
                found.items.map { $0.json(in: collection, clock: call.cloud.clock) }, hasMore: found.hasMore, total: found.count,
                path: "\(Self.collectionsPath)/\(percentEncoded(collection))/objects",
                filters: filters.compactMap { name, value in value.map { (name, $0) } }),
            headers: syncFields("collection"))
    }

    /// The state of a walk over the objects.
    private struct Walk: Sendable {
        var items: [StoredItem] = []
        /// The number of matching objects counted so far.
        var count = 0
        var hasMore = false
    }

    private func find(
        _ space: StorageSpace, in bucket: Bucket, own: String?, page: StoragePage, filter: PartialMatch?, order: ObjectOrder?
    ) async throws -> Walk {
        let (offset, end, countsAll) = (page.offset, page.offset + page.limit, page.countsAll)
        let prefixLength = space.prefix.utf8.count
        let isSorted = order != nil
        do {
            var found = try await call.cloud.objects.walk(space.prefix, in: bucket.id, into: Walk()) { found, record in
                let item: StoredItem
                if case .of(let user) = space {
                    let id = String(decoding: record.key.utf8.dropFirst(prefixLength), as: UTF8.self)
                    guard !id.isEmpty else { return true }
                    item = StoredItem(record, id: id, user: user, isOwn: user == own)
                } else {
                    guard let (id, user) = space.identify(record.key) else { return true }
                    item = StoredItem(record, id: id, user: user, isOwn: user == nil || user == own)
                }
                if let filter, !filter.matches(item) { return true }
                if isSorted || offset..<end ~= found.count { found.items.append(item) }
                if found.count >= end { found.hasMore = true }
                found.count += 1
                // Without an order, the page is complete as soon as one more object is found.
                return isSorted || countsAll || !found.hasMore
            }
            if let order {
                let sorted = order.sorted(found.items)
                found.items = Array(sorted.dropFirst(offset).prefix(page.limit))
            }
            return found
        } catch {
            throw Self.error(error)
        }
    }

    /// Rejects the ID of a user who does not exist in the realm and has no objects.
    func checkExists(_ space: StorageSpace, in request: CollectionCall) async throws {
        guard case .of(let user) = space, user != (try? request.access.ownID()) else { return }
        if call.mobile.realms[request.caller.backend.realm]?.users.contains(where: { $0.id == user }) == true { return }
        let hasObjects: Bool
        do {
            hasObjects = try await call.cloud.objects.walk(space.prefix, in: request.bucket.id, into: false) { found, _ in
                found = true
                return false
            }
        } catch {
            throw Self.error(error)
        }
        guard hasObjects else { throw MobileError(.malformedRequest, "There is no user with the id '\(user)'.") }
    }
}

/// A case-insensitive substring filter; `%` matches any text between two parts.
private struct PartialMatch: Sendable {
    private let parts: [String]

    init(_ text: String) { parts = text.lowercased().split(separator: "%").map(String.init) }

    /// Returns whether the object's ID, name, creator or last modifier matches.
    func matches(_ item: StoredItem) -> Bool {
        [item.id, item.description.name, item.description.createdBy, item.description.modifiedBy].contains { text in
            var rest = Substring(text.lowercased())
            return parts.allSatisfy { part in
                guard let place = rest.firstRange(of: part) else { return false }
                rest = rest[place.upperBound...]
                return true
            }
        }
    }
}

/// The sort order of a list of objects, such as `modifiedOn:desc`.
private struct ObjectOrder: Sendable {
    private enum Attribute: String, CaseIterable {
        case id, name, contentLength, contentType, createdBy, createdOn, modifiedBy, modifiedOn
    }

    private let attribute: Attribute
    private let isAscending: Bool

    /// - Throws: ``MobileError`` for a text that is not an order.
    init?(_ text: String?) throws(MobileError) {
        guard let text else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let attribute = Attribute(rawValue: String(parts[0])),
            parts.count == 1 || parts[1] == "asc" || parts[1] == "desc"
        else {
            let names = Attribute.allCases.map(\.rawValue).joined(separator: ", ")
            throw MobileError(.malformedRequest, "The query parameter 'orderBy' must be one of \(names), with :asc or :desc.")
        }
        self.attribute = attribute
        isAscending = parts.last != "desc"
    }

    func sorted(_ items: [StoredItem]) -> [StoredItem] {
        func sorted<Key: Comparable>(_ key: (StoredItem) -> Key) -> [StoredItem] {
            isAscending ? items.sorted { key($0) < key($1) } : items.sorted { key($1) < key($0) }
        }
        return switch attribute {
        case .id: sorted(\.id)
        case .name: sorted(\.description.name)
        case .contentLength: sorted(\.record.size)
        case .contentType: sorted(\.contentType)
        case .createdBy: sorted(\.description.createdBy)
        case .createdOn: sorted(\.description.createdOn)
        case .modifiedBy: sorted(\.description.modifiedBy)
        case .modifiedOn: sorted(\.record.modified)
        }
    }
}
