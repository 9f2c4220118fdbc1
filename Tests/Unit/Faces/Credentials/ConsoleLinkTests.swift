import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("Links to the console")
struct ConsoleLinkTests {
    /// The credentials of a session, as the endpoint takes them.
    private static func session(_ sandbox: DoorSandbox) async throws -> (key: String, text: String) {
        let issued = try await sandbox.metadata("meta-data/iam/security-credentials/app")
        let key = issued.member("AccessKeyId") ?? ""
        let json: JSONValue = [
            "sessionId": .string(key), "sessionKey": .string(issued.member("SecretAccessKey") ?? ""),
            "sessionToken": .string(issued.member("Token") ?? ""),
        ]
        return (key, json.serialized())
    }

    private static func exchange(
        _ session: String, _ sandbox: DoorSandbox, authority: String = "127.0.0.1:4566"
    ) async throws -> FaceAnswer {
        let fields: FormFields = ["Action": "getSigninToken", "Session": session]
        return try await sandbox.send(.get, "/federation?\(fields.encoded)", authority: authority)
    }

    private static func logIn(
        _ token: String, _ sandbox: DoorSandbox, authority: String = "127.0.0.1:4566"
    ) async throws -> FaceAnswer {
        let fields: FormFields = ["Action": "login", "Destination": "https://console.aws.amazon.com/", "SigninToken": token]
        return try await sandbox.send(.get, "/federation?\(fields.encoded)", authority: authority)
    }

    @Test("open the console as exactly the session, and not as another one of the same name")
    func exact() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let session = try await Self.session(sandbox)
            let token = try #require(try await Self.exchange(session.text, sandbox).member("SigninToken"))
            _ = try await Self.session(sandbox)
            let answer = try await Self.logIn(token, sandbox)
            #expect(answer.status == 302)
            #expect(answer.fields[.location] == "/_virga/ui/store?as=\(session.key)")
            #expect(answer.journal.caller?.hasSuffix(":assumed-role/app/\(DoorSandbox.instance)") == true)
        }
    }

    @Test("are for sessions whose role exists")
    func removed() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let session = try await Self.session(sandbox)
            let token = try #require(try await Self.exchange(session.text, sandbox).member("SigninToken"))
            try await sandbox.cloud.edit { $0.remove(.init(.role, "arn:aws:iam::\(DoorSandbox.account):role/app")) }
            #expect(try await Self.logIn(token, sandbox).status == 400)
            #expect(try await Self.exchange(session.text, sandbox).status == 400)
        }
    }

    @Test("are refused at names that are bound to this machine's address")
    func hosts() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let session = try await Self.session(sandbox)
            #expect(try await Self.exchange(session.text, sandbox, authority: "rebound.example").status == 403)
            let token = try #require(try await Self.exchange(session.text, sandbox).member("SigninToken"))
            #expect(try await Self.logIn(token, sandbox, authority: "rebound.example").status == 403)
        }
    }

    @Test("have parameters of up to 64 KiB")
    func large() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let body = "Action=getSigninToken&Session=" + String(repeating: "x", count: 70_000)
            let answer = try await sandbox.send(.post, "/federation", ["Content-Type": "application/x-www-form-urlencoded"], body: body)
            #expect(answer.status == 413)
        }
    }
}
