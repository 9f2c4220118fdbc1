import ArgumentParser
import VirgaServer

extension TrustedProxies {
    /// Reads the lists of addresses from the flags, else the variable; `nil` if neither is given.
    /// - Throws: `ValidationError` for a text that is not a range of addresses.
    init?(flags: [String]) throws {
        let flags = flags.flatMap { $0.split(separator: ",") }.map { String($0) }
        let texts = flags.isEmpty ? Variables.values("TRUST_FORWARDED") : flags
        guard !texts.isEmpty else { return nil }
        do {
            try self.init(texts)
        } catch {
            throw ValidationError(
                "--trust-forwarded must be IP addresses or ranges without host bits, such as 10.0.0.0/8, not '\(error.text)'.")
        }
    }
}
