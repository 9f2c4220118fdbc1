import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

/// Requirement R127.
@Suite("Analytics of the mobile cloud")
struct AnalyticsTests {
    private static let path = "/mobile/platform/analytics/events"
    private static let start = #"{"name": "sessionStart", "type": "system", "timestamp": "2016-03-01T12:00:00.000Z"}"#

    private func send(_ mobile: MobileSandbox, _ body: String, _ fields: HTTPFields = [:]) async throws -> MobileAnswer {
        var all = HTTPFields.anonymous(try mobile.backend())
        all.append(contentsOf: fields)
        return try await mobile.send(.post, Self.path, body, fields: all)
    }

    @Test("store a batch as a whole, with the session that the header names")
    func batch() async throws {
        try await MobileSandbox.run { mobile async throws in
            let session = try #require(HTTPField.Name("Oracle-Mobile-Analytics-Session-ID"))
            let answer = try await send(
                mobile,
                """
                [{"name": "context", "type": "system", "timestamp": "2016-03-01T12:00:00Z", "properties": {"timezone": "-3600"}},
                 \(Self.start), {"name": "Sold", "timestamp": "2016-03-01T13:00:00.5+01:00", "component": "shop", "sessionID": "mine"}]
                """, [session: "s1"])
            #expect(answer.status == 202)
            #expect(answer.json == ["message": "3 events accepted for processing."])
            let kept = try mobile.cloud.mobileEvents.newest(10)
            #expect(kept.map { $0.content["name"] } == ["Sold", "sessionStart", "context"])
            #expect(kept.map { $0.content["sessionID"] } == ["mine", "s1", "s1"])
            let backend = try mobile.backend()
            #expect(kept.allSatisfy { $0.backend == backend.id })
            #expect(kept.map(\.number) == [3, 2, 1])
        }
    }

    @Test("refuse a batch with an invalid event, and name the event")
    func oneInvalid() async throws {
        try await MobileSandbox.run { mobile async throws in
            let answer = try await send(mobile, "[\(Self.start), {\"name\": \"x\"}, {\"timestamp\": \"2016-03-01T12:00:00Z\"}]")
            #expect(answer.status == 400)
            #expect(answer["detail"]?.contains("events[1]") == true)
            #expect(answer.json["o:errorDetails"]?.arrayValue?.count == 2)
            #expect(try mobile.cloud.mobileEvents.newest(10).isEmpty)
        }
    }

    @Test(
        "refuse invalid events",
        arguments: [
            start.replacing("sessionStart", with: ""), start.replacing("sessionStart", with: "begin"),
            start.replacing("system", with: "other"),
            start.replacing("T12:00:00.000Z", with: ""), start.replacing("}", with: ", \"properties\": {\"a\": 1}}"),
            start.replacing("}", with: ", \"properties\": []}"), start.replacing("}", with: ", \"component\": 1}"),
            start.replacing("}", with: ", \"sessionID\": 1}"), "1", "{}",
        ] as [String])
    func invalid(event: String) async throws {
        try await MobileSandbox.run { mobile async throws in #expect(try await send(mobile, "[\(event)]").status == 400) }
    }

    @Test("require an array, a method and an authenticated caller")
    func surroundings() async throws {
        try await MobileSandbox.run { mobile async throws in
            #expect(try await send(mobile, Self.start).status == 400)
            #expect(try await mobile.send(.post, Self.path, "[]").status == 401)
            let got = try await mobile.get(Self.path, .anonymous(try mobile.backend()))
            #expect(got.status == 405)
            #expect(got.fields[.allow]?.contains("POST") == true)
            #expect(try await mobile.get("/mobile/platform/analytics/other", .anonymous(try mobile.backend())).status == 404)
        }
    }

    @Test("keep only the newest events")
    func limit() async throws {
        try await MobileSandbox.run { mobile async throws in
            let event = MobileEvent(backend: "b", received: mobile.cloud.clock.now, content: ["name": "x"])
            try await mobile.cloud.mobileEvents.append(Array(repeating: event, count: Int(MobileEvents.limit) + 5))
            let kept = try mobile.cloud.mobileEvents.newest(Int(MobileEvents.limit) + 5)
            #expect(kept.count == Int(MobileEvents.limit))
            #expect(kept.last?.number == 6)
            try await mobile.cloud.reset()
            #expect(try mobile.cloud.mobileEvents.newest(1).isEmpty)
        }
    }
}
