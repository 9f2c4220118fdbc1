import Calls
import Cloud
import Directory
import Fixtures
import HTTPTypes
import NIOCore
import Policy
import Testing
import WireFormats

@testable import AWSIdentityFaces
@testable import Tokens

@Suite("GetWebIdentityToken")
struct GetWebIdentityTokenTests {
    private let bob = STSSandbox.signature("bob")

    private func run(isEnabled: Bool = true, _ test: (STSSandbox) async throws -> Void) async throws {
        try await STSSandbox.run(seed: STSSandbox.principals) { sts async throws in
            try await sts.cloud.edit { directory in
                var account = try #require(directory.accounts[STSSandbox.account])
                account.outboundIssuer = OutboundIssuer(id: "a1", isEnabled: isEnabled)
                directory.put(.account(account))
            }
            try await test(sts)
        }
    }

    private func ask(_ sts: STSSandbox, _ more: FormFields = [:], as signature: STSSandbox.Signature? = nil) async throws -> STSAnswer {
        var form: FormFields = ["Audience.member.1": "https://api.example", "SigningAlgorithm": "ES384"]
        for field in more.fields {
            form.fields.removeAll { $0.name == field.name }
            form.fields.append(field)
        }
        return try await sts.call("GetWebIdentityToken", form, as: signature ?? bob)
    }

    private func expect(_ answer: STSAnswer, _ status: Int, _ code: String?, _ message: String? = nil) {
        #expect(answer.status == status, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        #expect(answer.code == code, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        if let message { #expect(answer.message == message) }
    }

