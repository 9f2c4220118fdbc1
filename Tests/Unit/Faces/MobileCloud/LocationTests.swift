import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

/// Requirement R127.
@Suite("Locations of the mobile cloud")
struct LocationTests {
    private static let path = "/mobile/platform/location"
    private static let seed = """
        realms: [{name: "Default"}], backends: [{name: "app"}], locations: {
            devices: [{id: 1, name: "beacon 1", description: "At the door", protocol: "iBeacon", beacon: {iBeacon: {uuid: "u1", major: "1"}}, asset: 21},
                      {id: 2, name: "beacon 2", protocol: "altBeacon", beacon: {altBeacon: {id1: "x"}}}],
            places: [{id: 10, name: "Campus", label: "all", devices: [1], address: {gpsCircle: {latitude: 37.5, longitude: -122.26, radius: 500}}},
                     {id: 11, name: "Lobby", label: "front", description: "Where one waits", parentPlace: 10, devices: [{id: 2}],
                      address: {gpsPoint: {latitude: 37.501, longitude: -122.26}}, attributes: {hours: "9-18"}},
                     {id: 12, name: "Far store", parentPlace: 11, address: {gpsPoint: {latitude: 52.5, longitude: 13.4}}}],
            assets: [{id: 21, name: "bed", label: "b", devices: [1], createdOn: "2016-02-01"},
                     {id: 22, name: "chair", createdOn: "2016-01-01"}]}
        """

    private func query(_ mobile: MobileSandbox, _ kind: String, _ body: String) async throws -> MobileAnswer {
        try await mobile.send(.post, "\(Self.path)/\(kind)/query", body, fields: .anonymous(try mobile.backend()))
    }

    private func ids(_ answer: MobileAnswer) -> [Int64] { answer.json["items"]?.arrayValue?.compactMap { $0["id"]?.integerValue } ?? [-1] }

