import WireFormats

/// A place in a text, for people: its line and column, counted from 1.
struct TextPlace: Hashable, CustomStringConvertible {
    let line: Int
    let column: Int

    /// - Parameter offset: in bytes from the start of the text.
    init(_ offset: Int, in text: String) {
        let before = Array(text.utf8.prefix(max(0, offset)))
        line = before.count { $0 == 0x0A } + 1
        column = before.reversed().prefix { $0 != 0x0A }.count { $0 & 0xC0 != 0x80 } + 1
    }

    var description: String { "line \(line), column \(column)" }
}
