import Cloud
import Directory
import Federation
import Policy
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("AssumeRole")
struct AssumeRoleTests {
    private let ann = STSSandbox.signature("ann")
    private let bob = STSSandbox.signature("bob")

    private func run(_ test: (STSSandbox) async throws -> Void) async throws {
        try await STSSandbox.run(seed: STSSandbox.principals, test)
    }

    private func expect(_ answer: STSAnswer, _ status: Int, _ code: String?, _ message: String? = nil) {
        #expect(answer.status == status, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        #expect(answer.code == code, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        if let message { #expect(answer.message == message) }
    }

    private func refusal(_ user: String, _ action: String, _ role: String) -> String {
        "User: \(user) is not authorized to perform: sts:\(action) on resource: \(STSSandbox.arn(role))"
    }

    @Test("returns credentials of a session of the role")
    func answer() async throws {
        try await run { sts async throws in
            let answer = try await sts.take("for-ann", as: ann)
            expect(answer, 200, nil)
            #expect(
                answer.xml.child("AssumeRoleResult")?.children.map(\.name) == [
                    "AssumedRoleUser", "Credentials", "SessionTokenSize", "SessionTokenUtilization",
                ])
            #expect(answer["Arn"] == "arn:aws:sts::000000000000:assumed-role/for-ann/app1")
            let caller = try await sts.callerIdentity(answer.credentials)
            #expect(caller["Arn"] == answer["Arn"])
            #expect(caller["UserId"] == answer["AssumedRoleId"])
        }
    }

    @Test(
        "evaluates the trust policy and, if that does not name the caller, the caller's own policies",
        arguments: [
            ("ann", "for-ann", true), ("bob", "for-ann", false), ("ann", "for-account", false), ("bob", "for-account", true),
            ("ann", "for-all", true), ("cleo", "for-cleo", false), ("cleo", "for-account", false), ("bob", "for-others", false),
            ("dora", "for-others", true), ("eve", "for-others", false), ("dora", "for-account", false), ("dora", "for-all", true),
            ("eve", "for-all", false), ("eve", "for-eve", false), ("bob", "nowhere", false),
        ])
    func trust(user: String, role: String, isAllowed: Bool) async throws {
        try await run { sts async throws in
            let answer = try await sts.take(role, as: STSSandbox.signature(user))
            guard !isAllowed else { return expect(answer, 200, nil) }
            let account = user == "dora" || user == "eve" ? "111111111111" : STSSandbox.account
            let suffix = user == "cleo" ? " with an explicit deny in an identity-based policy" : ""
            expect(answer, 403, "AccessDenied", refusal("arn:aws:iam::\(account):user/\(user)", "AssumeRole", role) + suffix)
        }
    }

    @Test(
        "evaluates only the trust policy in Ceph's dialect if it names the caller",
        arguments: [("eve", "for-eve", true), ("eve", "for-account", false), ("ann", "for-eve", false), ("cleo", "for-cleo", false)])
    func trustOfCeph(user: String, role: String, isAllowed: Bool) async throws {
        try await STSSandbox.run(seed: STSSandbox.principals, dialect: .ceph) { sts async throws in
            #expect(try await sts.take(role, as: STSSandbox.signature(user)).status == (isAllowed ? 200 : 403))
        }
    }

    @Test("refuses the root user and ARNs that are not a role's")
    func root() async throws {
        try await run { sts async throws in
            let root = STSSandbox.Signature("test", "test")
            try await expect(sts.take("for-all", as: root), 403, "AccessDenied", "Roles may not be assumed by root accounts.")
            let malformed = "arn:aws:iam::000000000000:user/ann"
            try await expect(
                sts.take("", as: ann, ["RoleArn": malformed]), 400, "ValidationError", "\(malformed) is invalid")
            try await expect(sts.take("for-ann", as: nil), 403, "MissingAuthenticationToken")
        }
    }

    @Test(
        "passes the parameters of the call to the trust policy",
        arguments: [
            ("external", ["ExternalId": "secret/1"], true), ("external", ["ExternalId": "secret/2"], false), ("external", [:], false),
            ("app", ["RoleSessionName": "ann"], true), ("app", [:], false),
            ("red", ["Tags.member.1.Key": "team", "Tags.member.1.Value": "red"], true),
            ("red", ["Tags.member.1.Key": "TEAM", "Tags.member.1.Value": "red"], false),
            ("red", ["Tags.member.1.Key": "team", "Tags.member.1.Value": "red", "TransitiveTagKeys.member.1": "team"], true),
            ("red", ["Tags.member.1.Key": "team", "Tags.member.1.Value": "blue"], false), ("red", [:], false),
            (
                "red",
                ["Tags.member.1.Key": "team", "Tags.member.1.Value": "red", "Tags.member.2.Key": "x", "Tags.member.2.Value": "red"],
                false
            ),
        ] as [(String, FormFields, Bool)])
    func keys(role: String, parameters: FormFields, isAllowed: Bool) async throws {
        try await run { sts async throws in
            let answer = try await sts.take(role, as: ann, parameters)
            isAllowed
                ? expect(answer, 200, nil)
                : expect(answer, 403, "AccessDenied", refusal("arn:aws:iam::000000000000:user/ann", "AssumeRole", role))
        }
    }

    @Test(
        "validates its parameters",
        arguments: [
            (["RoleSessionName": "a b"], "ValidationError", "[\\w+=,.@-]*"), (["ExternalId": "x"], "ValidationError", "equal to 2"),
            (["ExternalId": "a b"], "ValidationError", "[\\w+=,.@:\\/-]*"), (["SourceIdentity": "x"], "ValidationError", "equal to 2"),
            (["DurationSeconds": "899"], "ValidationError", "equal to 900"), (["TokenCode": "12345"], "ValidationError", "equal to 6"),
            (["TokenCode": "12345x"], "ValidationError", "[\\d]*"), (["SerialNumber": "short"], "ValidationError", "equal to 9"),
            (["MinimumSessionTokenSize": "4097"], "ValidationError", "equal to 4096"),
            (
                [
                    "ProvidedContexts.member.1.ProviderArn": "arn:aws:iam::aws:contextProvider/IdentityCenter",
                    "ProvidedContexts.member.1.ContextAssertion": "assertion",
                ], "ValidationError", "contextProvider"
            ),
            (
                ["Tags.member.1.Key": "a", "Tags.member.1.Value": "1", "Tags.member.2.Key": "A", "Tags.member.2.Value": "2"],
                "InvalidParameterValue", "Duplicate tag keys found. Please note that Tag keys are case insensitive."
            ),
            (
                ["Tags.member.1.Key": "a", "Tags.member.1.Value": "1", "TransitiveTagKeys.member.1": "b"], "InvalidParameterValue",
                "The specified transitive tag key must be included in the requested tags."
            ),
            (["Tags.member.1.Key": "aws:x", "Tags.member.1.Value": "1"], "InvalidParameterValue", "aws:"),
            (["PolicyArns.member.1.arn": "arn:aws:iam::000000000000:policy/none"], "MalformedPolicyDocument", "does not exist"),
            (["Policy": "{}"], "MalformedPolicyDocument", "Syntax errors in policy."),
            (["Policy": "{"], "MalformedPolicyDocument", "Syntax errors in policy."),
        ] as [(FormFields, String, String)])
    func parameters(parameters: FormFields, code: String, message: String) async throws {
        try await run { sts async throws in
            let answer = try await sts.take("taking", as: bob, parameters)
            expect(answer, 400, code)
            #expect(message.isEmpty || answer.message?.contains(message) == true, "\(answer.message ?? "")")
        }
    }

    /// ansible-collections/amazon.aws#2778 has the first; the others are the messages of the same parser, Jackson 1.
    @Test(
        "reports a session policy that is not JSON with the words of AWS's parser",
        arguments: [
            (
                "invalid", "'i' (code 105)", "expected a valid value (number, String, array, object, 'true', 'false' or 'null')",
                "line: 1, column: 2"
            ),
            (
                "{\n \"Statement\": }", "'}' (code 125)",
                "expected a valid value (number, String, array, object, 'true', 'false' or 'null')", "line: 2, column: 16"
            ),
            ("{'Statement': []}", "''' (code 39)", "was expecting double-quote to start field name", "line: 1, column: 3"),
            (#"{"Version":"2012-10-17",}"#, "'}' (code 125)", "was expecting double-quote to start field name", "line: 1, column: 26"),
            (#"{"a" "b"}"#, "'\"' (code 34)", "was expecting a colon to separate field name and value", "line: 1, column: 7"),
            (#"{"a":"}\"{" "b":1}"#, "'\"' (code 34)", "was expecting comma to separate OBJECT entries", "line: 1, column: 14"),
            (#"{"a":[{} {}]}"#, "'{' (code 123)", "was expecting comma to separate ARRAY entries", "line: 1, column: 11"),
        ])
    func policiesThatAreNotJSON(policy: String, character: String, expectation: String, place: String) async throws {
        try await run { sts async throws in
            let answer = try await sts.take("taking", as: bob, ["Policy": policy])
            expect(answer, 400, "MalformedPolicyDocument")
            #expect(
                answer.message
                    == "Unexpected character (\(character)): \(expectation)\n at [Source: java.io.StringReader@52b5743d; \(place)]")
        }
    }

    @Test("names the pattern of an ARN before its length")
    func orderOfConstraints() async throws {
        try await run { sts async throws in
            let answer = try await sts.call("AssumeRole", ["RoleArn": "", "RoleSessionName": "session"], as: bob)
            let pattern = #"[\u0009\u000A\u000D\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u10000-\u10FFFF]+"#
            let value = "Value '' at 'roleArn' failed to satisfy constraint: "
            expect(answer, 400, "ValidationError")
            #expect(
                answer.message
                    == "2 validation errors detected: \(value)Member must satisfy regular expression pattern: \(pattern); "
                    + "\(value)Member must have length greater than or equal to 20")
        }
    }

    @Test("limits the session to the role's maximum, and to an hour in role chaining")
    func durations() async throws {
        try await run { sts async throws in
            try await sts.cloud.edit { directory in
                var role = try #require(directory.role("next", in: STSSandbox.account)?.role)
                role.maximumSessionDuration = 7200
                directory.put(.role(role))
            }
            let first = try await sts.take("taking", as: bob, ["DurationSeconds": "43200"])
            expect(first, 200, nil)
            for (duration, message) in [
                ("3600", nil),
                ("3601", "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining."),
                ("7201", "The requested DurationSeconds exceeds the MaxSessionDuration set for this role."),
            ] {
                let answer = try await sts.take("next", as: first.credentials, ["DurationSeconds": duration])
                expect(answer, message == nil ? 200 : 400, message == nil ? nil : "ValidationError", message)
            }
        }
    }

    @Test("passes transitive tags along a chain, where they cannot be replaced")
    func transitiveTags() async throws {
        try await run { sts async throws in
            let tags: FormFields = [
                "Tags.member.1.Key": "team", "Tags.member.1.Value": "red", "Tags.member.2.Key": "floor", "Tags.member.2.Value": "2",
                "TransitiveTagKeys.member.1": "Team", "SourceIdentity": "ann",
            ]
            let first = try await sts.take("taking", as: bob, tags)
            expect(first, 200, nil)
            #expect(first.element("PackedPolicySize") != nil)
            try await expect(sts.take("by-tag", as: first.credentials), 200, nil)
            let again: FormFields = ["Tags.member.1.Key": "TEAM", "Tags.member.1.Value": "blue"]
            try await expect(
                sts.take("next", as: first.credentials, again), 400, "InvalidParameterValue",
                "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session."
            )
            let second = try await sts.take("next", as: first.credentials)
            let entry = try #require(second.element("SessionToken")?.text)
            let session = try sts.face.tokens.open(entry, accessKeyID: #require(second["AccessKeyId"]))
            #expect(session.credentials.tags == [Tag(key: "team", value: "red")])
            // A role that does not allow tags also cannot be assumed with inherited ones.
            let refused = try await sts.take("untagged", as: first.credentials)
            expect(
                refused, 403, "AccessDenied", refusal("arn:aws:sts::000000000000:assumed-role/taking/app1", "TagSession", "untagged"))
        }
    }

    @Test("keeps a source identity along a chain")
    func sourceIdentity() async throws {
        try await run { sts async throws in
            let first = try await sts.take("taking", as: bob, ["SourceIdentity": "bob"])
            #expect(first["SourceIdentity"] == "bob")
            #expect(first.element("PackedPolicySize") == nil)
            try await expect(
                sts.take("next", as: first.credentials, ["SourceIdentity": "eve"]), 400, "ValidationError",
                "The source identity is already set for this assume role session")
            for form: FormFields in [[:], ["SourceIdentity": "bob"]] {
                let second = try await sts.take("next", as: first.credentials, form)
                expect(second, 200, nil)
                #expect(second["SourceIdentity"] == "bob")
            }
            try await expect(
                sts.take("untagged", as: first.credentials), 403, "AccessDenied",
                refusal("arn:aws:sts::000000000000:assumed-role/taking/app1", "SetSourceIdentity", "untagged"))
            try await expect(
                sts.take("for-account", as: bob, ["SourceIdentity": "bob"]), 403, "AccessDenied",
                refusal("arn:aws:iam::000000000000:user/bob", "SetSourceIdentity", "for-account"))
        }
    }

    @Test("accepts an MFA code of the caller's device once")
    func multiFactor() async throws {
        try await run { sts async throws in
            let serial = try await sts.addDevice(for: "ann")
            let code = sts.code
            try await expect(
                sts.take("mfa", as: ann), 403, "AccessDenied", refusal("arn:aws:iam::000000000000:user/ann", "AssumeRole", "mfa"))
            try await expect(sts.take("mfa", as: ann, ["SerialNumber": serial, "TokenCode": code]), 200, nil)
            let used = "MultiFactorAuthentication failed with invalid MFA one time pass code. "
            try await expect(sts.take("mfa", as: ann, ["SerialNumber": serial, "TokenCode": code]), 403, "AccessDenied", used)
            let wrong = code == "000000" ? "000001" : "000000"
            try await expect(sts.take("mfa", as: ann, ["SerialNumber": serial, "TokenCode": wrong]), 403, "AccessDenied", used)
        }
    }

    @Test("refuses an MFA device of another user, and a code without a device or a device without a code")
    func otherDevices() async throws {
        try await run { sts async throws in
            let invalid =
                "MultiFactorAuthentication failed, unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user."
            let devices = [
                try await sts.addDevice("bobs", for: "bob"), try await sts.addDevice("nobodys", for: nil),
                try await sts.addDevice("off", for: "ann", isEnabled: false), "arn:aws:iam::000000000000:mfa/none",
            ]
            for serial in devices {
                try await expect(
                    sts.take("for-ann", as: ann, ["SerialNumber": serial, "TokenCode": sts.code]), 403, "AccessDenied", invalid)
            }
            let half = "MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code."
            try await expect(sts.take("for-ann", as: ann, ["TokenCode": "123456"]), 403, "AccessDenied", half)
            try await expect(sts.take("for-ann", as: ann, ["SerialNumber": devices[0]]), 403, "AccessDenied", half)
        }
    }

    @Test("validates the ARNs of managed policies")
    func policyARNs() async throws {
        try await run { sts async throws in
            let answer = try await sts.take(
                "taking", as: bob, ["PolicyArns.member.1.arn": "short", "PolicyArns.member.2.arn": String(repeating: "a", count: 2049)])
            expect(answer, 400, "ValidationError")
            #expect(
                answer.message?.hasPrefix(
                    "2 validation errors detected: Value 'short' at 'policyArns.1.member.arn' failed to satisfy constraint: "
                        + "Member must have length greater than or equal to 20; ") == true)
        }
    }

    @Test("accepts managed policies only from the role's account")
    func managedPolicies() async throws {
        try await run { sts async throws in
            func policy(_ account: String) throws -> ManagedPolicy {
                ManagedPolicy(
                    account: account, name: "reading", path: "/", id: "ANPA", created: .fill,
                    document: try .init(
                        parsing: #"{"Statement":{"Effect":"Allow","Action":"sts:AssumeRole","Resource":"*"}}"#, kind: .identity))
            }
            let (own, other) = (try policy(STSSandbox.account), try policy("111111111111"))
            try await sts.cloud.edit { directory in
                directory.put(.policy(own))
                directory.put(.policy(other))
            }
            try await expect(
                sts.take("taking", as: bob, ["PolicyArns.member.1.arn": other.arn]), 400, "MalformedPolicyDocument")
            let session = try await sts.take("taking", as: bob, ["PolicyArns.member.1.arn": own.arn])
            expect(session, 200, nil)
            #expect(session["PackedPolicySize"].flatMap { Int($0) }.map { (1...10).contains($0) } == true)
            // The role allows more, but the session policy does not.
            try await expect(
                sts.call("GetAccessKeyInfo", ["AccessKeyId": "AKIAAAAAAAAAAAAAAAAA"], as: session.credentials), 403, "AccessDenied")
        }
    }
}