    private func document(_ path: String, of sts: STSSandbox, issuer: String = "a1") async throws -> (Int, JSONValue) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost:4566", path: "/_aws/tokens/\(issuer)\(path)")
        let call = Call(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer())), peer: nil, isSecure: false, cloud: sts.cloud,
            names: sts.names)
        let response = await OutboundIssuerFace().respond(to: call, issuer: issuer, path: path)
        return (Int(response.status.code), try JSONValue(parsing: await FaceAnswer(response, call.entry(status: 200)).body))
    }

    @Test("signs with a key that the account's issuer publishes", arguments: ["RS256", "ES384"])
    func signature(algorithm: String) async throws {
        try await run { sts async throws in
            let answer = try await ask(sts, ["SigningAlgorithm": algorithm])
            expect(answer, 200, nil)
            let token = try JSONWebToken(parsing: #require(answer["WebIdentityToken"]))
            #expect(token.algorithm.rawValue == algorithm)
            let (_, metadata) = try await document("/.well-known/openid-configuration", of: sts)
            #expect(metadata["issuer"] == token.claims["iss"])
            #expect(token.claims["iss"] == "http://localhost:4566/_aws/tokens/a1")
            #expect(metadata["jwks_uri"] == "http://localhost:4566/_aws/tokens/a1/.well-known/jwks.json")
            let (_, keys) = try await document("/.well-known/jwks.json", of: sts)
            let set = try #require(JSONWebKeySet(parsing: keys.serializedBytes()))
            #expect(set.keys.count == 2)
            let key = try #require(set.keys.first { $0.keyID == token.keyID })
            try token.verify(with: key.key)
            #expect(try await document("/.well-known/jwks.json", of: sts, issuer: "b2").0 == 404)
            #expect(try await document("/", of: sts).0 == 404)
        }
    }

    @Test("names the caller, its session and its tags")
    func claims() async throws {
        try await run { sts async throws in
            try await sts.cloud.edit { directory in
                var role = try #require(directory.role("taking", in: STSSandbox.account)?.role)
                role.tags = [Tag(key: "Team", value: "blue"), Tag(key: "floor", value: "2")]
                directory.put(.role(role))
            }
            let session = try await sts.take(
                "taking", as: bob, ["Tags.member.1.Key": "team", "Tags.member.1.Value": "red", "SourceIdentity": "bob"])
            let answer = try await ask(
                sts,
                [
                    "Audience.member.2": "https://other.example", "Tags.member.1.Key": "job", "Tags.member.1.Value": "7",
                    "DurationSeconds": "60",
                ],
                as: session.credentials)
            expect(answer, 200, nil)
            let claims = try JSONWebToken(parsing: #require(answer["WebIdentityToken"])).claims
            #expect(claims["sub"] == "arn:aws:iam::000000000000:role/taking")
            #expect(claims["aud"] == ["https://api.example", "https://other.example"])
            let (issued, expiry) = (claims["iat"]?.integerValue ?? 0, claims["exp"]?.integerValue ?? 0)
            #expect(expiry - issued == 60)
            #expect(answer["Expiration"] == Timestamp(seconds: expiry).iso8601Milliseconds)
            #expect(claims["jti"]?.stringValue?.utf8.count == 36)
            #expect(
                claims["https://sts.amazonaws.com/"] == [
                    "aws_account": "000000000000", "source_region": "us-east-1",
                    "principal_id": "arn:aws:iam::000000000000:role/taking", "principal_tags": ["floor": "2", "team": "red"],
                    "original_session_exp": .string(session["Expiration"] ?? ""), "source_identity": "bob", "request_tags": ["job": "7"],
                ])
            let user = try JSONWebToken(parsing: #require(try await ask(sts)["WebIdentityToken"])).claims
            #expect(user["sub"] == "arn:aws:iam::000000000000:user/bob")
            #expect(user["aud"] == "https://api.example")
            #expect(
                user["https://sts.amazonaws.com/"] == [
                    "aws_account": "000000000000", "source_region": "us-east-1", "principal_id": "arn:aws:iam::000000000000:user/bob",
                ])
        }
    }

    @Test("ends with an aged session", arguments: ["GetWebIdentityToken", "GetScopedCredentials"])
    func agedSession(action: String) async throws {
        try await run { sts async throws in
            let session = try await sts.take("taking", as: bob, ["DurationSeconds": "3600"])
            let end = try #require(session["Expiration"].flatMap { Timestamp(iso8601: $0) }) - .seconds(3000)
            try await sts.cloud.age(by: .seconds(3000))
            func status(_ seconds: Int) async throws -> Int {
                var form: FormFields = ["DurationSeconds": String(seconds)]
                if action == "GetWebIdentityToken" {
                    form.fields += [.init(name: "Audience.member.1", value: "a"), .init(name: "SigningAlgorithm", value: "ES384")]
                }
                return try await sts.call(action, form, as: session.credentials).status
            }
            // The seconds of the test itself are part of the session, too.
            let left = Int(end.seconds - sts.cloud.clock.now.seconds)
            #expect(try await status(left + 5) != 200)
            #expect(try await status(left - 300) == 200)
            let claims = try JSONWebToken(
                parsing: #require(try await ask(sts, ["DurationSeconds": "60"], as: session.credentials)["WebIdentityToken"])
            ).claims
            #expect(claims["https://sts.amazonaws.com/"]?["original_session_exp"] == .string(end.iso8601))
        }
    }

    @Test("accepts tags that are reserved for sessions")
    func reservedTags() async throws {
        try await run { sts async throws in
            let tag: FormFields = ["Tags.member.1.Key": "aws:test", "Tags.member.1.Value": "reserved"]
            let claims = try JSONWebToken(parsing: #require(try await ask(sts, tag)["WebIdentityToken"])).claims
            #expect(claims["https://sts.amazonaws.com/"]?["request_tags"] == ["aws:test": "reserved"])
            let twice: FormFields = [
                "Tags.member.1.Key": "a", "Tags.member.1.Value": "", "Tags.member.2.Key": "A", "Tags.member.2.Value": "",
            ]
            try await expect(ask(sts, twice), 400, "InvalidParameterValue")
        }
    }

    @Test("signs with one of two algorithms", arguments: ["RS512", "ES256", "HS256", "rs256"])
    func algorithms(name: String) async throws {
        try await run { sts async throws in
            try await expect(
                ask(sts, ["SigningAlgorithm": name]), 400, "ValidationError",
                "Requested SigningAlgorithm is not supported. See the GetWebIdentityToken documentation for supported algorithms")
        }
    }

    @Test(
        "repeats lists that are too long, and reports two violations for an empty key",
        arguments: [
            (
                ["Audience": ""], ["Audience.member.1"],
                "1 validation error detected: Value null at 'audience' failed to satisfy constraint: Member must not be null"
            ),
            (
                [
                    "Audience.member.1": "1", "Audience.member.2": "2", "Audience.member.3": "3", "Audience.member.4": "4",
                    "Audience.member.5": "5", "Audience.member.6": "6", "Audience.member.7": "7", "Audience.member.8": "8",
                    "Audience.member.9": "9", "Audience.member.10": "10", "Audience.member.11": "11",
                ], [],
                "1 validation error detected: Value '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]' at 'audience' failed to satisfy constraint: Member must have length less than or equal to 10"
            ),
            (
                ["Tags.member.1.Key": "", "Tags.member.1.Value": "x"], [],
                #"2 validation errors detected: Value '' at 'tags.1.member.key' failed to satisfy constraint: Member must have length greater than or equal to 1; Value '' at 'tags.1.member.key' failed to satisfy constraint: Member must satisfy regular expression pattern: [\p{L}\p{Z}\p{N}_.:/=+\-@]+"#
            ),
        ] as [(FormFields, [String], String)])
    func faults(_ parameters: FormFields, _ without: [String], _ message: String) async throws {
        try await run { sts async throws in
            var form: FormFields = ["Audience.member.1": "https://api.example", "SigningAlgorithm": "ES384"]
            form.fields.removeAll { field in without.contains(field.name) || parameters.fields.contains { $0.name == field.name } }
            form.fields += parameters.fields
            try await expect(sts.call("GetWebIdentityToken", form, as: bob), 400, "ValidationError", message)
        }
    }

    @Test("limits the token to the lifetime of the session")
    func escalation() async throws {
        try await run { sts async throws in
            let session = try await sts.take("taking", as: bob, ["DurationSeconds": "900"]).credentials
            try await expect(ask(sts, ["DurationSeconds": "800"], as: session), 200, nil)
            try await expect(
                ask(sts, ["DurationSeconds": "3600"], as: session), 403, "SessionDurationEscalationException",
                "The requested token duration would extend the session beyond its original expiration time.")
        }
    }

    @Test(
        "validates its parameters",
        arguments: [
            ["SigningAlgorithm": "RS512"], ["SigningAlgorithm": "none"], ["DurationSeconds": "59"], ["DurationSeconds": "3601"],
            ["Audience.member.1": ""], ["Tags.member.1.Value": "x"],
        ] as [FormFields])
    func parameters(parameters: FormFields) async throws {
        try await run { sts async throws in
            try await expect(ask(sts, parameters), 400, "ValidationError")
            try await expect(sts.call("GetWebIdentityToken", ["SigningAlgorithm": "RS256"], as: bob), 400, "ValidationError")
        }
    }

    @Test("limits the size of the token")
    func size() async throws {
        try await run { sts async throws in
            var tags: FormFields = [:]
            for number in 1...50 {
                tags.fields.append(.init(name: "Tags.member.\(number).Key", value: "key\(number)"))
                tags.fields.append(.init(name: "Tags.member.\(number).Value", value: String(repeating: "v", count: 256)))
            }
            for number in 2...4 {
                tags.fields.append(.init(name: "Audience.member.\(number)", value: String(repeating: "a", count: 1000)))
            }
            try await expect(
                ask(sts, tags), 400, "JWTPayloadSizeExceededException", "JWT payload exceeds maximum allowed size")
        }
    }

    @Test("is refused without permission, and for an account that has not enabled it")
    func refusals() async throws {
        try await run(isEnabled: false) { sts async throws in
            try await expect(
                ask(sts), 403, "OutboundWebIdentityFederationDisabledException",
                "OutboundWebIdentityFederation is disabled.")
            try await expect(ask(sts, as: STSSandbox.signature("dora")), 403, "OutboundWebIdentityFederationDisabledException")
            try await expect(
                ask(sts, as: STSSandbox.signature("ann")), 403, "AccessDenied",
                "User: arn:aws:iam::000000000000:user/ann is not authorized to perform: sts:GetWebIdentityToken "
                    + "because no identity-based policy allows the sts:GetWebIdentityToken action")
        }
    }

    @Test(
        "can be limited to audiences, durations and algorithms by policies",
        arguments: [
            ([:], true), (["Audience.member.2": "https://other.example"], false), (["DurationSeconds": "301"], false),
            (["SigningAlgorithm": "RS256"], false),
        ] as [(FormFields, Bool)])
    func conditions(parameters: FormFields, isAllowed: Bool) async throws {
        try await run { sts async throws in
            try await sts.cloud.edit { directory in
                var user = try #require(directory.user("ann", in: STSSandbox.account)?.user)
                user.policies = [
                    InlinePolicy(
                        name: "p",
                        document: try .init(
                            parsing: """
                                {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "sts:GetWebIdentityToken", "Resource": "*",
                                 "Condition": {"ForAllValues:StringEquals": {"sts:IdentityTokenAudience": "https://api.example"},
                                  "NumericLessThanEquals": {"sts:DurationSeconds": 300}, "StringEquals": {"sts:SigningAlgorithm": "ES384"}}}}
                                """, kind: .identity))
                ]
                directory.put(.user(user))
            }
            let answer = try await ask(sts, parameters, as: STSSandbox.signature("ann"))
            isAllowed ? expect(answer, 200, nil) : expect(answer, 403, "AccessDenied")
        }
    }
}
