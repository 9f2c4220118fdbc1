import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import IdentityProviders

@Suite("Browser sessions")
struct BrowserSessionTests {
    /// A visit of a browser with this cookie.
    private static func visit(_ cloud: Cloud, cookie: String? = nil) throws -> Visit {
        let fields: HTTPFields = cookie.map { [.cookie: $0] } ?? [:]
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost:4566", path: "/idp/company/authorize", headerFields: fields)
        let call = Call(
            request: Request(head: head, body: RequestBody(buffer: .init())), peer: nil, isSecure: false, cloud: cloud, names: HostNames())
        let (directory, grantIssuer) = cloud.issuing
        let provider = try #require(directory.providers["company"])
        return Visit(call: call, provider: provider, grantIssuer: grantIssuer, path: "/authorize", applications: .unreachable)
    }

    /// A user who has just logged in.
    private static func login(_ cloud: Cloud) async throws -> (session: BrowserSession, visit: Visit) {
        let first = try visit(cloud)
        let (session, cookie) = try await BrowserSession.start(for: try #require(first.provider.person(named: "alice")), in: first)
        let setting = Cookie.session.setting(cookie, in: first)
        return (session, try visit(cloud, cookie: String(setting.prefix { $0 != ";" })))
    }

    @Test("store all participants that join concurrently")
    func joining() async throws {
        let (session, visit) = try await Self.login(Visitor.sandbox())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 { group.addTask { try await session.join(.client(id: "\(number)"), in: visit) } }
            for try await isThere in group { #expect(isThere) }
        }
        let participants = try #require(try BrowserSession(of: visit)).participants
        #expect(Set(participants) == Set((0..<16).map { .client(id: "\($0)") }))
        #expect(participants.count == 16)
    }

    @Test("end once, and refuse participants afterwards")
    func ending() async throws {
        let (session, visit) = try await Self.login(Visitor.sandbox())
        #expect(try await session.join(.client(id: "early"), in: visit))
        let ended = try await withThrowingTaskGroup(of: [BrowserSession.Participant]?.self) { group in
            for _ in 0..<4 { group.addTask { try await BrowserSession.end(in: visit)?.participants } }
            return try await group.reduce(into: [[BrowserSession.Participant]]()) { ended, participants in
                if let participants { ended.append(participants) }
            }
        }
        #expect(ended == [[.client(id: "early")]])
        #expect(try await session.join(.client(id: "late"), in: visit) == false)
        #expect(try BrowserSession(of: visit) == nil)
    }
}
