import Cloud
import Federation
import HTTPTypes
import Testing

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

    @Test("is closed to a host that is no name of this process")
    func foreignHost() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            let refused = try await control.send(.get, "/journal", authority: "cloud.test:4566")
            #expect(refused.status == 403 && refused.error == "foreign_host")
            control.names = HostNames(aliases: ["cloud.test"])
            #expect(try await control.send(.get, "/journal", authority: "cloud.test:4566").status == 200)
            control.names = HostNames()
            control.access = ControlAccess(token: "secret", isLoopback: true)
            #expect(
                try await control.send(.get, "/journal", fields: [.authorization: "Bearer secret"], authority: "cloud.test").status == 200)
        }
    }

    @Test(
        "needs the token where there is one",
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
                #expect(answer.status == (error == nil ? 200 : 401) && answer.error == error)
                #expect(answer.fields[.wwwAuthenticate] == (error == nil ? nil : "Bearer"))
            }
            #expect(control.cloud.generation == (error == nil ? 3 : 1))
        }
    }

    @Test("is closed where others can reach it and no token was set, but for health")
    func closed() async throws {
        try await ControlSandbox.run { control async throws in
            var control = control
            control.access = ControlAccess(token: nil, isLoopback: false)
            let answer = try await control.send(.post, "/reset")
            #expect(answer.status == 403 && answer.error == "control_closed")
            #expect(try await control.send(.get, "/health").status == 200)
        }
    }

    @Test(
        "is closed to pages of another origin",
        arguments: [
            ("https://evil.example", false), ("null", false), ("http://localhost:3000", false), ("https://localhost:4566", false),
            ("http://localhost:4566", true),
        ])
    func origins(origin: String, isAllowed: Bool) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/reset", fields: [.origin: origin])
            #expect(answer.status == (isAllowed ? 200 : 403))
            if !isAllowed { #expect(answer.error == "foreign_origin") }
        }
    }
}
