import ArgumentParser
import ObjectStore
import Seeds
import VirgaServer
import WireFormats

/// `virga start-dev`: runs the cloud in place of Keycloak, for container modules that start an image with this command.
struct StartDevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start-dev", abstract: "Run the cloud in place of Keycloak, with its options and variables.",
        discussion: """
            For container modules that start Keycloak: the administrator is KC_BOOTSTRAP_ADMIN_USERNAME with KC_BOOTSTRAP_ADMIN_PASSWORD, and \
            KC_HEALTH_ENABLED serves the health paths at a port of their own. The variables of virga serve apply as well; VIRGA_PORT adds \
            ports.
            """)

    @Flag(name: .customLong("import-realm"), help: "Import the realm files in data/import below /opt/keycloak. [KC_HOME_DIR]")
    var importsRealms = false
    @Option(name: .customLong("http-port"), help: ArgumentHelp("Port for HTTP. [KC_HTTP_PORT, default 8080]", valueName: "port"))
    var port: Int?
    @Option(
        name: .customLong("http-management-port"),
        help: ArgumentHelp("Port of the health paths. [KC_HTTP_MANAGEMENT_PORT, default 9000]", valueName: "port"))
    var managementPort: Int?
    @Option(
        name: .customLong("http-relative-path"),
        help: ArgumentHelp("Path of the server: / or /auth. [KC_HTTP_RELATIVE_PATH]", valueName: "path"))
    var relativePath: String?

    func run() async throws {
        let begin = ContinuousClock.now
        let variables = KeycloakVariables(Variables.all)
        try KeycloakVariables.check(relativePath: relativePath ?? variables.text("KC_HTTP_RELATIVE_PATH"))
        try KeycloakVariables.check(relativePath: variables.text("KC_HTTP_MANAGEMENT_RELATIVE_PATH"))
        for name in try variables.leftOut() { Output.note("left out: \(name)".visible) }
        let port = try port ?? variables.port("KC_HTTP_PORT") ?? 8080
        let administrator = try variables.administrator()
        var start = KeycloakStart()
        if variables.hasHealth { start.healthPort = try managementPort ?? variables.port("KC_HTTP_MANAGEMENT_PORT") ?? 9000 }
        if importsRealms { start.seeds = try reportingFailure { try Self.realms(in: "\(variables.home)/data/import") } }
        if let administrator {
            let seed: JSONValue = ["keycloakAdmin": ["username": .string(administrator.name), "password": .string(administrator.password)]]
            start.seeds.append(SeedFile(name: "KC_BOOTSTRAP_ADMIN_USERNAME", text: seed.serializedBytes()))
        }
        let host = ServeFlag.host.text(nil) ?? "127.0.0.1"
        start.notice = { [healthPort = start.healthPort] in
            Self.notice(
                administrator: administrator?.name, seconds: begin.duration(to: .now), at: "http://\(host):\(port)",
                health: healthPort.map { "http://\(host):\($0)" })
        }
        // The image sets VIRGA_PORT, where its health check and clients of the clouds find the server.
        let further = try ServeFlag.port.numbers([], in: ServeFlag.ports)
        let ports = [port] + further.filter { $0 != port }
        try await ServeCommand.parse(ports.flatMap { ["--port", "\($0)"] }).run(start)
    }

    /// Returns the realm files in a folder, in the order of their names.
    private static func realms(in folder: String) throws -> [SeedFile] {
        try DataFolder.names(in: folder).filter { $0.hasSuffix(".json") }.sorted().map { try SeedFile(path: "\(folder)/\($0)") }
    }

    /// Returns the lines of Keycloak's log for which container modules wait.
    static func notice(administrator: String?, seconds: Duration, at url: String, health: String?) -> String {
        let milliseconds = seconds.components.seconds * 1000 + seconds.components.attoseconds / 1_000_000_000_000_000
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return (administrator.map { "Created temporary admin user with username \($0)\n" } ?? "")
            + "Virga \(VirgaVersion.text) started in \(milliseconds / 1000).\(fraction)s. Listening on: \(url)."
            + (health.map { " Management interface listening on \($0)." } ?? "") + "\n"
            + "Running the server in development mode. DO NOT use this configuration in production.\n"
    }
}
