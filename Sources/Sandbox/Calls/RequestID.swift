import Synchronization
import WireFormats

/// The ID of one request, in the formats of the real services.
///
/// IDs are unique but not secret: a counter starts at a random number and is scrambled, so a request needs no system call for its ID.
package struct RequestID: Sendable {
    private let high: UInt64
    private let low: UInt64
    /// Sixteen upper-case hexadecimal digits: the format of S3, and of the journal for every service.
    package let text: String

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    package init() {
        let number = Self.start &+ Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        high = Self.scattered(number)
        low = Self.scattered(~number)
        text = String(unsafeUninitializedCapacity: 16) { [high] bytes in
            Self.write(high, to: bytes, at: 0, letters: UInt8(ascii: "A"))
            return 16
        }
    }

    /// The finalizer of SplitMix64, which is a bijection. (Steele, Lea and Flood, "Fast Splittable Pseudorandom
    /// Number Generators".)
    private static func scattered(_ number: UInt64) -> UInt64 {
        var bits = number &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// Twenty-four upper-case hexadecimal digits: the format of OSS.
    package var longText: String {
        Self.text(24) { Self.upperCaseDigit($0 < 16 ? high : low, $0 % 16) }
    }

    /// The longer identifier that S3 calls `HostId`.
    package var hostID: String {
        String(unsafeUninitializedCapacity: 32) { bytes in
            Self.write(low, to: bytes, at: 0, letters: UInt8(ascii: "a"))
            Self.write(high ^ low, to: bytes, at: 16, letters: UInt8(ascii: "a"))
            return 32
        }
    }

    /// A version 4 UUID in lower case (RFC 9562): the format of STS.
    package var uuid: String {
        Self.text(36) { index in
            switch index {
            case 8, 13, 18, 23: UInt8(ascii: "-")
            case 14: UInt8(ascii: "4")
            case 19: UInt8(ascii: "a")
            default: Self.digit(index < 19 ? high : low, index % 16)
            }
        }
    }

    /// Returns whether an ID in the format of S3, OSS or STS belongs to the request whose S3 ID is `text`.
    /// Compares the digits that both formats contain.
    package static func isSame(_ identifier: String, as text: String) -> Bool {
        if identifier == text { return true }
        let uuid = Array(identifier.lowercased().utf8)
        let digits = Array(text.lowercased().utf8)
        if uuid.count == 24, digits.count == 16 { return uuid.starts(with: digits) }
        guard uuid.count == 36, digits.count == 16 else { return false }
        return [0...7, 9...12, 15...15].joined().allSatisfy { uuid[$0] == digits[$0] }
    }

    @inline(__always)
    private static func text(_ count: Int, digit: (Int) -> UInt8) -> String {
        String(unsafeUninitializedCapacity: count) { bytes in
            for index in 0..<count { bytes.initializeElement(at: index, to: digit(index)) }
            return count
        }
    }

    /// Writes sixteen digits, least significant first.
    @inline(__always)
    private static func write(_ value: UInt64, to bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int, letters: UInt8) {
        var rest = value
        for index in start..<(start + 16) {
            let bits = UInt8(truncatingIfNeeded: rest) & 15
            bytes[index] = bits < 10 ? UInt8(ascii: "0") + bits : letters + bits - 10
            rest >>= 4
        }
    }

    @inline(__always)
    private static func upperCaseDigit(_ value: UInt64, _ index: Int) -> UInt8 {
        let digit = digit(value, index)
        return digit >= UInt8(ascii: "a") ? digit - 0x20 : digit
    }

    /// Returns the hexadecimal digit of four bits; index 0 is the least significant.
    @inline(__always)
    private static func digit(_ value: UInt64, _ index: Int) -> UInt8 {
        let bits = UInt8(truncatingIfNeeded: value >> (4 * UInt64(index))) & 15
        return bits < 10 ? UInt8(ascii: "0") + bits : UInt8(ascii: "a") + bits - 10
    }
}
