import Cloud
import Directory
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A query of the Location API. (REST API for Oracle Mobile Cloud Service, "Return Places by Query" and its siblings.)
struct LocationQuery {
    private static let mostItems = 100
    private static let usualItems = 40

    private let kind: LocationKind
    private(set) var limit = Self.usualItems
    private(set) var offset = 0
    private var isShort = false
    private var showsDescendantDevices = false
    private var order: (attribute: String, isAscending: Bool)?
    /// The filters, all of which an entry must match.
    private var filters: [@Sendable (JSONObject) -> Bool] = []
    /// The point to which the nearest place is returned.
    private var nearest: GeoPoint?

    /// - Throws: ``MobileError`` for a parameter that the kind does not have, or with an invalid value.
    init(_ members: JSONObject, of kind: LocationKind) throws(MobileError) {
        self.kind = kind
        for (name, value) in members.members { try read(name, value) }
        let alone = ["associatedAssetId", "associatedDeviceId", "directDescendantOf"]
        if let name = members.names.first(where: alone.contains), !Set(members.names).subtracting([name]).isSubset(of: Self.presentation) {
            throw MobileError(.malformedRequest, "'\(name)' cannot be combined with other filters.")
        }
    }

    /// The parameters that control the presentation of the result and do not filter it.
    private static let presentation: Set<String> = ["limit", "offset", "format", "orderBy", "descendantDevices"]

    private mutating func read(_ name: String, _ value: JSONValue) throws(MobileError) {
        switch (name, kind) {
        case ("limit", _): limit = min(try Self.count(value, name), Self.mostItems)
        case ("offset", _): offset = try Self.count(value, name)
        case ("format", _):
            guard value == "short" || value == "long" else { throw Self.malformed(name, "short or long") }
            isShort = value == "short"
        case ("orderBy", _): order = try Self.order(value)
        case ("name", _), ("description", _), ("label", .places), ("label", .assets): try addText(name, value)
        case ("search", _):
            let text = try Self.text(value, name).lowercased()
            filters.append { entry in
                ["name", "description", "label"].contains { entry[$0]?.stringValue?.lowercased().contains(text) == true }
            }
        case ("attributes", _):
            guard let attributes = value.objectValue else { throw Self.malformed(name, "an object") }
            filters.append { entry in attributes.members.allSatisfy { entry["attributes"]?[$0.name] == $0.value } }
        case ("places", .places), ("assets", .assets), ("devices", .devices): try addIDs(name, value)
        case ("protocol", .devices): try addExact("protocol", at: ["beacon"], name, value)
        case ("associatedAssetId", .devices), ("associatedDeviceId", .assets): try addAssociation(name, value)
        case ("directDescendantOf", .places):
            let id = try Self.id(value, name)
            filters.append { $0["parentPlace"]?.integerValue == id }
        case ("descendantDevices", .places):
            guard let flag = value.boolValue else { throw Self.malformed(name, "true or false") }
            showsDescendantDevices = flag
        case ("inGeoFence", .places): try addFence(value)
        case ("nearestTo", .places): nearest = try GeoPoint(value["gpsPoint"], in: "nearestTo.gpsPoint")
        default:
            let parts = name.split(separator: "_")
            guard kind == .devices, parts.count == 2, Self.beacons[String(parts[0])]?.contains(String(parts[1])) == true else {
                throw MobileError(.malformedRequest, "A query of \(kind.rawValue) has no parameter '\(name)'.")
            }
            try addExact(String(parts[1]), at: ["beacon", String(parts[0])], name, value)
        }
    }

    /// The properties of a beacon that can be queried, by protocol: `iBeacon_uuid`.
    private static let beacons: [String: Set<String>] = [
        "altBeacon": ["id1", "id2", "id3"], "eddystone": ["namespace", "instance", "url"], "iBeacon": ["uuid", "major", "minor"],
    ]

    /// Adds a filter for a case-insensitive substring.
    private mutating func addText(_ name: String, _ value: JSONValue) throws(MobileError) {
        let text = try Self.text(value, name).lowercased()
        filters.append { $0[name]?.stringValue?.lowercased().contains(text) == true }
    }

    /// Adds a filter for an exact string, in an object of the entry or in the entry itself.
    private mutating func addExact(_ member: String, at path: [String], _ name: String, _ value: JSONValue) throws(MobileError) {
        let text = try Self.text(value, name)
        filters.append { entry in
            let inner = path.reduce(JSONValue.object(entry)) { $0[$1] ?? .null }
            return inner[member]?.stringValue == text || entry[member]?.stringValue == text
        }
    }

    private mutating func addIDs(_ name: String, _ value: JSONValue) throws(MobileError) {
        guard let ids = value.arrayValue, ids.allSatisfy({ $0.integerValue != nil }) else { throw Self.malformed(name, "a list of ids") }
        filters.append { entry in entry["id"].map(ids.contains) == true }
    }

    private mutating func addAssociation(_ name: String, _ value: JSONValue) throws(MobileError) {
        let id = try Self.id(value, name)
        if kind == .assets {
            filters.append { $0.deviceIDs.contains(id) }
        } else {
            filters.append { $0["asset"]?.integerValue == id || $0["asset"]?["id"]?.integerValue == id }
        }
    }

    private mutating func addFence(_ value: JSONValue) throws(MobileError) {
        let circle = value["gpsCircle"]
        let center = try GeoPoint(circle, in: "inGeoFence.gpsCircle")
        guard let radius = circle?["radius"]?.numberValue, radius >= 0 else {
            throw Self.malformed("inGeoFence.gpsCircle.radius", "a number of metres")
        }
        filters.append { entry in entry.position.map { $0.distance(to: center) <= radius } == true }
    }

