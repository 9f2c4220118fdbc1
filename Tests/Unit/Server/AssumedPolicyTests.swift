import Calls
import HTTPTypes
import Testing
import WireFormats

@testable import VirgaServer

@Suite("Policies that are not saved")
struct AssumedPolicyTests {
    private static let reader = "arn:aws:iam::000000000000:role/reader"

    private static func statement(_ effect: String, _ action: String, principal: String? = nil) -> JSONValue {
        var statement: JSONObject = ["Effect": .string(effect), "Action": .string(action), "Resource": "*"]
        if let principal { statement["Principal"] = .string(principal) }
        return ["Version": "2012-10-17", "Statement": [.object(statement)]]
    }

    private static func ask(_ door: DoorOfATest, _ action: String, _ members: JSONObject) async throws -> JSONValue {
        var body: JSONObject = ["as": .string(reader), "action": .string(action), "resource": "arn:aws:s3:::box/key"]
        for (name, value) in members.members { body[name] = value }
        return try await door.control(.post, "/explain", .object(body))
    }

    @Test("replace, add and remove those of the caller")
    func identity() async throws {
        try await DoorOfATest.run { door async throws in
            let saved = try await Self.ask(door, "s3:GetObject", [:])
            #expect(saved["decision"] == "allowed")
            #expect(saved["assumed"] == nil)
            let removed = try await Self.ask(door, "s3:GetObject", ["policies": ["read": .null]])
            #expect(removed["decision"] == "implicitDeny")
            #expect(removed["assumed"] == true)
            let replaced = try await Self.ask(door, "s3:GetObject", ["policies": ["read": Self.statement("Deny", "s3:*")]])
            #expect(replaced["decision"] == "explicitDeny")
            let added = try await Self.ask(
                door, "s3:PutObject", ["policies": ["more": .string(Self.statement("Allow", "s3:Put*").serialized())]])
            #expect(added["decision"] == "allowed")
            #expect(try await Self.ask(door, "s3:GetObject", [:])["decision"] == "allowed", "nothing was saved")
        }
    }

    @Test("replace that of the resource, and the trust policy of a role")
    func resource() async throws {
        try await DoorOfATest.run { door async throws in
            let anyone: JSONObject = ["as": "anonymous", "resourcePolicy": Self.statement("Allow", "s3:GetObject", principal: "*")]
            #expect(try await Self.ask(door, "s3:GetObject", anyone)["decision"] == "allowed")
            #expect(try await Self.ask(door, "s3:GetObject", ["as": "anonymous"])["decision"] == "implicitDeny")
            let trust: JSONValue = [
                "Version": "2012-10-17",
                "Statement": [["Effect": "Deny", "Action": "sts:AssumeRole", "Principal": ["AWS": "*"]]],
            ]
            let role: JSONObject = ["as": "arn:aws:iam::000000000000:role/web", "resource": .string(Self.reader), "trustPolicy": trust]
            #expect(try await Self.ask(door, "sts:AssumeRole", role)["decision"] == "explicitDeny")
        }
    }

