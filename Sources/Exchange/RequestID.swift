/// The identifier of one exchange; the same bits in the forms that the real services use.
package struct RequestID: Sendable {
    private let high: UInt64
    private let low: UInt64

    package init() {
        var generator = SystemRandomNumberGenerator()
        high = generator.next()
        low = generator.next()
    }

    /// Sixteen upper-case hexadecimal digits, S3's form.
    package var text: String { Self.text(16) { Self.upperDigits[Self.nibble(high, $0)] } }

    /// The longer identifier that S3 calls `HostId`.
    package var hostID: String {
        Self.text(32) { Self.lowerDigits[Self.nibble($0 < 16 ? low : high ^ low, $0 % 16)] }
    }

    /// A UUID of version 4 in lower case (RFC 9562), STS's form.
    package var uuid: String {
        Self.text(36) { index in
            switch index {
            case 8, 13, 18, 23: UInt8(ascii: "-")
            case 14: UInt8(ascii: "4")
            case 19: UInt8(ascii: "a")
            default: Self.lowerDigits[Self.nibble(index < 19 ? high : low, index % 16)]
            }
        }
    }

    private static func text(_ count: Int, digit: (Int) -> UInt8) -> String {
        String(unsafeUninitializedCapacity: count) { bytes in
            for index in 0..<count { bytes.initializeElement(at: index, to: digit(index)) }
            return count
        }
    }

    private static func nibble(_ value: UInt64, _ index: Int) -> Int { Int(value >> (4 * UInt64(index)) & 15) }

    private static let upperDigits = Array("0123456789ABCDEF".utf8)
    private static let lowerDigits = Array("0123456789abcdef".utf8)
}
