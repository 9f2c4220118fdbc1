import Cloud
import Directory
import Synchronization
import Testing
import Tokens
import WireFormats

@testable import Federation

@Suite("Applications over the network")
struct ApplicationsTests {
    private static let url = "https://app.example/keys"

    private static var client: Client {
        var client = Client(id: "c", secret: nil, name: "c", redirectURIs: [], applicationID: nil)
        client.metadata.jwksURI = url
        return client
    }

    @Test("publish keys that are fetched once for concurrent callers, and again after a failure")
    func keys() async throws {
        let key = try SigningKey.generate(algorithm: .es256, created: .fill)
        let token = try JSONWebToken(parsing: JSONWebToken.sign(header: ["typ": "JWT"], claims: ["iss": "c"], key: key))
        let keys: JSONValue = ["keys": [.object(try key.jsonWebKey.json)]]
        let questions = Mutex<[String]>([])
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let applications = Applications(
            fetch: { url in
                let count = questions.withLock { questions in
                    questions.append(url)
                    return questions.count
                }
                if count > 1 { for await _ in released {} }
                return FetchedDocument(status: count == 1 ? 503 : 200, body: keys.serializedBytes())
            }, post: { _, _ in 500 })
        try await withSandbox { cloud async throws in
            #expect(try await !applications.signed(token, client: Self.client, in: cloud))
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 { group.addTask { try await applications.signed(token, client: Self.client, in: cloud) } }
                while applications.waiters(for: Self.url, in: cloud) < 10 { await Task.yield() }
                release.finish()
                for try await isSigned in group { #expect(isSigned) }
            }
        }
        #expect(questions.withLock { $0 } == [Self.url, Self.url])
    }

    @Test("are not authenticated by keys at a URL that is only canonically equivalent to theirs")
    func equivalentURLs() async throws {
        let key = try SigningKey.generate(algorithm: .es256, created: .fill)
        let token = try JSONWebToken(parsing: JSONWebToken.sign(header: ["typ": "JWT"], claims: ["iss": "c"], key: key))
        let keys: JSONValue = ["keys": [.object(try key.jsonWebKey.json)]]
        let (theirs, other) = ("https://app.example/K", "https://app.example/\u{212A}")
        let applications = Applications(
            fetch: { FetchedDocument(status: 200, body: $0 == other ? keys.serializedBytes() : Array(#"{"keys":[]}"#.utf8)) },
            post: { _, _ in 500 })
        var client = Self.client
        client.metadata.jwksURI = other
        try await withSandbox { [client] cloud async throws in
            var client = client
            #expect(try await applications.signed(token, client: client, in: cloud))
            client.metadata.jwksURI = theirs
            #expect(try await !applications.signed(token, client: client, in: cloud))
        }
    }

    @Test("are not authenticated by a key of the sandbox's own issuers, unless the token names it as some sandbox does")
    func ownKeys() async throws {
        let applications = Applications(fetch: { _ in FetchedDocument(status: 404, body: []) }, post: { _, _ in 500 })
        try await withSandbox { cloud async throws in
            let own = try await cloud.signingKey(for: "company", algorithm: .es256)
            let foreign = try SigningKey.generate(algorithm: .es256, created: .fill)
            func isSigned(by key: SigningKey, as name: String? = nil, published: String? = nil) async throws -> Bool {
                var document = try key.jsonWebKey.json
                if let published { document["kid"] = .string(published) }
                var client = Self.client
                client.metadata.jwks = ["keys": [.object(document)]]
                let text = try JSONWebToken.sign(header: ["kid": name.map { .string($0) } ?? .null], claims: ["iss": "c"], key: key)
                return try await applications.signed(try JSONWebToken(parsing: text), client: client, in: cloud)
            }
            let sibling = "\(own.keyID.prefix(22))-0123abcd"
            #expect(try await isSigned(by: own, as: own.keyID))
            #expect(try await isSigned(by: own, as: sibling, published: sibling))
            #expect(try await !isSigned(by: own))
            #expect(try await !isSigned(by: own, as: "other", published: "other"))
            #expect(try await isSigned(by: foreign))
            #expect(try await isSigned(by: foreign, as: "other", published: "other"))
        }
    }

    @Test("publish keys that are fetched again in the next generation of the sandbox")
    func generations() async throws {
        let key = try SigningKey.generate(algorithm: .es256, created: .fill)
        let token = try JSONWebToken(parsing: JSONWebToken.sign(header: ["typ": "JWT"], claims: ["iss": "c"], key: key))
        let keys: JSONValue = ["keys": [.object(try key.jsonWebKey.json)]]
        let questions = Mutex(0)
        let applications = Applications(
            fetch: { _ in
                questions.withLock { $0 += 1 }
                return FetchedDocument(status: 200, body: keys.serializedBytes())
            }, post: { _, _ in 500 })
        try await withSandbox { cloud async throws in
            for _ in 0..<2 { #expect(try await applications.signed(token, client: Self.client, in: cloud)) }
            #expect(questions.withLock { $0 } == 1)
            try await cloud.reset()
            #expect(try await applications.signed(token, client: Self.client, in: cloud))
            #expect(questions.withLock { $0 } == 2)
        }
    }
}
