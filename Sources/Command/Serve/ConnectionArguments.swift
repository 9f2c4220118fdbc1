import ArgumentParser
import VirgaServer
import WireFormats

/// The options for the connections of a server.
struct ConnectionArguments: ParsableArguments {
    @Option(name: ServeFlag.connections.key, help: ServeFlag.connections.help) var connections: Int?
    @Option(name: ServeFlag.headTimeout.key, help: ServeFlag.headTimeout.help) var headTimeout: Int64?
    @Option(name: ServeFlag.bodyTimeout.key, help: ServeFlag.bodyTimeout.help) var bodyTimeout: Int64?
    @Option(name: ServeFlag.idleTimeout.key, help: ServeFlag.idleTimeout.help) var idleTimeout: Int64?
    @Option(name: ServeFlag.responseMemory.key, help: ServeFlag.responseMemory.help) var responseMemory: Int64?

    /// Reads flags, else variables.
    func read() throws -> ConnectionLimits {
        var limits = ConnectionLimits()
        if let count = try ServeFlag.connections.number(connections, in: 1...1_000_000) { limits.connections = count }
        let seconds: ClosedRange<Int64> = 1...86_400
        if let head = try ServeFlag.headTimeout.number(headTimeout, in: seconds) { limits.head = head }
        if let body = try ServeFlag.bodyTimeout.number(bodyTimeout, in: seconds) { limits.body = body }
        if let idle = try ServeFlag.idleTimeout.number(idleTimeout, in: seconds) { limits.idle = idle }
        if let size = try ServeFlag.responseMemory.number(responseMemory, in: 1...65_536) { limits.responseMemory = Int(size) << 20 }
        return limits
    }
}
