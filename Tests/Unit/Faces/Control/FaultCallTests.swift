import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Fault rules in the control API")
struct FaultCallTests {
    @Test("are created, listed with the number of their applications, and removed")
    func life() async throws {
        try await ControlSandbox.run { control async throws in
            let made = try await control.send(
                .post, "/faults",
                "{\"name\":\"slow\",\"service\":\"s3\",\"action\":\"Get*\",\"error\":\"SlowDown\",\"times\":2,\"latency\":\"PT0.25S\"}")
            #expect(made.status == 201)
            let id = try #require(made.json["id"]?.stringValue)
            #expect(made.json["error"]?["code"] == "SlowDown")
            #expect(made.json["latency_ms"] == 250)
            #expect(made.json["times"] == 2)
            _ = control.cloud.faults.apply(FaultableCall(service: "s3", action: "GetObject"))
            let listed = try await control.send(.get, "/faults")
            let fault = try #require(listed.json["faults"]?.arrayValue?.first)
            #expect(fault["struck"] == 1)
            #expect(fault["live"] == true)
            #expect(fault["name"] == "slow")
            #expect(try await control.send(.get, "/faults/\(id)").json["id"]?.stringValue == id)
            #expect(try await control.send(.delete, "/faults/\(id)").status == 200)
            #expect(try await control.send(.delete, "/faults/\(id)").error == "unknown_fault")
            #expect(try await control.send(.get, "/faults/\(id)").status == 404)
            #expect(try await control.send(.post, "/faults/\(id)", "{\"error\":\"SlowDown\"}").error == "method_not_allowed")
            _ = try await control.send(.post, "/faults", "{\"connection\":\"body\",\"times\":\"always\"}")
            #expect(try await control.send(.delete, "/faults/").error == "unknown_path")
            #expect(control.cloud.faults.isArmed)
            #expect(try await control.send(.delete, "/faults").status == 200)
            #expect(!control.cloud.faults.isArmed)
        }
    }

    @Test("apply once by default")
    func defaults() async throws {
        try await ControlSandbox.run { control async throws in
            #expect(try await control.send(.post, "/faults", "{\"error\":\"Throttling\"}").json["times"] == 1)
            let chance = try await control.send(.post, "/faults", "{\"error\":\"Throttling\",\"probability\":0.5,\"seed\":-3}")
            #expect(chance.json["times"] == "always")
            #expect(chance.json["seed"] == -3)
            let custom = try await control.send(
                .post, "/faults", "{\"error\":{\"code\":\"Teapot\",\"status\":418,\"message\":\"Short and stout\"}}")
            #expect(custom.json["error"]?["status"] == 418)
        }
    }

    @Test(
        "are refused if they are invalid",
        arguments: [
            ("{}", "missing_member"), ("{\"error\":\"Throtling\"}", "unknown_code"), ("{\"error\":{\"code\":\"Teapot\"}}", "unknown_code"),
            ("{\"error\":{}}", "missing_member"), ("{\"error\":7}", "malformed_member"),
            ("{\"error\":{\"code\":\"X\",\"status\":200}}", "malformed_member"),
            ("{\"error\":{\"code\":\"a b\",\"status\":400}}", "malformed_member"),
            ("{\"error\":{\"code\":\"X\\\"\",\"status\":400}}", "malformed_member"),
            ("{\"error\":{\"code\":\"X\",\"status\":400,\"message\":\"\\u0001\"}}", "malformed_member"),
            ("{\"error\":{\"code\":\"X\",\"state\":400}}", "unknown_member"), ("{\"connection\":\"soon\"}", "malformed_member"),
            ("{\"error\":\"SlowDown\",\"connection\":\"body\"}", "malformed_member"), ("{\"latency\":\"1s\"}", "malformed_member"),
            ("{\"latency\":\"PT2H\"}", "malformed_member"), ("{\"error\":\"SlowDown\",\"times\":0}", "malformed_member"),
            ("{\"error\":\"SlowDown\",\"times\":\"often\"}", "malformed_member"),
            ("{\"error\":\"SlowDown\",\"probability\":0}", "malformed_member"),
            ("{\"error\":\"SlowDown\",\"probability\":1.5}", "malformed_member"),
            ("{\"error\":\"SlowDown\",\"seed\":1}", "malformed_member"),
            ("{\"error\":\"SlowDown\",\"operation\":\"GetObject\"}", "unknown_member"), ("[]", "malformed_body"),
        ])
    func refusals(body: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/faults", body)
            #expect(answer.status == 400)
            #expect(answer.error == error)
            #expect(control.cloud.faults.all.isEmpty)
        }
    }
}
