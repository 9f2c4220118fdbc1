import WireFormats

/// A text in which `*` stands for any run of characters, none too, as policies of the environment and configurations write it.
struct StarPattern {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    func matches(_ text: some StringProtocol) -> Bool {
        WireFormats.matches(Array(text.utf8), pattern: bytes, many: UInt8(ascii: "*"))
    }
}
