import ArgumentParser
import VirgaServer
import WireFormats

/// The options for the connections of a server.
struct ConnectionArguments: ParsableArguments {
    @Option(help: "The most connections at once; further ones get 503. [VIRGA_CONNECTIONS, as many as open files allow]")
    var connections: Int?

    @Option(
        help: ArgumentHelp(
            "How long the head of a request or a TLS handshake may take. [VIRGA_HEAD_TIMEOUT, default 30]", valueName: "seconds"))
    var headTimeout: Int64?

    @Option(help: ArgumentHelp("How long the body of a request may pause. [VIRGA_BODY_TIMEOUT, default 60]", valueName: "seconds"))
    var bodyTimeout: Int64?

    @Option(
        help: ArgumentHelp(
            "How long a connection stays open without a request, or without reading its response. [VIRGA_IDLE_TIMEOUT, default 300]",
            valueName: "seconds"))
    var idleTimeout: Int64?

    @Option(
        help: ArgumentHelp(
            "The memory of responses that clients have not read, for all together. [VIRGA_RESPONSE_MEMORY, default 64]", valueName: "mib"))
    var responseMemory: Int64?

    /// Reads flags, else variables.
    func read() throws -> ConnectionLimits {
        var limits = ConnectionLimits()
        if let count = try Self.number(connections.map(Int64.init), "connections", upTo: 1_000_000) { limits.connections = Int(count) }
        if let seconds = try Self.number(headTimeout, "head-timeout") { limits.head = seconds }
        if let seconds = try Self.number(bodyTimeout, "body-timeout") { limits.body = seconds }
        if let seconds = try Self.number(idleTimeout, "idle-timeout") { limits.idle = seconds }
        if let size = try Self.number(responseMemory, "response-memory", upTo: 65_536) { limits.responseMemory = Int(size) << 20 }
        return limits
    }

    private static func number(_ flag: Int64?, _ name: String, upTo most: Int64 = 86_400) throws -> Int64? {
        let variable = name.uppercased().replacing("-", with: "_")
        var number = flag
        if number == nil, let text = Variables.value(variable) {
            number = Int64(digits: text)
            if number == nil { throw ValidationError("VIRGA_\(variable) must be a number, not \(text).") }
        }
        guard let number else { return nil }
        guard (1...most).contains(number) else { throw ValidationError("--\(name) must be from 1 to \(most), not \(number).") }
        return number
    }
}
