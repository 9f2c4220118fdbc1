import Cloud
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Explanations in the control API")
struct ExplainCallTests {
    private static let seed = #"{accounts: [{id: "111122223333", users: [{name: "bob"}]}]}"#

    @Test("have the stages of the evaluation, and the statement that would allow a denied request")
    func denial() async throws {
        try await withCloud(Self.seed) { cloud async throws in
            let control = ControlSandbox(cloud: cloud)
            let question = #"{"as":"arn:aws:iam::111122223333:user/bob","action":"iam:ListUsers","resource":"*","documents":true}"#
            let answer = try await control.send(.post, "/explain", question)
            #expect(answer.status == 200)
            #expect(answer.json["decision"] == "implicitDeny")
            #expect(answer.json["statements"] == [])
            let stages = answer.json["stages"]?.arrayValue ?? []
            #expect(stages.first == ["stage": "explicit deny", "policies": [], "outcome": "absent"])
            #expect(stages.contains { $0["outcome"] == "denies" })
            #expect(answer.json["remedy"]?.arrayValue?.first?["add"]?["Effect"] == "Allow")
            #expect(answer.json["policies"] == [])
            #expect(answer.json["assumed"] == nil)
            #expect(answer.json["session"] == .some(.null))
        }
    }
}
