import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import ControlFace

@Suite("Usage in the control API")
struct UsageCallTests {
    /// Records a request of a role's session with one claim.
    private func record(_ action: String, _ resource: String, _ cloud: Cloud, isServed: Bool = true) {
        var keys = ConditionKeys()
        keys.set("login.company.example:sub", to: "e-1")
        let principal = Principal(
            .assumedRole(
                roleARN: "arn:aws:iam::000000000000:role/app", roleID: "AROAAPP",
                sessionARN: "arn:aws:sts::000000000000:assumed-role/app/alice"), account: "000000000000")
        let context = RequestContext(
            action: action, resource: resource, principal: principal, resourceAccount: "000000000000", keys: keys)
        cloud.usage.record(
            DecidedRequest(context: context, policies: PolicySet(), isAllowed: isServed), operation: action, isServed: isServed,
            in: cloud.directory)
    }

    @Test("is turned on and off, listed and forgotten")
    func life() async throws {
        try await ControlSandbox.run { control async throws in
            #expect(try await control.send(.get, "/usage").json["enabled"] == false)
            #expect(try await control.send(.put, "/usage", "{\"enabled\":true}").status == 200)
            #expect(control.cloud.usage.isEnabled)
            record("s3:GetObject", "arn:aws:s3:::box/e-1/a", control.cloud)
            record("s3:GetObject", "arn:aws:s3:::box/e-1/b", control.cloud, isServed: false)
            let listed = try await control.send(.get, "/usage?limit=1")
            #expect(listed.json["total"] == 2)
            #expect(listed.json["complete"] == true)
            let question = try #require(listed.json["questions"]?.arrayValue?.first)
            #expect(question["caller"] == "arn:aws:sts::000000000000:assumed-role/app/alice")
            #expect(question["count"] == 1)
            #expect(question["context"] == ["login.company.example:sub": ["e-1"]])
            #expect(try await control.send(.get, "/usage?caller=arn:aws:iam::000000000000:role/app").json["total"] == 2)
            #expect(try await control.send(.get, "/usage?caller=anonymous").json["total"] == 0)
            #expect(try await control.send(.delete, "/usage").status == 200)
            #expect(try await control.send(.get, "/usage").json["total"] == 0)
            #expect(try await control.send(.put, "/usage", "{\"enabled\":1}").error == "missing_member")
            #expect(try await control.send(.get, "/usage?limit=0").error == "malformed_filter")
            #expect(try await control.send(.get, "/usage?who=x").error == "unknown_filter")
        }
    }

