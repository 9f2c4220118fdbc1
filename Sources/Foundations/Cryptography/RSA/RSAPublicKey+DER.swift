extension RSAPublicKey {
    /// The key as a SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7, RFC 3279 section 2.3.1).
    package var subjectPublicKeyInfo: [UInt8] {
        // rsaEncryption, 1.2.840.113549.1.1.1, with null parameters.
        let algorithm: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
        let key = Self.element(0x30, Self.number(modulus) + Self.number(exponent))
        return Self.element(0x30, Self.element(0x30, algorithm) + Self.element(0x03, [0] + key))
    }

    /// Returns an INTEGER. A positive number needs a leading zero byte where its first bit is set.
    private static func number(_ bytes: [UInt8]) -> [UInt8] { element(0x02, (bytes.first ?? 0) & 0x80 == 0 ? bytes : [0] + bytes) }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        repeat {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest > 0
        if content.count > 127 { length.insert(0x80 | UInt8(length.count), at: 0) }
        return [tag] + length + content
    }
}
