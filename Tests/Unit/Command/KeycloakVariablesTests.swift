import ArgumentParser
import Testing

@testable import VirgaCommand

/// Names and defaults are Keycloak's ("All configuration").
@Suite("Keycloak's variables")
struct KeycloakVariablesTests {
    @Test("what container modules set has no effect here, or is read")
    func modules() throws {
        let variables = KeycloakVariables([
            "KC_BOOTSTRAP_ADMIN_USERNAME": "root", "KC_BOOTSTRAP_ADMIN_PASSWORD": "secret", "KC_HEALTH_ENABLED": "true",
            "KC_METRICS_ENABLED": "false", "KC_HTTPS_CLIENT_AUTH": "none", "KC_HTTPS_MANAGEMENT_CLIENT_AUTH": "NONE",
            "KC_SPI_THEME__CACHE_THEMES": "true", "KC_HTTP_MANAGEMENT_PORT": "9001", "JAVA_OPTS_KC_HEAP": "-Xmx1g",
        ])
        #expect(try variables.leftOut() == [])
        #expect(variables.hasHealth)
        #expect(try variables.port("KC_HTTP_MANAGEMENT_PORT") == 9001)
        #expect(try variables.port("KC_HTTP_PORT") == nil)
        let administrator = try #require(try variables.administrator())
        #expect(administrator.name == "root")
        #expect(administrator.password == "secret")
        #expect(variables.home == "/opt/keycloak")
    }

    @Test("others are listed, and TLS is refused")
    func others() throws {
        let variables = KeycloakVariables(["KC_FEATURES": "ciba", "KC_DB": "postgres", "KC_METRICS_ENABLED": "true", "KC_PROXY": ""])
        #expect(try variables.leftOut() == ["KC_DB", "KC_FEATURES", "KC_METRICS_ENABLED"])
        let error = try #require(throws: ValidationError.self) {
            try KeycloakVariables(["KC_HTTPS_CERTIFICATE_FILE": "/cert.pem"]).leftOut()
        }
        #expect(error.message == "KC_HTTPS_CERTIFICATE_FILE is not supported: start-dev serves HTTP only. Use virga serve --tls-port.")
    }

    @Test("the former names of the administrator are read, and both must be set")
    func administrator() throws {
        let former = KeycloakVariables(["KEYCLOAK_ADMIN": "admin", "KEYCLOAK_ADMIN_PASSWORD": "secret"])
        #expect(try former.administrator()?.name == "admin")
        #expect(try KeycloakVariables([:]).administrator() == nil)
        #expect(throws: ValidationError.self) { try KeycloakVariables(["KEYCLOAK_ADMIN": "admin"]).administrator() }
        #expect(throws: ValidationError.self) { try KeycloakVariables(["KC_HTTP_PORT": "http"]).port("KC_HTTP_PORT") }
    }

    @Test("the paths that are served", arguments: ["", "/", "/auth", "/auth/"])
    func relativePath(path: String) throws {
        try KeycloakVariables.check(relativePath: path)
        #expect(throws: ValidationError.self) { try KeycloakVariables.check(relativePath: "/keycloak") }
    }

    @Test("the log has the lines for which container modules wait")
    func notice() {
        let text = StartDevCommand.notice(
            administrator: "admin", seconds: .milliseconds(1057), at: "http://0.0.0.0:8080", health: "http://0.0.0.0:9000")
        #expect(text.contains("Created temporary admin user with username admin\n"))
        #expect(text.contains("started in 1.057s. Listening on: http://0.0.0.0:8080."))
        #expect(text.contains("http://0.0.0.0:8080. Management interface listening on http://0.0.0.0:9000.\n"))
        #expect(text.contains("Running the server"))
        let other = StartDevCommand.notice(administrator: nil, seconds: .zero, at: "http://0.0.0.0:8080", health: nil)
        #expect(!other.contains("admin user"))
        #expect(other.contains("started in 0.000s. Listening on: http://0.0.0.0:8080.\n"))
    }
}
