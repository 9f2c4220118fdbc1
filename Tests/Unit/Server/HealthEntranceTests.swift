import Calls
import Fixtures
import HTTPTypes
import Testing

@testable import VirgaServer

/// Paths and bodies are Keycloak's ("Tracking instance status with health checks").
@Suite("Keycloak's health paths")
struct HealthEntranceTests {
    private static func response(_ method: HTTPRequest.Method, _ target: String, isReady: Bool = true) -> Response {
        HealthEntrance.response(
            to: Request(method: method, target: target, authority: "virga:9000", headers: [:], body: RequestBody()), isReady: isReady)
    }

    @Test("answer below both paths of the server", arguments: ["", "/live", "/ready", "/started"])
    func paths(name: String) async throws {
        #expect(Self.response(.get, "/health\(name)").status == .ok)
        #expect(Self.response(.get, "/auth/health\(name)").status == .ok)
        #expect(Self.response(.head, "/health\(name)?verbose").status == .ok)
        let body = try await Self.response(.get, "/health\(name)").collectedBody()
        #expect(String(decoding: body, as: UTF8.self) == #"{"status":"UP","checks":[]}"#)
    }

    @Test("say whether the start is complete")
    func start() async throws {
        #expect(Self.response(.get, "/health/live", isReady: false).status == .ok)
        #expect(Self.response(.get, "/health/ready", isReady: false).status == .serviceUnavailable)
        #expect(Self.response(.get, "/health/started", isReady: false).status == .serviceUnavailable)
        let body = try await Self.response(.get, "/health", isReady: false).collectedBody()
        #expect(String(decoding: body, as: UTF8.self) == #"{"status":"DOWN","checks":[]}"#)
    }

    @Test("nothing else is served there")
    func others() {
        #expect(Self.response(.get, "/").status == .notFound)
        #expect(Self.response(.get, "/realms/master").status == .notFound)
        #expect(Self.response(.get, "/health/other").status == .notFound)
        #expect(Self.response(.post, "/health").status == .methodNotAllowed)
    }
}