    @Test("are found by id and by name")
    func single() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let fields = HTTPFields.anonymous(try mobile.backend())
            let lobby = try await mobile.get("\(Self.path)/places/11", fields)
            #expect(lobby.status == 200)
            #expect(lobby["name"] == "Lobby")
            #expect(lobby.entry.operation == "getPlaceById")
            #expect(lobby.json["links"]?.arrayValue?.first == ["rel": "canonical", "href": "/mobile/platform/location/places/11"])
            let bed = try await mobile.get("\(Self.path)/assets?name=bed", fields)
            #expect(bed.status == 200)
            #expect(bed.json["id"] == 21)
            #expect(bed.entry.operation == "getAssetByName")
            #expect(try await mobile.get("\(Self.path)/devices/1", fields).json["protocol"] == "iBeacon")
            for missing in ["places/1", "places/x", "assets?name=Bed", "rooms/1", "places/11/devices"] {
                #expect(try await mobile.get("\(Self.path)/\(missing)", fields).status == 404, "\(missing)")
            }
            #expect(try await mobile.get("\(Self.path)/places", fields).status == 400)
            #expect(try await mobile.get("\(Self.path)/places/11").status == 401)
            #expect(try await mobile.get("\(Self.path)/places/query", fields).status == 405)
        }
    }

    @Test(
        "are found by queries",
        arguments: [
            ("places", "", [10, 11, 12]), ("places", "{}", [10, 11, 12]), ("places", #"{"name": "LOB"}"#, [11]),
            ("places", #"{"description": "waits"}"#, [11]), ("places", #"{"label": "f"}"#, [11]), ("places", #"{"search": "store"}"#, [12]),
            ("places", #"{"attributes": {"hours": "9-18"}}"#, [11]), ("places", #"{"attributes": {"hours": "9"}}"#, []),
            ("places", #"{"places": [12, 10]}"#, [10, 12]), ("places", #"{"directDescendantOf": 10}"#, [11]),
            ("places", #"{"inGeoFence": {"gpsCircle": {"latitude": 37.5, "longitude": -122.26, "radius": 120}}}"#, [10, 11]),
            ("places", #"{"inGeoFence": {"gpsCircle": {"latitude": 37.5, "longitude": -122.26, "radius": 100}}}"#, [10]),
            ("places", #"{"nearestTo": {"gpsPoint": {"latitude": 50, "longitude": 10}}}"#, [12]),
            ("places", #"{"orderBy": "name:desc"}"#, [11, 12, 10]), ("assets", #"{"orderBy": "createdOn:asc"}"#, [22, 21]),
            ("places", #"{"limit": 1, "offset": 1}"#, [11]), ("places", #"{"limit": 0}"#, []), ("places", #"{"offset": 7}"#, []),
            ("assets", #"{"associatedDeviceId": 1}"#, [21]), ("devices", #"{"associatedAssetId": 21}"#, [1]),
            ("devices", #"{"protocol": "altBeacon"}"#, [2]), ("devices", #"{"iBeacon_uuid": "u1", "iBeacon_major": "1"}"#, [1]),
            ("devices", #"{"altBeacon_id1": "y"}"#, []), ("devices", #"{"description": "door"}"#, [1]),
        ] as [(String, String, [Int64])])
    func queries(kind: String, body: String, found: [Int64]) async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let answer = try await query(mobile, kind, body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(ids(answer) == found, "\(answer.text)")
        }
    }

    @Test("are returned in pages, short or long, with the devices below a place")
    func presentation() async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in
            let page = try await query(mobile, "places", #"{"limit": 2, "format": "short"}"#)
            #expect(page.json["hasMore"] == true)
            #expect(page.json["count"] == 2)
            #expect(page.json["totalResults"] == 3)
            #expect(page.json["limit"] == 2)
            let campus = try #require(page.json["items"]?.arrayValue?.first?.objectValue)
            #expect(Set(campus.names) == ["id", "name", "label", "links"])
            #expect(try await query(mobile, "places", #"{"limit": 1000}"#).json["limit"] == 100)
            #expect(try await query(mobile, "places", "").json["limit"] == 40)
            let below = try await query(mobile, "places", #"{"places": [10], "descendantDevices": true}"#)
            let devices = below.json["items"]?.arrayValue?.first?["descendantDevices"]?.arrayValue
            #expect(devices?.map { $0["id"] } == [1, 2])
            #expect(devices?.first?["beacon"] == nil)
        }
    }

    @Test(
        "refuse invalid queries",
        arguments: [
            ("places", "[]"), ("places", #"{"protocol": "x"}"#), ("places", #"{"colour": "x"}"#), ("places", #"{"limit": -1}"#),
            ("places", #"{"format": "medium"}"#), ("places", #"{"orderBy": "size"}"#), ("places", #"{"orderBy": "name:up"}"#),
            ("places", #"{"inGeoFence": {"gpsCircle": {"latitude": 37.5, "longitude": 200, "radius": 1}}}"#),
            ("places", #"{"inGeoFence": 1}"#),
            ("places", #"{"inGeoFence": {"gpsCircle": {"latitude": 37.5, "longitude": 20}}}"#), ("places", #"{"nearestTo": {}}"#),
            ("places", #"{"directDescendantOf": 10, "name": "x"}"#), ("devices", #"{"iBeacon_id1": "x"}"#),
            ("devices", #"{"places": [1]}"#),
            ("assets", #"{"assets": 21}"#), ("assets", #"{"name": 21}"#),
        ])
    func refusals(kind: String, body: String) async throws {
        try await MobileSandbox.run(Self.seed) { mobile async throws in #expect(try await query(mobile, kind, body).status == 400) }
    }

    @Test("have correct distances")
    func distance() {
        let (paris, london) = (GeoPoint(latitude: 48.8566, longitude: 2.3522), GeoPoint(latitude: 51.5074, longitude: -0.1278))
        #expect((343_000...344_500).contains(paris.distance(to: london)))
        #expect(paris.distance(to: paris) == 0)
    }
}
