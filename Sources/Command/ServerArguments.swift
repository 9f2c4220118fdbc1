import ArgumentParser
import ControlDocuments
import WireFormats

/// The options that select a running cloud.
struct ServerArguments: ParsableArguments {
    @Option(help: "Where the server runs. [VIRGA_ENDPOINT, default http://127.0.0.1 with the port in VIRGA_PORT, or 4566]")
    var endpoint: String?

    @OptionGroup var controlToken: ControlTokenArguments

    @Option(help: "The sandbox that is meant. [VIRGA_SANDBOX, default the one that the endpoint leads to]")
    var sandbox: String?

    /// Returns the origin of the server.
    /// - Throws: `ValidationError` for a text that is not an origin.
    func origin() throws -> OriginArgument {
        if endpoint ?? Variables.value("ENDPOINT") == nil, let port = Variables.value("PORT") {
            guard let first = Variables.values("PORT").first, UInt16(first).map({ $0 > 0 }) == true else {
                throw ValidationError("VIRGA_PORT must be a number from 1 to 65535, not \(port).")
            }
            return try OriginArgument.endpoint(nil, usual: "http://127.0.0.1:\(first)")
        }
        return try OriginArgument.endpoint(endpoint)
    }

    /// Returns the address of the sandbox that is named: its port if it has one, else its name. Asks the server for it.
    /// - Throws: `ValidationError` for a text that is not an origin, or `Failure` if there is no such sandbox.
    func sandboxOrigin() async throws -> OriginArgument {
        guard let name = sandbox ?? Variables.value("SANDBOX") else { return try origin() }
        let found = Document<SandboxMembers>(try await SandboxCommand.call("GET", "/sandboxes/\(percentEncoded(name))", at: self))
        return try OriginArgument.endpoint(found.portURL ?? found.url)
    }

    /// The control token, if there is one.
    var token: String? { get throws { try controlToken.read() } }

    /// The headers with the token and the sandbox.
    var fields: [(String, String)] {
        get throws { (try token.map { [("authorization", "Bearer \($0)")] } ?? []) + sandboxFields }
    }

    /// The header with the sandbox.
    var sandboxFields: [(String, String)] {
        (sandbox ?? Variables.value("SANDBOX")).map { [("x-virga-sandbox", $0)] } ?? []
    }
}
