import ArgumentParser
import Federation
import VirgaServer
import WireFormats

/// The options for the sandboxes of a server.
struct SandboxArguments: ParsableArguments {
    @Option(help: "The most sandboxes that may exist besides the default one. [VIRGA_SANDBOXES, default 100]")
    var sandboxes: Int?

    @Option(help: "The most sandboxes that are open at once; the least recently used is closed. [VIRGA_SANDBOXES_OPEN, default 64]")
    var sandboxesOpen: Int?

    @Option(
        help: ArgumentHelp(
            "How long a sandbox stays open without a request, such as PT15M. [VIRGA_SANDBOX_IDLE, default PT15M]", valueName: "duration"))
    var sandboxIdle: String?

    @Option(
        help: ArgumentHelp(
            "The most bytes of a sandbox's database, with K, M or G behind the number. [VIRGA_SANDBOX_SIZE, no limit]", valueName: "size"))
    var sandboxSize: String?

    @Option(
        help: ArgumentHelp(
            "The ports for sandboxes, or 0 for any free ones. [VIRGA_SANDBOX_PORTS, default 4600-4699; 0 with --port 0]",
            valueName: "first-last"))
    var sandboxPorts: String?

    @Option(
        help: ArgumentHelp(
            "Create a sandbox from this snapshot, or from \"seed\", when a request names one that does not exist. [VIRGA_SANDBOXES_ON_DEMAND]",
            valueName: "snapshot"))
    var sandboxesOnDemand: String?

    @Flag(help: "Send no requests to other servers. [VIRGA_NO_OUTBOUND]")
    var noOutbound = false

    /// Reads flags, else variables.
    /// - Parameter mainPorts: the ports of the server.
    func read(mainPorts: [Int]) throws -> SandboxSettings {
        var settings = SandboxSettings()
        if let count = try sandboxes ?? Self.number("SANDBOXES") {
            guard (0...100_000).contains(count) else { throw ValidationError("--sandboxes must be from 0 to 100000, not \(count).") }
            settings.count = count
        }
        if let count = try sandboxesOpen ?? Self.number("SANDBOXES_OPEN") {
            guard (1...100_000).contains(count) else { throw ValidationError("--sandboxes-open must be from 1 to 100000, not \(count).") }
            settings.openCount = count
        }
        if let text = sandboxIdle ?? Variables.value("SANDBOX_IDLE") {
            guard let seconds = Duration(iso8601: text)?.components.seconds, (1...31_536_000).contains(seconds) else {
                throw ValidationError("--sandbox-idle must be a duration from PT1S to P365D, such as PT15M, not \(text).")
            }
            settings.idle = seconds
        }
        if let text = sandboxSize ?? Variables.value("SANDBOX_SIZE") {
            guard let size = Self.bytes(text), size >= 1 << 20 else {
                throw ValidationError("--sandbox-size must be at least 1M, such as 256M, not \(text).")
            }
            settings.size = size
        }
        if let text = sandboxPorts ?? Variables.value("SANDBOX_PORTS") {
            settings.ports = try Self.ports(text)
        } else if mainPorts.contains(0) {
            settings.ports = nil
        }
        settings.onDemand = sandboxesOnDemand ?? Variables.value("SANDBOXES_ON_DEMAND")
        return settings
    }

    private static func number(_ variable: String) throws -> Int? {
        guard let text = Variables.value(variable) else { return nil }
        guard let number = Int(digits: text) else { throw ValidationError("VIRGA_\(variable) must be a number, not \(text).") }
        return number
    }

    private static func bytes(_ text: String) -> Int64? {
        let factors: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        guard let last = text.last, let factor = factors[last] else { return Int64(digits: text) }
        guard let number = Int64(digits: String(text.dropLast())), number < 1 << 20 else { return nil }
        return number * factor
    }

    private static func ports(_ text: String) throws -> ClosedRange<Int>? {
        if text == "0" { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int(digits: String($0)) }
        guard parts.count == 2, let first = parts[0], let last = parts[1], first >= 1, first <= last, last <= 65_535 else {
            throw ValidationError("--sandbox-ports must be 0 or two ports, such as 4600-4699, not \(text).")
        }
        return first...last
    }
}
