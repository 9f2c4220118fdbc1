import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("The access portal of IAM Identity Center")
struct CenterPortalTests {
    private static func target(_ set: String, in account: String = CenterSandbox.account) -> String {
        "/federation/credentials?role_name=\(set)&account_id=\(account)"
    }

    private func names(_ answer: FaceAnswer, _ list: String, _ member: String) -> [String] {
        answer.json[list]?.arrayValue?.compactMap { $0[member]?.stringValue } ?? []
    }

    @Test("lists the accounts and permission sets that are assigned to a person or to the person's groups (K17)")
    func lists() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let alice = try await sandbox.token()
            let accounts = try await sandbox.portal("/assignment/accounts", alice)
            #expect(names(accounts, "accountList", "accountId") == [CenterSandbox.account, CenterSandbox.other])
            #expect(names(accounts, "accountList", "accountName") == ["shop", "depot"])
            #expect(names(accounts, "accountList", "emailAddress") == ["root@shop.example", "depot@example.com"])
            #expect(accounts.journal.face == "sso")
            #expect(accounts.journal.caller == "alice")
            let roles = try await sandbox.portal("/assignment/roles?account_id=\(CenterSandbox.account)", alice)
            #expect(names(roles, "roleList", "roleName") == ["Audit", "Dev"])
            #expect(names(roles, "roleList", "accountId") == [CenterSandbox.account, CenterSandbox.account])
            let bob = try await sandbox.token("bob")
            #expect(names(try await sandbox.portal("/assignment/accounts", bob), "accountList", "accountId") == [CenterSandbox.account])
            let carol = try await sandbox.portal("/assignment/accounts", try await sandbox.token("carol"))
            #expect(carol.json["accountList"] == .array([]))
        }
    }

    @Test("lists in pages (K17)")
    func pages() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let token = try await sandbox.token()
            let first = try await sandbox.portal("/assignment/accounts?max_result=1", token)
            #expect(names(first, "accountList", "accountId") == [CenterSandbox.account])
            let next = try #require(first.member("nextToken"))
            let second = try await sandbox.portal("/assignment/accounts?max_result=1&next_token=\(next)", token)
            #expect(names(second, "accountList", "accountId") == [CenterSandbox.other])
            #expect(second.json["nextToken"] == nil)
            for wrong in ["max_result=0", "max_result=101", "max_result=x", "next_token=*"] {
                let answer = try await sandbox.portal("/assignment/accounts?\(wrong)", token)
                #expect(answer.status == 400)
                #expect(answer.exception == "InvalidRequestException")
            }
        }
    }

    @Test("issues credentials of the reserved role, with an expiration in milliseconds (K17, K18)")
    func credentials() async throws {
        try await CenterSandbox.run(CenterSandbox.seed(sessionDuration: 7200)) { sandbox async throws in
            let answer = try await sandbox.portal(Self.target("Dev"), try await sandbox.token("bob"))
            #expect(answer.status == 200, "\(answer.text)")
            let issued = try #require(answer.json["roleCredentials"]?.objectValue)
            #expect(issued.names == ["accessKeyId", "secretAccessKey", "sessionToken", "expiration"])
            let session = try sandbox.sessions.open(
                issued["sessionToken"]?.stringValue ?? "", accessKeyID: issued["accessKeyId"]?.stringValue ?? "")
            #expect(session.principal.name.hasPrefix("arn:aws:sts::111122223333:assumed-role/AWSReservedSSO_Dev_"))
            #expect(session.principal.name.hasSuffix("/bob"))
            #expect(session.credentials.expires.milliseconds == issued["expiration"]?.integerValue)
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == 7200)
            #expect(answer.journal.operation == "GetRoleCredentials")
            #expect(answer.journal.decisions.first?.action == "sts:AssumeRoleWithSAML")
        }
    }

    @Test(
        "answers 403 No access for what is not assigned (K17)",
        arguments: [
            ("bob", target("Audit")), ("bob", target("Dev", in: CenterSandbox.other)), ("carol", target("Dev")),
            ("alice", target("Unknown")), ("bob", "/assignment/roles?account_id=444455556666"),
            ("alice", "/assignment/roles?account_id=777788889999"),
        ])
    func noAccess(person: String, target: String) async throws {
        try await CenterSandbox.run { sandbox async throws in
            let answer = try await sandbox.portal(target, try await sandbox.token(person))
            #expect(answer.status == 403)
            #expect(answer.exception == "ForbiddenException")
            #expect(answer.member("message") == "No access")
            #expect(answer.journal.cause != nil)
        }
    }

    @Test("answers 401 for tokens that are not valid (K17)")
    func unauthorized() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let answer = try await sandbox.portal("/assignment/accounts", "x")
            #expect(answer.status == 401)
            #expect(answer.exception == "UnauthorizedException")
            #expect(answer.member("message") == "Session token not found or invalid")
            let token = try await sandbox.token()
            #expect(try await sandbox.portal("/federation/credentials?role_name=Dev", token).exception == "InvalidRequestException")
            try await sandbox.cloud.age(by: .seconds(3600))
            #expect(try await sandbox.portal("/assignment/accounts", token).status == 401)
        }
    }

    @Test("ends the tokens of a login, and not the sessions of roles (K17)")
    func logout() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            let login = try await sandbox.logIn("alice", client)
            let (token, other) = (login.member("accessToken") ?? "", try await sandbox.token())
            let credentials = try await sandbox.portal(Self.target("Dev"), token).json["roleCredentials"]?.objectValue ?? [:]
            let answer = try await sandbox.portal("/logout", token, .post)
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(try await sandbox.portal("/assignment/accounts", token).status == 401)
            let refresh = try await sandbox.post(
                "/token", client.with(["grantType": "refresh_token", "refreshToken": .string(login.member("refreshToken") ?? "")]))
            #expect(refresh.exception == "InvalidGrantException")
            #expect(try await sandbox.portal("/assignment/accounts", other).status == 200)
            let session = try sandbox.sessions.open(
                credentials["sessionToken"]?.stringValue ?? "", accessKeyID: credentials["accessKeyId"]?.stringValue ?? "")
            #expect(throws: Never.self) { try sandbox.sessions.checkEnd(of: session) }
        }
    }

    @Test("looks at the groups of a person for every request (K18)")
    func groups() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let token = try await sandbox.token("bob")
            #expect(try await sandbox.portal(Self.target("Dev"), token).status == 200)
            var bob = try #require(sandbox.cloud.directory.providers["company"]?.person(named: "bob"))
            bob.claims["groups"] = .array([])
            let changed = bob
            try await sandbox.cloud.edit { $0.put(changed, at: "company") }
            let answer = try await sandbox.portal(Self.target("Dev"), token)
            #expect(answer.exception == "ForbiddenException")
        }
    }

    @Test("depends on the SAML provider of the account (K18, K36)")
    func trust() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let token = try await sandbox.token()
            let center = try #require(sandbox.cloud.directory.credentialSources.identityCenter)
            try await sandbox.cloud.edit { $0.remove(.init(.samlTrust, center.samlProviderARN(in: CenterSandbox.account))) }
            let answer = try await sandbox.portal(Self.target("Dev"), token)
            #expect(answer.exception == "ForbiddenException")
            #expect(answer.journal.cause?.hasSuffix("was deleted.") == true)
        }
    }

    @Test("makes roles with path, trust policy and provider, which IAM does not change (K18)", arguments: ["us-east-1", "eu-west-1"])
    func roles(region: String) async throws {
        try await CenterSandbox.run(CenterSandbox.seed(center: "region: '\(region)',")) { sandbox async throws in
            let directory = sandbox.cloud.directory
            let center = try #require(directory.credentialSources.identityCenter)
            let name = center.roleName(of: "Dev", in: CenterSandbox.account)
            let role = try #require(directory.role(name, in: CenterSandbox.account)?.role)
            #expect(role.path == "/aws-reserved/sso.amazonaws.com/" + (region == "us-east-1" ? "" : "eu-west-1/"))
            #expect(role.name.utf8.count == "AWSReservedSSO_Dev_".utf8.count + 16)
            #expect(role.policies.map(\.name) == ["own"])
            let trust = role.trustPolicy.document.json.serialized()
            let provider = center.samlProviderARN(in: CenterSandbox.account)
            #expect(trust.contains(provider))
            #expect(trust.contains("sts:AssumeRoleWithSAML"))
            let samlProvider = try #require(directory.samlTrusts[provider])
            #expect(samlProvider.name.hasSuffix("_DO_NOT_DELETE"))
            let metadata = try await samlProvider.currentMetadata(in: sandbox.cloud)
            #expect(metadata.contains("https://portal.sso.\(region).amazonaws.com/saml/assertion/"))
            #expect(throws: DirectoryRefusal.protectedRole(name)) {
                var copy = directory
                try copy.updateRole(name, in: CenterSandbox.account, isDescription: true) { $0.description = "x" }
            }
            #expect(throws: DirectoryRefusal.protectedRole(name)) {
                var copy = directory
                try copy.deleteRole(name, in: CenterSandbox.account, unlessHolding: [])
            }
        }
    }

    @Test("keeps tokens and secrets out of the journal (K36)")
    func secrets() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let token = try await sandbox.token()
            let answer = try await sandbox.portal(Self.target("Dev"), token)
            let entry = "\(answer.journal)"
            #expect(!entry.contains(token))
            let secret = answer.json["roleCredentials"]?["secretAccessKey"]?.stringValue ?? "?"
            #expect(!entry.contains(secret))
        }
    }
}
