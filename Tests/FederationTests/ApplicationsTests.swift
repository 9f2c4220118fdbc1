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
        #expect(await !applications.signed(token, client: Self.client))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 { group.addTask { await applications.signed(token, client: Self.client) } }
            while applications.waiters(for: Self.url) < 10 { await Task.yield() }
            release.finish()
            for await isSigned in group { #expect(isSigned) }
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
        #expect(await applications.signed(token, client: client))
        client.metadata.jwksURI = theirs
        #expect(await !applications.signed(token, client: client))
    }
}
