/// One-time passwords from a counter (HOTP, RFC 4226) and from the time (TOTP, RFC 6238), both over HMAC-SHA-1.
package enum OneTimePassword {
    /// The number of seconds for which a time-based password is valid (RFC 6238 section 4.1).
    package static let step: Int64 = 30

    /// Returns the password of a counter, with leading zeros (RFC 4226 section 5.3).
    /// - Parameter digits: six to nine.
    package static func password(seed: [UInt8], counter: Int64, digits: Int = 6) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        let code = hmacSHA1(key: seed, message)
        let offset = Int(code[code.count - 1] & 15)
        let truncated = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String(truncated % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// Returns the counter of a time.
    /// - Parameter seconds: since 1970-01-01T00:00:00Z.
    package static func counter(atSeconds seconds: Int64) -> Int64 { seconds / step }
}
