import ArgumentParser
import Federation
import VirgaServer
import WireFormats

/// The options for the sandboxes of a server.
struct SandboxArguments: ParsableArguments {
    @Option(name: ServeFlag.sandboxes.key, help: ServeFlag.sandboxes.help) var sandboxes: Int?
    @Option(name: ServeFlag.sandboxesOpen.key, help: ServeFlag.sandboxesOpen.help) var sandboxesOpen: Int?
    @Option(name: ServeFlag.sandboxIdle.key, help: ServeFlag.sandboxIdle.help) var sandboxIdle: String?
    @Option(name: ServeFlag.sandboxSize.key, help: ServeFlag.sandboxSize.help) var sandboxSize: String?
    @Option(name: ServeFlag.sandboxPorts.key, help: ServeFlag.sandboxPorts.help) var sandboxPorts: String?
    @Option(name: ServeFlag.sandboxesOnDemand.key, help: ServeFlag.sandboxesOnDemand.help) var sandboxesOnDemand: String?
    @Flag(name: ServeFlag.noOutbound.key, help: ServeFlag.noOutbound.help) var noOutbound = false

    /// Reads flags, else variables.
    /// - Parameter mainPorts: the ports of the server.
    func read(mainPorts: [Int]) throws -> SandboxSettings {
        var settings = SandboxSettings()
        if let count = try ServeFlag.sandboxes.number(sandboxes, in: 0...100_000) { settings.count = count }
        if let count = try ServeFlag.sandboxesOpen.number(sandboxesOpen, in: 1...100_000) { settings.openCount = count }
        if let text = ServeFlag.sandboxIdle.text(sandboxIdle) {
            guard let seconds = Duration(iso8601: text)?.components.seconds, (1...31_536_000).contains(seconds) else {
                throw ServeFlag.sandboxIdle.refusal("a duration from PT1S to P365D, such as PT15M", text)
            }
            settings.idle = seconds
        }
        if let text = ServeFlag.sandboxSize.text(sandboxSize) {
            guard let size = Self.bytes(text), size >= 1 << 20 else {
                throw ServeFlag.sandboxSize.refusal("at least 1M, such as 256M", text)
            }
            settings.size = size
        }
        if let text = ServeFlag.sandboxPorts.text(sandboxPorts) {
            settings.ports = try Self.ports(text)
        } else if mainPorts.contains(0) {
            settings.ports = nil
        }
        settings.onDemand = ServeFlag.sandboxesOnDemand.text(sandboxesOnDemand)
        return settings
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
            throw ServeFlag.sandboxPorts.refusal("0 or two ports, such as 4600-4699", text)
        }
        return first...last
    }
}
