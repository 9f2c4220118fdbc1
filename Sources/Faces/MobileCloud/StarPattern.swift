import WireFormats

/// A pattern in which `*` matches any characters, including none. Environment policies and configurations use it.
struct StarPattern {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    func matches(_ text: some StringProtocol) -> Bool {
        WireFormats.matches(Array(text.utf8), pattern: bytes, many: UInt8(ascii: "*"))
    }
}
