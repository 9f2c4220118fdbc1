import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("The clock in the control API")
struct ClockCallTests {
    @Test("returns its time, its mode and its agings")
    func telling() async throws {
        try await ControlSandbox.run { control async throws in
            let running = try await control.send(.get, "/clock")
            #expect(running.json["mode"] == "running")
            #expect(running.json["ages"] == [])
            _ = try await control.send(.post, "/clock", "{\"freeze\":\"2030-01-01T00:00:00Z\"}")
            let aged = try await control.send(.post, "/clock", "{\"age\":\"PT1H\"}")
            #expect(aged.json["status"] == "ok")
            #expect(aged.json["mode"] == "frozen")
            #expect(aged.json["now"] == "2030-01-01T00:00:01.000Z")
            #expect(aged.json["ages"] == [["declared": "2030-01-01T00:00:00Z", "age": "PT3600S"]])
            #expect(try await control.send(.post, "/clock", "{\"set\":\"2030-01-01T00:00:00+01:00\"}").json["mode"] == "set")
            #expect(try await control.send(.post, "/clock", "{\"resume\":true}").json["mode"] == "running")
            #expect(try await control.send(.post, "/clock", "{\"freeze\":true}").json["mode"] == "frozen")
        }
    }

    @Test(
        "is changed in one way at a time, to valid dates",
        arguments: [
            ("{\"freeze\":true,\"age\":\"PT1H\"}", "malformed_member"), ("{\"freeze\":false}", "malformed_member"),
            ("{\"freeze\":\"tomorrow\"}", "malformed_member"), ("{\"freeze\":1}", "malformed_member"),
            ("{\"set\":true}", "malformed_member"),
            ("{\"set\":\"1969-12-31T23:59:59Z\"}", "malformed_member"), ("{\"set\":\"9999-01-01T00:00:00Z\"}", "malformed_member"),
            ("{\"set\":\"2026-01-01\"}", "malformed_member"),
            ("{\"resume\":false}", "malformed_member"), ("{\"resume\":\"2026-01-01T00:00:00Z\"}", "malformed_member"),
            ("{\"thaw\":true}", "unknown_member"),
        ])
    func refusals(body: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/clock", body)
            #expect(answer.status == 400)
            #expect(answer.error == error)
            #expect(control.cloud.clock.mode == .running)
        }
    }
}
