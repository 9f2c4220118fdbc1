import Directory
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("Session tokens")
struct SessionTokensTests {
    private func mint(
        _ tokens: SessionTokens, _ cloud: Cloud, duration: Int = 3600, policies: [String] = [], sourceIdentity: String? = nil
    ) throws -> (credentials: SessionCredentials, token: String) {
        let role = try #require(cloud.directory.role("reader", in: "000000000000"))
        return try tokens.mint(
            for: .role(arn: role.arn, id: role.role.id, sessionName: "app1"), duration: duration
        ) { session in
            session.claims = [
                .init(key: "graph.facebook.com:id", values: ["1"]), .init(key: "x:amr", values: ["a", "b"]), .init(key: "e", values: []),
            ]
            session.transitiveTagKeys = ["team"]
            session.sessionPolicies = policies
            session.sourceIdentity = sourceIdentity
            session.deviceUsed = Timestamp(seconds: 1)
        }
    }

    @Test("return the session from which they were made, cached or not")
    func opening() async throws {
        try await withSandbox { cloud async throws in
            let policy = #"{"Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#
            let minted = try mint(SessionTokens(cloud: cloud), cloud, policies: [policy], sourceIdentity: "ann@home")
            let tokens = SessionTokens(cloud: cloud)
            for _ in 0..<2 {
                let opened = try tokens.open(minted.token, accessKeyID: minted.credentials.accessKeyID)
                #expect(opened.credentials == minted.credentials)
                #expect(opened.policies?.count == 1)
            }
            #expect(minted.credentials.expires == minted.credentials.issued + .seconds(3600))
            #expect(minted.credentials.issued.milliseconds % 1000 == 0)
            #expect(minted.credentials.sourceIdentity == "ann@home")
        }
    }

    @Test("sign as a role only while five minutes remain", arguments: [(3000, true), (3400, false)])
    func signing(age: Int, isSame: Bool) async throws {
        try await withSandbox { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let role = try #require(cloud.directory.role("reader", in: "000000000000")).arn
            let first = try #require(try authenticator.credentials(toSignAs: role))
            try await cloud.age(by: .seconds(age))
            let second = try #require(try authenticator.credentials(toSignAs: role))
            #expect((first.accessKey == second.accessKey) == isSame)
        }
    }

    @Test("do not reveal their content, and differ each time")
    func sealed() async throws {
        try await withSandbox { cloud async throws in
            let tokens = SessionTokens(cloud: cloud)
            let one = try mint(tokens, cloud)
            let other = try mint(tokens, cloud)
            #expect(one.token != other.token)
            #expect(one.credentials.accessKeyID != other.credentials.accessKeyID)
            let bytes = [UInt8](base64: one.token) ?? [UInt8](base64url: one.token) ?? Array(one.token.utf8)
            #expect(!String(decoding: bytes, as: UTF8.self).contains("reader"))
        }
    }

    @Test("are unknown if a character or the key differs")
    func unknown() async throws {
        try await withSandbox { cloud async throws in
            let tokens = SessionTokens(cloud: cloud)
            let minted = try mint(tokens, cloud)
            let id = minted.credentials.accessKeyID
            for place in [0, minted.token.count / 3, minted.token.count - 1] {
                var characters = Array(minted.token)
                characters[place] = characters[place] == "A" ? "B" : "A"
                #expect(throws: SessionTokenError.unknown) { try tokens.open(String(characters), accessKeyID: id) }
            }
            for token in ["", "x", String(minted.token.dropLast(4)), minted.token + "AAAA"] {
                #expect(throws: SessionTokenError.unknown) { try tokens.open(token, accessKeyID: id) }
            }
            _ = try tokens.open(minted.token, accessKeyID: id)
            #expect(throws: SessionTokenError.ofAnotherKey) { try tokens.open(minted.token, accessKeyID: "ASIAANOTHER") }
        }
    }

    @Test("expire, also if they were opened before")
    func expiry() async throws {
        try await withSandbox { cloud async throws in
            let tokens = SessionTokens(cloud: cloud)
            let minted = try mint(tokens, cloud, duration: 900)
            try tokens.checkEnd(of: try tokens.open(minted.token, accessKeyID: minted.credentials.accessKeyID))
            try await cloud.age(by: .seconds(900))
            for tokens in [tokens, SessionTokens(cloud: cloud)] {
                let session = try tokens.open(minted.token, accessKeyID: minted.credentials.accessKeyID)
                #expect(throws: SessionTokenError.expired) { try tokens.checkEnd(of: session) }
            }
        }
    }

    @Test("are unknown after a reset, also if they were opened before")
    func reset() async throws {
        try await withSandbox { cloud async throws in
            let tokens = SessionTokens(cloud: cloud)
            let minted = try mint(tokens, cloud)
            _ = try tokens.open(minted.token, accessKeyID: minted.credentials.accessKeyID)
            try await cloud.reset()
            #expect(throws: SessionTokenError.unknown) {
                try tokens.open(minted.token, accessKeyID: minted.credentials.accessKeyID)
            }
        }
    }
}