    @Test("has a history, which is forgotten with the requests")
    func history() async throws {
        try await ControlSandbox.run { control async throws in
            let decision = JournalDecision(
                action: "s3:GetObject", resource: "arn:aws:s3:::box/a", allowed: true,
                evidence: Authorizer.decide(
                    AccessRequest(
                        caller: .anonymous, action: "s3:GetObject", resource: "arn:aws:s3:::box/a", resourceAccount: "000000000000",
                        facts: RequestFacts(time: control.cloud.clock.now, isSecure: true, userAgent: nil, region: "us-east-1") { nil })))
            var denial = decision
            denial.allowed = false
            for (seconds, decisions) in [(60, [decision, denial]), (119, [decision]), (600, [decision])] {
                let entry = JournalEntry(
                    time: Timestamp(seconds: Int64(seconds)), requestID: "r", method: "GET", target: "/box/a", host: "h", face: "s3",
                    caller: nil, operation: "GetObject", decisions: decisions, status: 200, errorCode: nil)
                control.cloud.usage.record(entry, in: control.cloud.directory)
            }
            let history = try await control.send(.get, "/usage/history")
            #expect(history.json["allowed"] == 3)
            #expect(history.json["denied"] == 1)
            #expect(history.json["step"] == "PT60S")
            #expect(
                history.json["intervals"] == [
                    ["start": "1970-01-01T00:01:00Z", "allowed": 2, "denied": 1],
                    ["start": "1970-01-01T00:10:00Z", "allowed": 1, "denied": 0],
                ])
            #expect(try await control.send(.get, "/usage/history?from=1").error == "unknown_filter")
            #expect(try await control.send(.delete, "/usage").status == 200)
            #expect(try await control.send(.get, "/usage/history").json["intervals"] == [])
        }
    }

    @Test("has the coverage of one policy")
    func onePolicy() async throws {
        let policy = #"{Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "*", Resource: "*"}]}"#
        let seed = #"{accounts: [{id: "000000000000", users: [{name: "ann", policies: {one: \#(policy), two: \#(policy)}}]}]}"#
        try await withCloud(seed) { cloud async throws in
            let control = ControlSandbox(cloud: cloud)
            let all = try await control.send(.get, "/usage/coverage")
            #expect(all.json["policies"]?.arrayValue?.count == 2)
            #expect(all.json["statements"] == ["decided": 0, "applied": 0, "never": 2])
            for filter in ["policy=two", "file=000000000000/user/ann/two.json"] {
                let one = try await control.send(.get, "/usage/coverage?\(filter)")
                #expect(one.json["policies"]?.arrayValue?.map { $0["policy"] } == ["two"])
                #expect(one.json["statements"] == ["decided": 0, "applied": 0, "never": 1])
            }
            #expect(try await control.send(.get, "/usage/coverage?policy=no").json["policies"] == [])
            #expect(try await control.send(.get, "/usage/coverage?name=two").error == "unknown_filter")
        }
    }

    @Test("returns the least policy of a role with its proof")
    func leastPolicy() async throws {
        try await ControlSandbox.run { control async throws in
            record("s3:GetObject", "arn:aws:s3:::box/e-1/a", control.cloud)
            record("s3:GetObject", "arn:aws:s3:::box/e-2/a", control.cloud, isServed: false)
            let answer = try await control.send(.get, "/usage/policy?principal=arn:aws:iam::000000000000:role/app")
            #expect(answer.json["proof"] == ["requests": 2, "allowed": 1, "denied": 1, "failures": []])
            #expect(
                answer.json["policy"]?["Statement"]?.arrayValue?.first?["Resource"]
                    == ["arn:aws:s3:::box/${login.company.example:sub}/*"])
            #expect(try await control.send(.get, "/usage/policy?principal=arn:aws:iam::000000000000:role/no").status == 404)
            #expect(try await control.send(.get, "/usage/policy").error == "missing_filter")
        }
    }

    @Test("decides events of CloudTrail that name a caller of the sandbox, and says why it skips others")
    func cloudTrail() async throws {
        try await ControlSandbox.run { control async throws in
            let root = "\"userIdentity\":{\"type\":\"Root\",\"arn\":\"arn:aws:iam::000000000000:root\"}"
            let events = [
                "{\"eventSource\":\"iam.amazonaws.com\",\"eventName\":\"ListUsers\",\"eventID\":\"1\",\(root)}",
                "{\"eventSource\":\"ec2.amazonaws.com\",\"eventName\":\"RunInstances\",\(root)}",
                "{\"eventSource\":\"s3.amazonaws.com\",\"eventName\":\"GetObject\",\"userIdentity\":{\"arn\":\"arn:aws:iam::000000000000:user/no\"}}",
                "{\"eventSource\":\"iam.amazonaws.com\",\"eventName\":\"GetUser\",\"errorCode\":\"AccessDenied\",\(root)}",
            ]
            let answer = try await control.send(.post, "/usage/cloudtrail", "{\"Records\":[\(events.joined(separator: ","))]}")
            #expect(answer.status == 200)
            #expect(answer.json["decided"] == 2)
            #expect(answer.json["skipped"] == 2)
            let outcomes = try #require(answer.json["events"]?.arrayValue)
            #expect(outcomes.map { $0["agrees"] } == [true, .null, .null, false])
            #expect(outcomes[0]["decisions"] == [["action": "iam:ListUsers", "resource": "*", "allowed": true]])
            #expect(outcomes[1]["reason"] == "ec2 is not served here")
            #expect(outcomes[2]["reason"] == "there is no principal arn:aws:iam::000000000000:user/no here")
            #expect(control.cloud.usage.contents.questions.map(\.isServed) == [true, false])
        }
    }

    @Test(
        "reads the actions and resources of S3's events",
        arguments: [
            ("ListObjectsV2", "{\"bucketName\":\"box\",\"prefix\":\"a/\"}", ["s3:ListBucket arn:aws:s3:::box"]),
            ("HeadObject", "{\"bucketName\":\"box\",\"key\":\"a\"}", ["s3:GetObject arn:aws:s3:::box/a"]),
            ("GetObject", "{\"bucketName\":\"box\",\"key\":\"a\",\"versionId\":\"1\"}", ["s3:GetObjectVersion arn:aws:s3:::box/a"]),
            (
                "CopyObject", "{\"bucketName\":\"box\",\"key\":\"b\",\"x-amz-copy-source\":\"/other/a%20b?versionId=1\"}",
                ["s3:GetObject arn:aws:s3:::other/a b", "s3:PutObject arn:aws:s3:::box/b"]
            ),
            ("ListBuckets", "{}", ["s3:ListAllMyBuckets *"]), ("DeleteObjects", "{\"bucketName\":\"box\"}", []),
            ("GetBucketEncryption", "{\"bucketName\":\"box\"}", ["s3:GetEncryptionConfiguration arn:aws:s3:::box"]),
        ])
    func questions(name: String, parameters: String, expected: [String]) throws {
        let json = try JSONValue(
            parsing: "{\"eventSource\":\"s3.amazonaws.com\",\"eventName\":\"\(name)\",\"requestParameters\":\(parameters)}")
        let event = try #require(CloudTrailEvent(json))
        #expect(event.questionsToS3.map { "\($0.action) \($0.resource)" } == expected)
    }

    @Test("learns the claims of a session from the event that issued it")
    func claims() throws {
        let json = try JSONValue(
            parsing: """
                {"eventSource":"sts.amazonaws.com","eventName":"AssumeRoleWithWebIdentity",
                 "userIdentity":{"type":"WebIdentityUser","userName":"e-1",
                  "identityProvider":"arn:aws:iam::000000000000:oidc-provider/login.company.example"},
                 "responseElements":{"assumedRoleUser":{"arn":"arn:aws:sts::000000000000:assumed-role/app/alice"}}}
                """)
        let session = try #require(CloudTrailEvent(json)?.issuedSession)
        #expect(session.arn == "arn:aws:sts::000000000000:assumed-role/app/alice")
        #expect(session.claims == ["login.company.example:sub": "e-1"])
    }
}
