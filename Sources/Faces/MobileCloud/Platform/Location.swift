import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/platform/location/…`: returns location devices, places and assets. Every caller may use it.
/// (REST API for Oracle Mobile Cloud Service, "Location".)
struct Location {
    let call: MobileCall

    private static let bodyLimit = 64 << 10

    func respond() async throws -> Response {
        guard let kind = call.path.dropFirst(3).first.flatMap({ LocationKind(rawValue: $0) }), call.path.count <= 5 else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.path.last != "query" || call.path.count != 5 else {
            guard call.method == .post else { throw MobileError.methodNotAllowed(.post) }
            return try await query(kind)
        }
        guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
        guard call.path.count == 5 else { return try await named(kind) }
        _ = try await call.enter(authenticating: kind.operation("ById"))
        guard let id = Int64(digits: call.path[4]), let entry = entries(kind).first(where: { $0["id"]?.integerValue == id }) else {
            throw MobileError(.unknownResource, "There is no \(kind.one) with the id \(call.path[4]).")
        }
        return .json(.object(entry.addingLinks(kind)))
    }

    private func named(_ kind: LocationKind) async throws -> Response {
        _ = try await call.enter(authenticating: kind.operation("ByName"))
        guard let name = call.query["name"], !name.isEmpty else {
            throw MobileError(.malformedRequest, "Add ?name=…, or POST a query to \(call.http.path)/query.")
        }
        guard let entry = entries(kind).first(where: { $0["name"]?.stringValue == name }) else {
            throw MobileError(.unknownResource, "There is no \(kind.one) with the name '\(name)'.")
        }
        return .json(.object(entry.addingLinks(kind)))
    }

    private func query(_ kind: LocationKind) async throws -> Response {
        _ = try await call.enter(authenticating: kind.operation("Query"))
        let body = try await call.json(upTo: Self.bodyLimit)
        guard let members = body == .null ? [:] : body.objectValue else {
            throw MobileError(.malformedRequest, "The body must be an object of query parameters.")
        }
        let query = try LocationQuery(members, of: kind)
        let found = query.matches(in: entries(kind), of: call.mobile.environment.locations)
        let page = found.dropFirst(query.offset).prefix(query.limit)
        return .json([
            "items": .array(page.map { .object(query.shown($0, of: call.mobile.environment.locations).addingLinks(kind)) }),
            "count": .integer(Int64(page.count)), "hasMore": .bool(query.offset + page.count < found.count),
            "limit": .integer(Int64(query.limit)), "offset": .integer(Int64(query.offset)),
            "totalResults": .integer(Int64(found.count)),
        ])
    }

    private func entries(_ kind: LocationKind) -> [JSONObject] { call.mobile.environment.locations[kind] }
}

/// The kinds of entries in the Location API.
enum LocationKind: String {
    case devices, places, assets

    var one: String { String(rawValue.dropLast()) }

    /// Returns the operation's name in the journal, such as `getPlaceById`.
    func operation(_ way: String) -> String { (way == "Query" ? "query" : "get") + one.prefix(1).uppercased() + one.dropFirst() + way }
}

extension MobileLocations {
    subscript(kind: LocationKind) -> [JSONObject] {
        switch kind {
        case .devices: devices
        case .places: places
        case .assets: assets
        }
    }
}

extension JSONObject {
    /// Returns the entry with links to itself, unless it has its own links.
    fileprivate func addingLinks(_ kind: LocationKind) -> JSONObject {
        guard self["links"] == nil, let id = self["id"]?.integerValue else { return self }
        let path = JSONValue.string("/mobile/platform/location/\(kind.rawValue)/\(id)")
        var entry = self
        entry["links"] = [["rel": "canonical", "href": path], ["rel": "self", "href": path]]
        return entry
    }
}
