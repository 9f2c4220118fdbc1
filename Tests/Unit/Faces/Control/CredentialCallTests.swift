import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import ControlFace

@Suite("Credential sources in the control API")
struct CredentialCallTests {
    private static let seed = """
        {accounts: [{
           id: "111122223333",
           roles: [{name: "app", trustPolicy: {Version: "2012-10-17", Statement: [
             {Effect: "Allow", Principal: {Service: "ec2.amazonaws.com"}, Action: "sts:AssumeRole"}]}}],
           instanceProfiles: [{name: "web", role: "app"}],
           instances: [{id: "i-0123456789abcdef0", profile: "web"}],
           tasks: [{id: "9781c2486b7a4e2f8f0a1c2d3e4f5a6b", role: "app"}],
           clusters: [{name: "shop", region: "eu-west-1", associations: [{namespace: "a", serviceAccount: "b", role: "app"}]}]}],
         identityProviders: [{name: "company", issuer: "https://login.company.example",
           people: [{name: "alice", subject: "1", password: "p-alice"}, {name: "bob", subject: "2", password: "p-bob", enabled: false}]}],
         identityCenter: {identityProvider: "company", permissionSets: [{name: "Dev"}],
           assignments: [{account: "111122223333", permissionSet: "Dev", people: ["alice", "bob"]}]}}
        """

