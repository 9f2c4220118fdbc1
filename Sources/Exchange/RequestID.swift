/// The identifier of one exchange; the same bits in the forms that the real services use.
package struct RequestID: Sendable {
    private let high: UInt64
    private let low: UInt64

    package init() {
        high = .random(in: .min ... .max)
        low = .random(in: .min ... .max)
    }

    /// Sixteen upper-case hexadecimal digits, S3's form.
    package var text: String { hexadecimal(high, digits: 16).uppercased() }

    /// A UUID in lower case, STS's form.
    package var uuid: String {
        let a = hexadecimal(high, digits: 16)
        let b = hexadecimal(low, digits: 16)
        return "\(a.prefix(8))-\(a.dropFirst(8).prefix(4))-4\(a.dropFirst(13))-a\(b.dropFirst(1).prefix(3))-\(b.dropFirst(4))"
    }

    /// The longer identifier that S3 calls `HostId`: base 64 of the same bits.
    package var hostID: String { hexadecimal(low, digits: 16) + hexadecimal(high ^ low, digits: 16) }

    private func hexadecimal(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