    /// Returns the matching entries in the requested order.
    func matches(in entries: [JSONObject], of locations: MobileLocations) -> [JSONObject] {
        var found = entries.filter { entry in filters.allSatisfy { $0(entry) } }
        if let nearest {
            // Only the nearest place is returned.
            let placed = found.compactMap { entry in entry.position.map { (entry: entry, distance: $0.distance(to: nearest)) } }
            found = placed.min { $0.distance < $1.distance }.map { [$0.entry] } ?? []
        }
        guard let (attribute, isAscending) = order else { return found }
        return found.sorted { left, right in
            let (first, second) = isAscending ? (left, right) : (right, left)
            return (first[attribute] ?? .null).comes(before: second[attribute] ?? .null)
        }
    }

    /// Returns the part of an entry that the query asks for.
    func shown(_ entry: JSONObject, of locations: MobileLocations) -> JSONObject {
        var shown = entry
        if showsDescendantDevices {
            shown["descendantDevices"] = .array(locations.devices(below: entry).map { .object($0.short(.devices)) })
        }
        return isShort ? shown.short(kind, also: "descendantDevices") : shown
    }

    private static func malformed(_ name: String, _ expected: String) -> MobileError {
        MobileError(.malformedRequest, "'\(name)' must be \(expected).")
    }

    private static func text(_ value: JSONValue, _ name: String) throws(MobileError) -> String {
        guard let text = value.stringValue else { throw malformed(name, "a string") }
        return text
    }

    private static func id(_ value: JSONValue, _ name: String) throws(MobileError) -> Int64 {
        guard let id = value.integerValue else { throw malformed(name, "an id") }
        return id
    }

    private static func count(_ value: JSONValue, _ name: String) throws(MobileError) -> Int {
        guard let count = value.integerValue.flatMap({ Int(exactly: $0) }), count >= 0 else {
            throw malformed(name, "a whole number from 0 on")
        }
        return count
    }

    /// Parses an order such as `name:asc`.
    private static func order(_ value: JSONValue) throws(MobileError) -> (String, Bool) {
        let known = ["id", "name", "description", "label", "createdOn", "createdBy", "modifiedOn", "modifiedBy"]
        let parts = value.stringValue?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        guard (1...2).contains(parts.count), known.contains(parts[0]), parts.count == 1 || ["asc", "desc"].contains(parts[1]) else {
            throw malformed("orderBy", "one of \(known.joined(separator: ", ")), with :asc or :desc")
        }
        return (parts[0], parts.last != "desc")
    }
}

/// A point on the earth's surface.
struct GeoPoint: Hashable, Sendable {
    /// In degrees.
    var latitude: Double
    var longitude: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// - Throws: ``MobileError`` if the value is not a point.
    init(_ value: JSONValue?, in place: String) throws(MobileError) {
        guard let latitude = value?["latitude"]?.numberValue, let longitude = value?["longitude"]?.numberValue,
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { throw MobileError(.malformedRequest, "'\(place)' must have a latitude and a longitude.") }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Returns the great-circle distance in meters on a sphere of the earth's mean radius (the haversine formula).
    func distance(to other: GeoPoint) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let (height, width) = (radians(other.latitude - latitude) / 2, radians(other.longitude - longitude) / 2)
        let square = sin(height) * sin(height) + cos(radians(latitude)) * cos(radians(other.latitude)) * sin(width) * sin(width)
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}

extension JSONObject {
    /// The position of a place: its point, the center of its circle, or the mean of its polygon's vertices.
    fileprivate var position: GeoPoint? {
        let address = self["address"]
        if let point = try? GeoPoint(address?["gpsPoint"] ?? address?["gpsCircle"], in: "") { return point }
        let corners = address?["gpsPolygon"]?["vertices"]?.arrayValue?.compactMap { try? GeoPoint($0, in: "") } ?? []
        guard !corners.isEmpty else { return nil }
        let count = Double(corners.count)
        return GeoPoint(
            latitude: corners.reduce(0) { $0 + $1.latitude } / count, longitude: corners.reduce(0) { $0 + $1.longitude } / count)
    }

    /// The IDs of the devices of a place or an asset. Devices are listed by ID or as objects.
    fileprivate var deviceIDs: [Int64] { self["devices"]?.arrayValue?.compactMap { $0.integerValue ?? $0["id"]?.integerValue } ?? [] }

    /// Returns the short format, which has only some of the properties.
    fileprivate func short(_ kind: LocationKind, also further: String? = nil) -> JSONObject {
        let names =
            switch kind {
            case .devices: ["id", "name", "description", "protocol"]
            case .places: ["id", "name", "description", "children", "label"]
            case .assets: ["id", "name", "description", "label"]
            }
        return JSONObject(members.filter { names.contains($0.name) || $0.name == further }.map { ($0.name, $0.value) })
    }
}

extension MobileLocations {
    /// Returns the devices of a place and of all places below it.
    fileprivate func devices(below place: JSONObject) -> [JSONObject] {
        var ids = Set(place.deviceIDs)
        var reached: Set<Int64> = []
        var next = [place["id"]?.integerValue].compactMap(\.self)
        while let id = next.popLast() {
            guard reached.insert(id).inserted else { continue }
            for child in places where child["parentPlace"]?.integerValue == id {
                ids.formUnion(child.deviceIDs)
                if let id = child["id"]?.integerValue { next.append(id) }
            }
        }
        return devices.filter { $0["id"]?.integerValue.map(ids.contains) == true }
    }
}

extension JSONValue {
    /// Compares numbers by value and strings in lexical order; missing values come first.
    fileprivate func comes(before other: JSONValue) -> Bool {
        if let left = numberValue, let right = other.numberValue { return left < right }
        if let left = stringValue, let right = other.stringValue { return left < right }
        return self == .null && other != .null
    }
}
