import ArgumentParser

/// Which running cloud a command is about.
struct ServerArguments: ParsableArguments {
    @Option(help: "Where the server runs. [VIRGA_ENDPOINT, default http://127.0.0.1 with the port in VIRGA_PORT, or 4566]")
    var endpoint: String?

    @Option(help: "The server's control token. [VIRGA_CONTROL_TOKEN]")
    var controlToken: String?

    /// The origin of the server.
    /// - Throws: `ValidationError` for what is not an origin.
    func origin() throws -> OriginArgument {
        try OriginArgument.endpoint(endpoint, usual: "http://127.0.0.1:\(Variables.values("PORT").first ?? "4566")")
    }

    /// The control token, if there is one.
    var token: String? { controlToken ?? Variables.value("CONTROL_TOKEN") }

    /// The header that carries it.
    var fields: [(String, String)] { token.map { [("authorization", "Bearer \($0)")] } ?? [] }
}
