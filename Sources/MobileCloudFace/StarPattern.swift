/// A text in which `*` stands for any run of characters, none too, as policies of the environment and configurations write it.
struct StarPattern {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// Greedy: where something does not fit, the last `*` takes one character more.
    func matches(_ text: some StringProtocol) -> Bool {
        let (text, star) = (Array(text.utf8), UInt8(ascii: "*"))
        var (place, position) = (0, 0)
        // Where the last star is, and how much of the text it stands for so far.
        var retry: (position: Int, place: Int)?
        while place < text.count {
            if position < bytes.count, bytes[position] == star {
                retry = (position, place)
                position += 1
            } else if position < bytes.count, bytes[position] == text[place] {
                place += 1
                position += 1
            } else if let last = retry {
                retry = (last.position, last.place + 1)
                (position, place) = (last.position + 1, last.place + 1)
            } else {
                return false
            }
        }
        return bytes[position...].allSatisfy { $0 == star }
    }
}
