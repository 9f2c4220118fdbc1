import Calls
import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import IdentityProviders

@Suite("Routes of identity providers")
struct RouteTableTests {
    private static let table = RouteTable<Int>([
        .page("/page", takes: [.get]) { _ in Response.preflight },
        .page("/page", takes: [.post]) { _ in Response.preflight },
        .application("/token", takes: [.post]) { _ in Response.preflight },
        ProviderRoute(paths: ["/client/"], methods: [], isPrefix: true) { _ in Response.preflight },
    ])

    @Test(
        "are found by path and method",
        arguments: [
            (.get, "/page", "/page"), (.post, "/page", "/page"), (.delete, "/page", "GET, POST"), (.options, "/page", "GET, POST"),
            (.post, "/token", "/token"), (.get, "/token", "POST"), (.options, "/token", "preflight"),
            (.patch, "/client/x", "/client/"), (.get, "/client/", nil), (.get, "/client", nil), (.get, "/pages", nil),
        ] as [(HTTPRequest.Method, String, String?)])
    func matches(method: HTTPRequest.Method, path: String, expected: String?) throws {
        let found: String? =
            switch Self.table.match(method, path) {
            case .route(let route): route.paths[0]
            case .preflight: "preflight"
            case .otherMethod(let allow): allow
            case nil: nil
            }
        #expect(found == expected)
    }

    @Test(
        "refuse other methods, and name those that the endpoint has (RFC 9110 section 15.5.6)",
        arguments: [
            (.post, "google/o/oauth2/v2/auth", "GET"), (.get, "google/token", "POST"), (.get, "google/device/code", "POST"),
            (.post, "amazon/ap/oa", "GET"), (.get, "amazon/auth/o2/token", "POST"), (.delete, "amazon/ap/adam", "GET, POST"),
            (.post, "company/device", "GET"),
        ] as [(HTTPRequest.Method, String, String)])
    func otherMethods(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        let answer = try await Visitor(try await Visitor.sandbox()).send(method, path)
        #expect(answer.status == 405)
        #expect(answer.headers[.allow] == allowed)
    }
}
