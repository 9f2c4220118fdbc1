import Calls
import Cloud
import Federation
import HTTPTypes
import Policy
import Testing

@testable import OSSFace

@Suite("Explanations of decisions at OSS")
struct OSSExplanationTests {
    private func verdict(
        _ sandbox: OSSSandbox, _ who: String, _ action: String, _ resource: String, _ keys: [String: ConditionValues] = [:]
    ) throws -> Authorizer.Verdict? {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/_virga/explain")
        let call = Call(
            request: Request(head: head, body: RequestBody()), peer: nil, isSecure: false, cloud: sandbox.cloud, names: HostNames())
        let caller = try #require(sandbox.cloud.directory.caller(named: who, now: call.received))
        return sandbox.face.decide(action, on: resource, assuming: AccessAssumption(caller: caller, keys: keys), for: call)
    }

    @Test(
        "equal the decision about a request",
        arguments: [
            ("LTAIowner", "oss:GetObject", "acs:oss:*:*:files/public/hello.txt", true),
            ("LTAIreader", "oss:GetObject", "acs:oss:*:*:files/public/hello.txt", true),
            ("LTAIreader", "oss:GetObject", "acs:oss:*:*:files/secret.txt", false),
            ("LTAIreader", "oss:PutObject", "acs:oss:*:*:files/public/hello.txt", false),
            ("LTAIreader", "oss:GetBucketInfo", "acs:oss:*:*:files", true),
            ("LTAInothing", "oss:GetObject", "acs:oss:*:*:files/public/hello.txt", false),
            ("LTAIstranger", "oss:GetObject", "acs:oss:*:*:files/public/hello.txt", false),
            ("anonymous", "oss:GetObject", "acs:oss:*:*:files/public/hello.txt", false),
            ("LTAIowner", "oss:ListBuckets", "*", true), ("LTAIreader", "oss:ListBuckets", "acs:oss:*:1234567890123456:*", false),
            ("LTAIowner", "oss:PutBucket", "acs:oss:*:1234567890123456:not-yet", true),
        ])
    func decisions(who: String, action: String, resource: String, isAllowed: Bool) async throws {
        try await OSSSandbox.run { sandbox async throws in
            let decided = try #require(try verdict(sandbox, who, action, resource))
            #expect(decided.decision.isAllowed == isAllowed)
        }
    }

    @Test("use assumed condition keys")
    func assumedKeys() async throws {
        try await OSSSandbox.run { sandbox async throws in
            let files = "acs:oss:*:*:files"
            #expect(try verdict(sandbox, "LTAIreader", "oss:ListObjects", files)?.decision.isAllowed == false)
            let prefix: [String: ConditionValues] = ["oss:Prefix": .one("public/a")]
            #expect(try verdict(sandbox, "LTAIreader", "oss:ListObjects", files, prefix)?.decision.isAllowed == true)
        }
    }

    @Test(
        "do not exist for other resources than those of OSS",
        arguments: ["", "files/a", "arn:aws:s3:::files/a", "acs:ram:*:*:files", "acs:oss:*"])
    func otherResources(resource: String) async throws {
        try await OSSSandbox.run { sandbox async throws in
            #expect(try verdict(sandbox, "LTAIowner", "oss:GetObject", resource) == nil)
        }
    }
}
