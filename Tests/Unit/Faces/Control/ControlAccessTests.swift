import Calls
import Cloud
import Federation
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Access to the control API")
struct ControlAccessTests {
    @Test("is open on loopback")
    func loopback() async throws {
        try await ControlSandbox.run { control async throws in
            for authority in ["localhost:4566", "127.0.0.1:4566", "[::1]:4566", "virga", "app.localhost"] {
                #expect(try await control.send(.get, "/journal", authority: authority).status == 200)
            }
        }
    }

    @Test("is denied for a host name that is not this process's")
    func foreignHost() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            let refused = try await control.send(.get, "/journal", authority: "cloud.test:4566")
            #expect(refused.status == 403)
            #expect(refused.error == "foreign_host")
            control.names = HostNames(aliases: ["cloud.test"])
            #expect(try await control.send(.get, "/journal", authority: "cloud.test:4566").status == 200)
            control.names = HostNames()
            control.access = ControlAccess(token: "secret", isLoopback: true)
            #expect(
                try await control.send(.get, "/journal", fields: [.authorization: "Bearer secret"], authority: "cloud.test").status == 200)
        }
    }

    @Test(
        "needs the token if one is set",
        arguments: [
            (nil, "token_missing"), ("Bearer secret", nil), ("bearer secret", nil), ("Bearer wrong", "token_wrong"),
            ("Bearer secret2", "token_wrong"), ("Bearer ", "token_wrong"), ("Basic secret", "token_wrong"), ("secret", "token_wrong"),
        ] as [(String?, String?)])
    func token(authorization: String?, error: String?) async throws {
        try await ControlSandbox.run { control async throws in
            for isLoopback in [true, false] {
                var control = control
                control.access = ControlAccess(token: "secret", isLoopback: isLoopback)
                var fields: HTTPFields = [:]
                fields[.authorization] = authorization
                let answer = try await control.send(.post, "/reset", fields: fields)
                #expect(answer.status == (error == nil ? 200 : 401))
                #expect(answer.error == error)
                #expect(answer.fields[.wwwAuthenticate] == (error == nil ? nil : "Bearer"))
            }
            #expect(control.cloud.generation == (error == nil ? 3 : 1))
        }
    }

    @Test("is denied to other hosts without a token, except for health")
    func closed() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            control.access = ControlAccess(token: nil, isLoopback: false)
            let answer = try await control.send(.post, "/reset")
            #expect(answer.status == 403)
            #expect(answer.error == "control_closed")
            #expect(try await control.send(.get, "/health").status == 200)
        }
    }

    @Test(
        "is denied to web pages of any origin",
        arguments: [
            [.origin: "https://evil.example"], [.origin: "null"], [.origin: "http://localhost:3000"], [.origin: "http://localhost:4566"],
            [.secFetchSite: "cross-site"], [.secFetchSite: "same-site"], [.secFetchSite: "same-origin"],
            [.secFetchSite: "cross-site", .secFetchMode: "navigate"],
        ] as [HTTPFields])
    func pages(fields: HTTPFields) async throws {
        try await ControlSandbox.run { control async throws in
            for (method, path) in [(HTTPRequest.Method.post, "/reset"), (.get, "/journal"), (.delete, "/faults")] {
                let answer = try await control.send(method, path, fields: fields)
                #expect(answer.status == 403, "\(method) \(path)")
                #expect(answer.error == "page_refused", "\(method) \(path)")
                #expect(answer.json["message"]?.stringValue?.contains("--control-token") == true)
                #expect(answer.fields[.accessControlAllowOrigin] == nil)
            }
            #expect(control.cloud.generation == 1)
            #expect(try await control.send(.get, "/health", fields: fields).status == 200)
        }
    }

    @Test("is allowed to web pages with the token, also in a preflight")
    func pagesWithToken() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            let question: HTTPFields = [
                .origin: "https://tool.example", .accessControlRequestMethod: "POST", .accessControlRequestHeaders: "authorization",
            ]
            let refused = try await control.send(.options, "/reset", fields: question)
            #expect(refused.status == 403)
            #expect(refused.error == "page_refused")
            #expect(refused.fields[.accessControlAllowOrigin] == nil)
            control.access = ControlAccess(token: nil, isLoopback: false)
            #expect(try await control.send(.options, "/reset", fields: question).error == "control_closed")
            control.access = ControlAccess(token: "secret", isLoopback: false)
            let allowed = try await control.sendRaw(.options, "/reset", fields: question)
            #expect(allowed.status == 204)
            #expect(allowed.fields[.accessControlAllowOrigin] == "*")
            #expect(allowed.fields[.accessControlAllowHeaders] == "Authorization, Content-Type")
            #expect(allowed.fields[.accessControlAllowCredentials] == nil)
            let without = try await control.send(.post, "/reset", fields: [.origin: "https://tool.example"])
            #expect(without.status == 401)
            #expect(without.error == "token_missing")
            let with = try await control.send(.post, "/reset", fields: [.origin: "https://tool.example", .authorization: "Bearer secret"])
            #expect(with.status == 200)
            #expect(with.fields[.accessControlAllowOrigin] == "*")
        }
    }

    @Test("allows a user to read in a browser, but not to change anything")
    func person() async throws {
        try await ControlSandbox.run { control async throws in
            let typed: HTTPFields = [.secFetchSite: "none", .secFetchMode: "navigate", .userAgent: "Mozilla/5.0"]
            let journal = try await control.send(.get, "/journal", fields: typed)
            #expect(journal.status == 200)
            #expect(journal.fields[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
            #expect(journal.fields[.xContentTypeOptions] == "nosniff")
            #expect(try await control.send(.post, "/reset", fields: typed).error == "page_refused")
        }
    }

    @Test(
        "is allowed to clients that only resemble browsers",
        arguments: [[.userAgent: "Mozilla/5.0 PowerShell"], [.secFetchMode: "cors"]] as [HTTPFields])
    func programs(fields: HTTPFields) async throws {
        try await ControlSandbox.run { control async throws in
            #expect(try await control.send(.post, "/reset", fields: fields).status == 200)
        }
    }
}
