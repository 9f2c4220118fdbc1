import ArgumentParser
import WireFormats

/// Keycloak's settings in environment variables. (Keycloak, "All configuration".)
struct KeycloakVariables {
    private let all: [String: String]

    /// Variables that are read here.
    private static let known = [
        "KC_HTTP_PORT", "KC_HTTP_MANAGEMENT_PORT", "KC_HTTP_RELATIVE_PATH", "KC_HTTP_MANAGEMENT_RELATIVE_PATH", "KC_HEALTH_ENABLED",
        "KC_HOME_DIR", "KC_BOOTSTRAP_ADMIN_USERNAME", "KC_BOOTSTRAP_ADMIN_PASSWORD",
    ]
    /// Settings that apply here anyway.
    private static let usual = [
        ("KC_METRICS_ENABLED", "false"), ("KC_HTTPS_CLIENT_AUTH", "none"), ("KC_HTTPS_MANAGEMENT_CLIENT_AUTH", "none"),
        ("KC_HTTP_ENABLED", "true"), ("KC_HOSTNAME_STRICT", "false"),
    ]

    /// - Parameter all: the environment variables of the process.
    init(_ all: [String: String]) { self.all = all }

    /// Returns the value of a variable; an empty one counts as absent.
    func text(_ name: String) -> String? { all[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the port in a variable.
    /// - Throws: `ValidationError` for any other value.
    func port(_ name: String) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let port = Int(digits: text), ServeFlag.ports.contains(port) else {
            throw ValidationError("\(name) must be the number of a port, not \(text).")
        }
        return port
    }

    /// Whether the health paths are served.
    var hasHealth: Bool { text("KC_HEALTH_ENABLED").map { $0.lowercased() == "true" } ?? false }

    /// The folder of Keycloak's files.
    var home: String { text("KC_HOME_DIR") ?? "/opt/keycloak" }

    /// Returns the administrator of all realms; `nil` if there is none.
    /// - Throws: `ValidationError` if only one of the two variables is set.
    func administrator() throws -> (name: String, password: String)? {
        // Releases before 26 have the second names.
        let name = text("KC_BOOTSTRAP_ADMIN_USERNAME") ?? text("KEYCLOAK_ADMIN")
        let password = text("KC_BOOTSTRAP_ADMIN_PASSWORD") ?? text("KEYCLOAK_ADMIN_PASSWORD")
        switch (name, password) {
        case (let name?, let password?): return (name, password)
        case (nil, nil): return nil
        default: throw ValidationError("KC_BOOTSTRAP_ADMIN_USERNAME and KC_BOOTSTRAP_ADMIN_PASSWORD must be set together.")
        }
    }

    /// Returns the names of Keycloak's variables that have no effect here.
    /// - Throws: `ValidationError` for those without which clients would not reach the server.
    func leftOut() throws -> [String] {
        var names: [String] = []
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where name.hasPrefix("KC_") && !value.isEmpty {
            if Self.known.contains(where: { $0 == name }) || Self.usual.contains(where: { $0.0 == name && $0.1 == value.lowercased() }) {
                continue
            }
            // There are no themes.
            if name.hasPrefix("KC_SPI_THEME_") { continue }
            if name.hasPrefix("KC_HTTPS_") {
                throw ValidationError("\(name) is not supported: start-dev serves HTTP only. Use virga serve --tls-port.")
            }
            names.append(name)
        }
        return names
    }

    /// Checks a path below which the server is expected.
    /// - Throws: `ValidationError` for one that is not served.
    static func check(relativePath path: String?) throws {
        guard let path, !["", "/", "/auth", "/auth/"].contains(where: { $0 == path }) else { return }
        throw ValidationError("The relative path must be / or /auth, not \(path).")
    }
}
