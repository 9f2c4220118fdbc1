import Cryptography
package import WireFormats

extension MultiFactorDevice {
    /// How many passwords before and after the one of the moment count as well, for networks and slow hands (RFC 6238 section 5.2; how many
    /// AWS takes is recorded in public).
    private static let tolerance: Int64 = 2
    /// How far a device's clock may be off, in passwords, when it is enabled or synchronised (RFC 6238 section 6).
    private static let greatestDrift: Int64 = 20

    /// Whether a code of six digits is one that the device shows about now, as far as it is known how its clock is off.
    package func accepts(code: String, at time: Timestamp) -> Bool {
        let now = OneTimePassword.counter(atSeconds: time.seconds) + (drift ?? 0)
        return (now - Self.tolerance...now + Self.tolerance).contains { shows(code, at: $0) }
    }

    /// How the device's clock is off if it showed these codes, one right after the other; `nil` if it did not.
    /// (IAM API Reference, "EnableMFADevice" and "ResyncMFADevice".)
    /// - Returns: passwords that the device is ahead; zero for one that ``accepts(code:at:)`` needs no help with.
    package func drift(showing first: String, then second: String, at time: Timestamp) -> Int64? {
        let now = OneTimePassword.counter(atSeconds: time.seconds)
        // The nearest first, so that a code that comes twice within the range counts for the likelier one.
        for distance in 0...Self.greatestDrift {
            for offset in distance == 0 ? [0] : [-distance, distance]
            where shows(first, at: now + offset - 1) && shows(second, at: now + offset) {
                return abs(offset) <= Self.tolerance ? 0 : offset
            }
        }
        return nil
    }

    private func shows(_ code: String, at counter: Int64) -> Bool {
        constantTimeEquals(OneTimePassword.password(seed: seed, counter: counter), code)
    }
}
