import Calls
import ControlDocuments
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The description of the cloud, for pages")
struct CloudInfoTests {
    private static let info = CloudInfo([
        "clock": [
            "now": "2026-01-01T02:00:00.000Z", "mode": "running",
            "ages": [["declared": "2026-01-01T01:00:00Z", "age": "PT3900S"], ["declared": "2026-01-01T01:30:00Z", "age": "PT60S"]],
        ]
    ])

    @Test(
        "adds the ages that credentials got since they were received",
        arguments: [
            ("2026-01-01T00:59:59Z", 3_960), ("2026-01-01T01:00:00.5Z", 3_960), ("2026-01-01T01:10:00Z", 60), ("2026-01-01T01:40:00Z", 0),
        ] as [(String, Int64)])
    func ages(received: String, seconds: Int64) throws {
        let time = try #require(Timestamp(iso8601: received))
        #expect(Self.info.age(since: time.milliseconds) == seconds * 1000)
    }

    @Test("shows how long an aged token is still valid")
    func agedToken() throws {
        let issued = try #require(Timestamp(iso8601: "2026-01-01T00:30:00Z")).seconds
        let claims: JSONValue = ["iat": .integer(issued), "exp": .integer(issued + 12_600)]
        let view = InspectionView(
            inspection: Document(["kind": "jwt", "decoded": ["header": [:], "claims": claims]]), info: Self.info)
        // Two hours by its claim, less 66 minutes.
        #expect(view.decoded.text.contains("2026-01-01T04:00:00Z, in 54 min"))
    }

    @Test("writes ages in words")
    func words() {
        #expect(Self.info.timeDescription == "What was issued before is older by 1 h 5 min, 1 min.")
    }
}
