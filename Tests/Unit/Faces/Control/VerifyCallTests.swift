import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Verification of the journal in the control API")
struct VerifyCallTests {
    private func append(_ operation: String, status: Int = 200, caller: String? = nil, to cloud: Cloud) {
        cloud.journal.append(
            JournalEntry(
                time: Timestamp(seconds: 1_795_262_400), requestID: "0123456789ABCDEF", method: "GET", target: "/box/\(operation)",
                host: "localhost", face: "s3", caller: caller, operation: operation, decisions: [], status: status, errorCode: nil))
    }

    @Test("answers 200 with the calls that match")
    func met() async throws {
        try await ControlSandbox.run { control async throws in
            append("GetObject", to: control.cloud)
            append("PutObject", to: control.cloud)
            let answer = try await control.send(
                .post, "/journal/verify", "{\"expect\":[{\"action\":\"s3:Get*\",\"times\":1}],\"never\":[{\"status\":403}]}")
            #expect(answer.status == 200)
            #expect(answer.json["complete"] == true)
            #expect(answer.json["last"] == 2)
            let outcome = try #require(answer.json["expect"]?.arrayValue?.first)
            #expect(outcome["met"] == true)
            #expect(outcome["count"] == 1)
            #expect(outcome["entries"]?.arrayValue?.first?["operation"] == "s3:GetObject")
            #expect(answer.json["never"]?.arrayValue?.first?["met"] == true)
        }
    }

    @Test("answers 409 with near misses, and with the calls that should not be")
    func failed() async throws {
        try await ControlSandbox.run { control async throws in
            append("PutObject", status: 403, to: control.cloud)
            let answer = try await control.send(
                .post, "/journal/verify",
                "{\"expect\":[{\"action\":\"s3:PutObject\",\"status\":200}],\"never\":[{\"status\":\"4*\"}]}")
            #expect(answer.status == 409)
            #expect(answer.error == "expectation_failed")
            #expect(
                answer.json["message"]
                    == "Not as expected: s3:PutObject with status 200, at least once: found 0 and 1 more.")
            let miss = try #require(answer.json["expect"]?.arrayValue?.first?["near_misses"]?.arrayValue?.first)
            #expect(miss["differs"]?.arrayValue == [["member": "status", "expected": "200", "found": "403"]])
            #expect(answer.json["never"]?.arrayValue?.first?["entries"]?.arrayValue?.first?["number"] == 1)
        }
    }

    @Test("ignores calls of the control API and calls before a number")
    func scope() async throws {
        try await ControlSandbox.run { control async throws in
            append("GetObject", to: control.cloud)
            _ = try await control.send(.get, "/health")
            let all = try await control.send(.post, "/journal/verify", "{\"expect\":[{\"status\":200}]}")
            #expect(all.json["expect"]?.arrayValue?.first?["count"] == 1)
            #expect(all.json["last"] == 2)
            let later = try await control.send(.post, "/journal/verify", "{\"since\":1,\"never\":[{\"action\":\"s3:*\"}]}")
            #expect(later.status == 200)
        }
    }

    @Test("is incomplete if entries since the number are gone")
    func incomplete() async throws {
        try await ControlSandbox.run { control async throws in
            for _ in 1...3 { append("GetObject", to: control.cloud) }
            try await control.cloud.reset()
            #expect(
                try await control.send(.post, "/journal/verify", "{\"never\":[{\"status\":403}],\"since\":1}").json["complete"] == false)
            #expect(try await control.send(.post, "/journal/verify", "{\"never\":[{\"status\":403}]}").json["complete"] == true)
        }
    }

    @Test(
        "refuses malformed expectations",
        arguments: [
            ("{}", "missing_member"), ("{\"expect\":[]}", "missing_member"), ("{\"expect\":[{}]}", "missing_member"),
            ("{\"expect\":{}}", "malformed_member"), ("{\"expect\":[1]}", "malformed_member"),
            ("{\"expect\":[{\"action\":1}]}", "malformed_member"), ("{\"expect\":[{\"role\":\"x\"}]}", "unknown_member"),
            ("{\"never\":[{\"status\":1,\"times\":2}]}", "unknown_member"),
            ("{\"expect\":[{\"status\":1,\"times\":-1}]}", "malformed_member"),
            ("{\"expect\":[{\"status\":1,\"times\":{\"min\":2,\"max\":1}}]}", "malformed_member"),
            ("{\"expect\":[{\"status\":1,\"times\":{\"most\":1}}]}", "unknown_member"),
            ("{\"expect\":[{\"status\":1}],\"since\":-1}", "malformed_member"), ("{\"since\":1}", "missing_member"),
        ])
    func malformed(body: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/journal/verify", body)
            #expect(answer.status == 400, "\(answer.json)")
            #expect(answer.error == error, "\(answer.json)")
        }
    }
}
