import ArgumentParser
import VirgaServer

extension TrustedProxies {
    /// Reads the lists of addresses from the flags, else the variable; `nil` if neither is given.
    /// - Throws: `ValidationError` for a text that is not a range of addresses.
    init?(flags: [String]) throws {
        let texts = ServeFlag.trustForwarded.texts(flags.flatMap { $0.split(separator: ",") }.map { String($0) })
        guard !texts.isEmpty else { return nil }
        do {
            try self.init(texts)
        } catch {
            throw ServeFlag.trustForwarded.refusal(
                "IP addresses or ranges without host bits, such as 10.0.0.0/8", "'\(error.text)'")
        }
    }
}
