import ArgumentParser
import GatewayFace
import WireFormats

/// The options for calls of other AWS services.
struct ForwardArguments: ParsableArguments {
    @Option(name: ServeFlag.forward.key, help: ServeFlag.forward.help) var forward: [String] = []
    @Option(name: ServeFlag.forwardUnmapped.key, help: ServeFlag.forwardUnmapped.help) var forwardUnmapped: String?
    @Option(name: ServeFlag.forwardWait.key, help: ServeFlag.forwardWait.help) var forwardWait: Int64?
    @Option(name: ServeFlag.forwardBodyLimit.key, help: ServeFlag.forwardBodyLimit.help) var forwardBodyLimit: Int?

    /// Reads flags, else variables.
    /// - Returns: `nil` if nothing is forwarded.
    func read() throws -> GatewayRules? {
        let size = try ServeFlag.forwardBodyLimit.number(forwardBodyLimit, in: 1...1024, unit: "MiB").map { $0 << 20 }
        // Two clients can send the longest bodies, each compressed and decompressed.
        var rules = GatewayRules(budget: max(GatewayRules.usualBudget, 4 * (size ?? 0)))
        if let size { rules.bodyLimit = size }
        if let forwards = try ServeFlag.forwardUnmapped.choice(forwardUnmapped, of: [("deny", false), ("allow", true)]) {
            rules.forwardsUnmapped = forwards
        }
        if let seconds = try ServeFlag.forwardWait.number(forwardWait, in: 0...3600, unit: "seconds") { rules.wait = .seconds(seconds) }
        for rule in Self.joined(ServeFlag.forward.texts(forward)) {
            do {
                try rules.upstreams.add(rule)
            } catch {
                throw ValidationError(error.message)
            }
        }
        return rules.upstreams.isEmpty ? nil : rules
    }

    /// Returns the rules of a list that was split at its commas. The services of a rule have commas between them, too, and its URL has none:
    /// a rule ends with the part that has an equals sign.
    static func joined(_ parts: [String]) -> [String] {
        var (rules, services): ([String], [String]) = ([], [])
        for part in parts {
            services.append(part)
            guard part.contains("=") else { continue }
            rules.append(services.joined(separator: ","))
            services = []
        }
        return services.isEmpty ? rules : rules + [services.joined(separator: ",")]
    }
}
