import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import ObjectStore
import Synchronization
import WireFormats

@testable import ConsoleFace

/// A console whose control API is a table of answers.
struct ConsoleOfATest {
    let cloud: Cloud
    var controlToken: String?
    var ownPort: Int?
    var names = HostNames()
    var attempts = SignInAttempts(code: "once")
    /// The answers of the control API by method and path.
    var answers: [String: JSONValue] = [:]
    let calls = Mutex2<[Request]>([])

    /// A value behind a lock, which can be part of a struct that is copied.
    final class Mutex2<Value: Sendable>: Sendable {
        private let mutex: Mutex<Value>
        init(_ value: Value) { mutex = Mutex(value) }
        func with<T: Sendable>(_ body: @Sendable (inout Value) -> T) -> T { mutex.withLock { body(&$0) } }
    }

    private static let info: JSONValue = [
        "version": "1", "sandbox": "default", "generation": 1, "clock": ["now": "2026-01-01T00:00:00.000Z", "mode": "running", "ages": []],
        "accounts": [], "services": [], "providers": [], "faults": 0, "counts": [:],
    ]

    /// Tokens that are valid for one session each, without any secret.
    private static func tokens(_ purpose: String, ended: Mutex2<Set<String>>) -> ConsoleAccess.PageTokens {
        ConsoleAccess.PageTokens(
            issue: { "\(purpose)-\($0)" },
            session: { token in
                let parts = token.split(separator: "-", maxSplits: 1).map(String.init)
                guard parts.count == 2, parts[0] == purpose else { return nil }
                return ended.with { $0.contains(parts[1]) } ? nil : parts[1]
            },
            end: { session in ended.with { _ = $0.insert(session) } })
    }

    private let ended = Mutex2<Set<String>>([])

    init(cloud: Cloud) { self.cloud = cloud }

    private var face: ConsoleFace {
        ConsoleFace(
            access: ConsoleAccess(
                controlToken: controlToken, formTokens: Self.tokens("form", ended: ended),
                cookieTokens: Self.tokens("cookie", ended: ended),
                attempts: attempts, ownPort: { [ownPort] in ownPort }, endpoint: { "http://127.0.0.1:4566" }))
    }

    /// Headers of a browser that navigates.
    static let navigation: HTTPFields = [
        .userAgent: "Mozilla/5.0", .secFetchSite: "none", .secFetchMode: "navigate", .secFetchDest: "document",
    ]

    /// Headers of a browser that sends a form of a page of the console.
    static let form: HTTPFields = [
        .userAgent: "Mozilla/5.0", .secFetchSite: "same-origin", .secFetchMode: "navigate", .secFetchDest: "document",
        .origin: "http://localhost:4566", .contentType: "application/x-www-form-urlencoded",
    ]

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = navigation, body: String = "",
        authority: String = "localhost:4566", isAtConsolePort: Bool = false
    ) async throws -> FaceAnswer {
        let call = Call(
            method, "/_virga/ui\(path)", headers, body: ByteBuffer(string: body), authority: authority, isAtConsolePort: isAtConsolePort,
            cloud: cloud, names: names)
        let (answers, calls, face) = (answers, calls, face)
        let response = await face.respond(to: call, path: String(path.prefix { $0 != "?" })) { request in
            calls.with { $0.append(request) }
            let path = request.target.dropFirst("/_virga".count).prefix { $0 != "?" }
            let answer = answers["\(request.method.rawValue) \(path)"] ?? (path == "/info" ? Self.info : [:])
            // A refusal has both; the entry of a refused request has an error alone.
            let isRefusal = answer["error"] != nil && answer["message"] != nil
            return Response.json(answer, status: isRefusal ? .forbidden : .ok)
        }
        return try await FaceAnswer(response, call.entry(status: response.status.code))
    }

    /// The methods and paths of the calls so far, without those that every page makes.
    var called: [String] {
        calls.with { $0.map { "\($0.method.rawValue) \($0.target)" } }.filter { $0 != "GET /_virga/info" }
    }

    static func run(_ body: (ConsoleOfATest) async throws -> Void) async throws {
        try await withSandbox { cloud in try await body(ConsoleOfATest(cloud: cloud)) }
    }
}

extension RequestBody {
    /// The whole body as text.
    var collectedText: String {
        get async throws {
            var text = ""
            for try await buffer in self { text += String(buffer: buffer) }
            return text
        }
    }
}
