import WireFormats

/// The base 32 alphabet of access key identifiers, and the account number that they encode.
package enum AccessKeyAlphabet {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Returns one digit for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { digits[Int($0 & 31)] }, as: UTF8.self)
    }

    /// Returns sixteen digits that encode an account in the same way as AWS: the first of their 80 bits is set, and the next 40 are the
    /// account number. `GetAccessKeyInfo` decodes it without any record of the key.
    /// - Parameter random: five bytes for the remaining bits.
    package static func text(account: String, _ random: [UInt8]) -> String {
        guard let number = UInt64(account), number < 1 << 40 else { return text(random + random + random + [random[0]]) }
        let head = 1 << 47 | number << 7 | UInt64(random[0] & 127)
        let bits = random[1...4].reduce(UInt128(head)) { $0 << 8 | UInt128($1) }
        return String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 { text[place] = digits[Int(truncatingIfNeeded: bits >> (75 - 5 * place)) & 31] }
            return 16
        }
    }

    /// Returns the account that an identifier of four letters and sixteen digits encodes; `nil` for any other text.
    package static func account(of identifier: String) -> String? {
        let characters = Array(identifier.utf8)
        guard characters.count == 20 else { return nil }
        var head: UInt64 = 0
        // Ten digits contain the 48 bits and two more.
        for character in characters[4..<14] {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            head = head << 5 | UInt64(digit)
        }
        head >>= 2
        guard head >> 47 == 1 else { return nil }
        let number = String(head >> 7 & (1 << 40 - 1))
        return number.utf8.count > 12 ? nil : String(repeating: "0", count: 12 - number.utf8.count) + number
    }
}