    @Test("replace the trust policy for the users of an identity provider")
    func federated() async throws {
        try await DoorOfATest.run { door async throws in
            let provider = "arn:aws:iam::000000000000:oidc-provider/login.company.example"
            let role: JSONValue = "arn:aws:iam::000000000000:role/web"
            func ask(_ members: JSONObject) async throws -> JSONValue {
                var body: JSONObject = ["action": "sts:AssumeRoleWithWebIdentity", "resource": role]
                for (name, value) in members.members { body[name] = value }
                return try await door.control(.post, "/explain", .object(body))
            }
            let saved = try await ask(["as": .string(provider), "documents": true])
            #expect(saved["decision"] == "allowed", "\(saved)")
            #expect(saved["policies"]?.arrayValue?.first?["policy_type"] == "role trust policy", "\(saved)")
            let trust: JSONValue = [
                "Version": "2012-10-17",
                "Statement": [
                    [
                        "Effect": "Allow", "Action": "sts:AssumeRoleWithWebIdentity", "Principal": ["Federated": .string(provider)],
                        "Condition": ["StringEquals": ["login.company.example:sub": "1"]],
                    ]
                ],
            ]
            #expect(try await ask(["as": .string(provider), "trustPolicy": trust])["decision"] == "implicitDeny")
            let claims: JSONValue = ["login.company.example:sub": "1"]
            #expect(try await ask(["as": .string(provider), "trustPolicy": trust, "context": claims])["decision"] == "allowed")
            let issued = try await door.control(.post, "/tokens", ["provider": "company", "user": "alice"])
            let withToken = try await ask(["token": issued["token"] ?? "", "trustPolicy": trust])
            #expect(withToken["decision"] == "allowed", "\(withToken)")
            #expect(withToken["assumed"] == true, "\(withToken)")
            #expect(try await ask(["token": "x"])["error"] == "invalid_token")
            #expect(try await ask(["as": "anonymous"])["error"] == "token_action")
            #expect(try await ask(["as": .string(provider), "resource": "arn:aws:iam::000000000000:role/none"])["error"] == "unknown_role")
            let saml = try await door.control(
                .post, "/explain",
                [
                    "as": "arn:aws:iam::000000000000:saml-provider/company", "action": "sts:AssumeRoleWithSAML", "resource": role,
                    "trustPolicy": [
                        "Version": "2012-10-17",
                        "Statement": [
                            [
                                "Effect": "Allow", "Action": "sts:AssumeRoleWithSAML",
                                "Principal": ["Federated": "arn:aws:iam::000000000000:saml-provider/company"],
                            ]
                        ],
                    ],
                ])
            #expect(saml["decision"] == "allowed", "\(saml)")
        }
    }

    @Test("are returned with their owners and the keys that they read")
    func documents() async throws {
        try await DoorOfATest.run { door async throws in
            let answer = try await Self.ask(door, "s3:GetObject", ["documents": true])
            let policy = answer["policies"]?.arrayValue?.first
            #expect(policy?["owner"] == ["kind": "role", "name": "reader", "policy": "read"], "\(answer)")
            #expect(policy?["document"]?["Statement"] != nil)
            #expect(policy?["keys"] == [])
            #expect(try await Self.ask(door, "s3:GetObject", ["documents": "yes"])["error"] == "malformed_member")
        }
    }

    @Test("are not accepted if they are none")
    func malformed() async throws {
        try await DoorOfATest.run { door async throws in
            for (members, error) in [
                (["policies": ["read": ["Statement": [["Effect": "Maybe"]]]]], "malformed_policy"),
                (["policies": ["read": "{"]], "malformed_policy"),
                (["policies": []], "malformed_member"),
                (["trustPolicy": Self.statement("Allow", "s3:*", principal: "*")], "malformed_member"),
                (["session": "x"], "malformed_member"),
            ] as [(JSONObject, String)] {
                #expect(try await Self.ask(door, "s3:GetObject", members)["error"] == .string(error), "\(members)")
            }
            let absent = try await door.control(
                .post, "/explain", ["session": "arn:x", "action": "s3:GetObject", "resource": "arn:aws:s3:::box/key"])
            #expect(absent["error"] == "unknown_session")
        }
    }

    @Test("can be asked on behalf of a running session")
    func session() async throws {
        try await DoorOfATest.run { door async throws in
            _ = try await door.control(.post, "/send", ["as": .string(Self.reader), "target": "/box"])
            let answer = try await door.control(
                .post, "/explain",
                [
                    "session": "arn:aws:sts::000000000000:assumed-role/reader/virga", "action": "s3:GetObject",
                    "resource": "arn:aws:s3:::box/key",
                ])
            #expect(answer["decision"] == "allowed")
            #expect(answer["session"]?["access_key_id"]?.stringValue?.hasPrefix("ASIA") == true)
        }
    }
}

@Suite("The catalogue of errors on demand")
struct FaultCatalogueTests {
    @Test("has only codes that rules accept")
    func codes() async throws {
        try await DoorOfATest.run { door async throws in
            let services = try await door.control(.get, "/faults/catalogue")["services"]?.arrayValue ?? []
            let names = Set(services.compactMap { $0["name"]?.stringValue })
            #expect(names.isSuperset(of: ["s3", "sts", "oss", "company", "facebook"]))
            for service in services {
                let codes = service["codes"]?.arrayValue ?? []
                #expect(!codes.isEmpty)
                for code in codes {
                    let rule = try await door.control(.post, "/faults", ["service": service["name"] ?? "", "error": code["code"] ?? ""])
                    #expect(rule["id"] != nil, "\(rule)")
                }
            }
        }
    }
}