    private func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        try await withCloud(Self.seed) { cloud async throws in try await test(ControlSandbox(cloud: cloud)) }
    }

    @Test("are offered with what a client needs (K39)")
    func offers() async throws {
        try await run { control async throws in
            let role: JSONValue = "arn:aws:iam::111122223333:role/app"
            let instance = try await control.send(.post, "/credentials", #"{"kind":"imds"}"#)
            #expect(instance.json == ["kind": "imds", "name": "i-0123456789abcdef0", "role": role])
            let task = try await control.send(.post, "/credentials", #"{"kind":"container"}"#)
            #expect(
                task.json == [
                    "kind": "container", "name": "9781c2486b7a4e2f8f0a1c2d3e4f5a6b", "role": role,
                    "path": "/v2/credentials/9781c248-6b7a-4e2f-8f0a-1c2d3e4f5a6b",
                ])
            let pod = try await control.send(.post, "/credentials", #"{"kind":"pod-identity","name":"a/b","lifetime":600}"#)
            #expect(pod.json["path"] == "/v1/credentials")
            #expect(pod.json["expires_in"] == 600)
            #expect(pod.json["region"] == "eu-west-1")
            let claims = try JSONWebToken(parsing: try #require(pod.json["token"]?.stringValue)).claims
            #expect(claims["sub"] == "system:serviceaccount:a:b")
            #expect(claims["aud"] == ["pods.eks.amazonaws.com"])
            #expect(claims["kubernetes.io"]?["pod"]?["name"] == "b-0")
            #expect(claims["kubernetes.io"]?["node"]?["name"] == "ip-10-0-0-10.eu-west-1.compute.internal")
        }
    }

    @Test("are listed with their paths and roles")
    func listing() async throws {
        try await run { control async throws in
            let doors = try await control.send(.get, "/credentials").json["doors"]?.arrayValue ?? []
            #expect(doors.map { $0["kind"] } == ["imds", "container", "pod-identity"])
            #expect(doors.map { $0["name"] } == ["i-0123456789abcdef0", "9781c2486b7a4e2f8f0a1c2d3e4f5a6b", "a/b"])
            #expect(doors.first?["path"] == "/latest/meta-data/iam/security-credentials/app")
            #expect(doors.first?["trusted"] == "ec2.amazonaws.com")
            #expect(doors.last?["role"] == "arn:aws:iam::111122223333:role/app")
        }
    }

    @Test(
        "are the files of a person who has logged in at IAM Identity Center (K39)",
        arguments: ["alice", "alice/Dev", "alice/Dev/111122223333"])
    func identityCenter(name: String) async throws {
        try await run { control async throws in
            let answer = try await control.send(.post, "/credentials", #"{"kind":"identity-center","name":"\#(name)"}"#)
            #expect(answer.json["name"] == "alice/Dev/111122223333")
            #expect(answer.json["role"]?.stringValue?.hasPrefix("arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/") == true)
            let files = try #require(answer.json["files"]?.objectValue)
            #expect(files[".aws/config"]?.stringValue?.contains("sso_role_name = Dev\n") == true)
            // The name of the file is the SHA-1 of that of the session, `virga`.
            let path = ".aws/sso/cache/\(SHA1.hash(Array("virga".utf8)).hex).json"
            let token = try JSONValue(parsing: try #require(files[path]?.stringValue))
            let tokens = try #require(CenterTokens(in: control.cloud))
            let holder = try tokens.holder(ofAccessToken: token["accessToken"]?.stringValue ?? "")
            #expect(holder?.person.name == "alice")
            let client = try #require(tokens.client(token["clientId"]?.stringValue ?? ""))
            #expect(client.hasSecret(token["clientSecret"]?.stringValue ?? "", in: control.cloud))
            _ = try await tokens.refresh(token["refreshToken"]?.stringValue ?? "", by: client)
        }
    }

    @Test("are listed with the account where a person has a permission set in several")
    func severalAccounts() async throws {
        let seed = """
            {accounts: [{id: "111122223333"}, {id: "444455556666"}],
             identityProviders: [{name: "company", issuer: "https://login.company.example",
               people: [{name: "alice", subject: "1", password: "p-alice"}]}],
             identityCenter: {identityProvider: "company", permissionSets: [{name: "Audit"}, {name: "Dev"}], assignments: [
               {account: "111122223333", permissionSet: "Dev", people: ["alice"]},
               {account: "444455556666", permissionSet: "Dev", people: ["alice"]},
               {account: "444455556666", permissionSet: "Audit", people: ["alice"]}]}}
            """
        try await withCloud(seed) { cloud async throws in
            let control = ControlSandbox(cloud: cloud)
            let answer = try await control.send(.post, "/credentials", #"{"kind":"identity-center","name":"x"}"#)
            let message = answer.json["message"]?.stringValue ?? ""
            for name in ["alice/Dev/111122223333", "alice/Dev/444455556666", "alice/Audit"] { #expect(message.contains(name)) }
            #expect(!message.contains("alice/Audit/"))
        }
    }

    @Test(
        "are explained by the trust policy of the role (K36)",
        arguments: [
            ("ec2.amazonaws.com", "sts:AssumeRole", true), ("ec2.amazonaws.com", "sts:TagSession", false),
            ("ecs-tasks.amazonaws.com", "sts:AssumeRole", false),
        ])
    func explanation(service: String, action: String, isAllowed: Bool) async throws {
        try await run { control async throws in
            let body = #"{"as":"\#(service)","action":"\#(action)","resource":"arn:aws:iam::111122223333:role/app"}"#
            let answer = try await control.send(.post, "/explain", body)
            #expect(answer.status == 200)
            #expect(answer.json["decision"] == (isAllowed ? "allowed" : "implicitDeny"))
        }
    }

    @Test(
        "are refused by name",
        arguments: [
            ("{}", "missing_member"), (#"{"kind":"sso"}"#, "malformed_member"), (#"{"kind":"imds","x":1}"#, "unknown_member"),
            (#"{"kind":"imds","audience":"x"}"#, "malformed_member"), (#"{"kind":"imds","name":"i-1"}"#, "unknown_source"),
            (#"{"kind":"container","name":"x"}"#, "unknown_source"), (#"{"kind":"pod-identity","name":"x"}"#, "unknown_source"),
            (#"{"kind":"pod-identity","lifetime":599}"#, "malformed_member"),
            (#"{"kind":"identity-center","name":"bob"}"#, "unknown_source"),
        ])
    func refusals(body: String, error: String) async throws {
        try await run { control async throws in
            #expect(try await control.send(.post, "/credentials", body).error == error)
        }
    }
}
