import Cryptography
package import WireFormats

extension MultiFactorDevice {
    /// The number of passwords before and after the current one that are accepted, to allow for delays (RFC 6238 section 5.2; the number
    /// that AWS accepts is publicly documented).
    private static let tolerance: Int64 = 2
    /// The maximum clock drift, in passwords, when a device is enabled or synchronized (RFC 6238 section 6).
    private static let greatestDrift: Int64 = 20

    /// Returns whether the device shows a six-digit code at about this time, given its known drift.
    package func accepts(code: String, at time: Timestamp) -> Bool {
        let now = OneTimePassword.counter(atSeconds: time.seconds) + (drift ?? 0)
        return (now - Self.tolerance...now + Self.tolerance).contains { shows(code, at: $0) }
    }

    /// Returns the drift of the device's clock if it showed these two codes in succession; `nil` if it did not.
    /// (IAM API Reference, "EnableMFADevice" and "ResyncMFADevice".)
    /// - Returns: the number of passwords by which the device is ahead; zero if ``accepts(code:at:)`` tolerates the difference.
    package func drift(showing first: String, then second: String, at time: Timestamp) -> Int64? {
        let now = OneTimePassword.counter(atSeconds: time.seconds)
        // The smallest drift is tried first, so that it wins if a code occurs twice within the range.
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
