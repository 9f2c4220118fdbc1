import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("AssumeRoleWithWebIdentity")
struct AssumeRoleWithWebIdentityTests {
    @Test("returns every element of the service model, in its namespace")
    func answer() async throws {
        try await STSSandbox.run { sts async throws in
            let before = sts.cloud.clock.now.seconds
            let answer = try await sts.assume("long", sts.token(), ["RoleArn": STSSandbox.arn("app/long"), "DurationSeconds": "7200"])
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "text/xml")
            #expect(answer.xml.name == "AssumeRoleWithWebIdentityResponse")
            #expect(answer.xml.namespace == "https://sts.amazonaws.com/doc/2011-06-15/")
            #expect(answer.xml.children.map(\.name) == ["AssumeRoleWithWebIdentityResult", "ResponseMetadata"])
            #expect(
                answer.xml.child("AssumeRoleWithWebIdentityResult")?.children.map(\.name) == [
                    "SubjectFromWebIdentityToken", "Audience", "AssumedRoleUser", "Credentials", "SessionTokenSize",
                    "SessionTokenUtilization", "Provider", "PackedPolicySize",
                ])
            let role = try #require(sts.cloud.directory.role("long", in: STSSandbox.account)).role
            #expect(answer["AssumedRoleId"] == "\(role.id):app1")
            #expect(answer["Arn"] == "arn:aws:sts::000000000000:assumed-role/long/app1")
            #expect(answer["AccessKeyId"]?.hasPrefix("ASIA") == true)
            #expect(answer["AccessKeyId"]?.utf8.count == 20)
            #expect(answer["SecretAccessKey"]?.utf8.count == 40)
            let expiration = try #require(answer["Expiration"].flatMap { Timestamp(iso8601: $0) })
            #expect((before + 7200...sts.cloud.clock.now.seconds + 7200).contains(expiration.seconds))
            #expect(answer["PackedPolicySize"] == "24")
            #expect(answer["RequestId"] == answer.fields[.amazonRequestID])
            #expect(answer.journal.face == "sts")
            #expect(answer.journal.operation == "AssumeRoleWithWebIdentity")
        }
    }

    @Test("lists every violated constraint in one message")
    func violations() async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.post(
                [
                    "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": "short", "RoleSessionName": "a b!",
                    "DurationSeconds": "1",
                ])
            #expect(answer.status == 400)
            #expect(answer.code == "ValidationError")
            #expect(
                answer.message
                    == "4 validation errors detected: "
                    + "Value 'short' at 'roleArn' failed to satisfy constraint: Member must have length greater than or equal to 20; "
                    + "Value 'a b!' at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*; "
                    + "Value null at 'webIdentityToken' failed to satisfy constraint: Member must not be null; "
                    + "Value '1' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 900")
        }
    }

    @Test(
        "validates each parameter",
        arguments: [
            ("RoleArn", "arn:aws:iam::0123", "length greater than or equal to 20"),
            ("RoleArn", String(repeating: "x", count: 2049), "length less than or equal to 2048"),
            ("RoleSessionName", "x", "length greater than or equal to 2"),
            ("RoleSessionName", String(repeating: "x", count: 65), "length less than or equal to 64"),
            ("RoleSessionName", "\u{e9}\u{e9}", "regular expression pattern"), ("RoleSessionName", "a\u{0}b", "regular expression pattern"),
            ("WebIdentityToken", "abc", "length greater than or equal to 4"),
            ("WebIdentityToken", String(repeating: "x", count: 20_001), "length less than or equal to 20000"),
            ("ProviderId", "x", "length greater than or equal to 4"), ("Policy", "", "length greater than or equal to 1"),
            ("Policy", String(repeating: " ", count: 2049), "length less than or equal to 2048"),
            ("Policy", "{\u{2014}}", "regular expression pattern"),
            ("DurationSeconds", "899", "value greater than or equal to 900"),
            ("DurationSeconds", "43201", "value less than or equal to 43200"),
        ])
    func constraints(name: String, value: String, constraint: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", "token", [name: value])
            #expect(answer.status == 400)
            #expect(answer.code == "ValidationError")
            #expect(answer["Type"] == "Sender")
            // The message does not repeat values that the service model calls sensitive.
            let shown = name == "WebIdentityToken" ? "Value at '" : "Value '"
            #expect(answer.message?.hasPrefix("1 validation error detected: \(shown)") == true)
            #expect(answer.message?.contains("' failed to satisfy constraint: Member must ") == true)
            #expect(answer.message?.contains(constraint) == true)
        }
    }

    @Test("accepts at most ten managed policies, all of which must exist")
    func managedPolicies() async throws {
        try await STSSandbox.run { sts async throws in
            func policies(_ count: Int) -> FormFields {
                var form: FormFields = [:]
                for number in 0..<count {
                    form.fields.append(.init(name: "PolicyArns.member.\(number + 1).arn", value: "arn:aws:iam::aws:policy/P\(number)"))
                }
                return form
            }
            let token = try await sts.token()
            let many = try await sts.assume("company", token, policies(11))
            #expect(many.code == "ValidationError")
            #expect(many.message?.hasSuffix("Member must have length less than or equal to 10") == true)
            #expect(try await sts.assume("company", token, policies(1)).code == "MalformedPolicyDocument")
        }
    }

    @Test("accepts an integer number of seconds", arguments: ["", "x", "+-3600", "3600.0", "99999999999999999999"])
    func durationForm(text: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(), ["DurationSeconds": text])
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedInput")
        }
    }

    @Test(
        "limits the session to the role's maximum, whatever the lifetime of the token",
        arguments: [
            ("company", "900", true), ("company", "3600", true), ("company", "3601", false), ("app/long", "43200", true),
        ])
    func durations(role: String, duration: String, isAllowed: Bool) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume(role, sts.token(lifetime: 60), ["DurationSeconds": duration])
            #expect(answer.status == (isAllowed ? 200 : 400))
            guard !isAllowed else { return }
            #expect(answer.code == "ValidationError")
            #expect(answer["Type"] == "Sender")
            #expect(answer.message == "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
        }
    }

    @Test(
        "refuses an ARN that is not a role's",
        arguments: [
            "xxxxxxxxxxxxxxxxxxxx", "arn:aws:iam::00000000000:role/company", "arn:aws:iam::000000000000:user/company",
            "arn:aws:s3:::bucket/aaaaaaaaaaaaaaa", "arn:aws:iam::000000000000:role/", "arn:aws:iam:us-east-1:000000000000:role/x",
        ])
    func malformedRole(arn: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(), ["RoleArn": arn])
            #expect(answer.status == 400)
            #expect(answer.code == "ValidationError")
            #expect(answer.message == "Request ARN is invalid")
        }
    }

    @Test("returns one error for a missing role and an untrusting one", arguments: ["nowhere", "long", "app/company", "anybody", "google"])
    func notAuthorized(role: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume(role, sts.token())
            #expect(answer.status == 403)
            #expect(answer.code == "AccessDenied")
            #expect(answer.message == "Not authorized to perform sts:AssumeRoleWithWebIdentity")
        }
    }

    @Test(
        "refuses an invalid session policy",
        arguments: [
            "{}", "x", "[]", #"{"Statement":[]}"#, #"{"Statement":[{"Effect":"Allow","Action":"s3:*"}]}"#,
            #"{"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"*"}]}"#,
        ])
    func malformedPolicy(policy: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(), ["Policy": policy])
            #expect(answer.status == 400)
            #expect(answer.code == "MalformedPolicyDocument")
        }
    }

    @Test("returns the packed size of the policies")
    func packedSize() async throws {
        try await STSSandbox.run { sts async throws in
            func policy(_ count: Int) -> String {
                #"{"Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::\#(String(repeating: "x", count: count))"}]}"#
            }
            func size(_ text: String) async throws -> Int? {
                try await sts.assume("company", sts.token(), ["Policy": text])["PackedPolicySize"].flatMap { Int($0) }
            }
            let small = try #require(try await size(policy(10)))
            let large = try #require(try await size(policy(300)))
            #expect(24 < small)
            #expect(small < large)
            #expect(large <= 100)
            // 15 bytes, one of the statement, 12 characters of the action and 1913 of the resource, and one byte of each: 1943 of 460.
            #expect(
                try await sts.assume("company", sts.token(), ["Policy": policy(1900)]).refusal
                    == "400 PackedPolicyTooLarge Packed policy consumes 422% of allotted space, please use smaller policy.")
        }
    }
}
