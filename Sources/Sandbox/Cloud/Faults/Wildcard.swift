import WireFormats

/// A pattern for a whole text, in which `*` matches any characters and `?` matches one.
struct Wildcard {
    private let pattern: [Unicode.Scalar]
    private let ignoresCase: Bool

    init(_ pattern: String, ignoresCase: Bool = false) {
        self.pattern = Array((ignoresCase ? pattern.lowercased() : pattern).unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    func matches(_ text: String) -> Bool {
        WireFormats.matches(Array((ignoresCase ? text.lowercased() : text).unicodeScalars), pattern: pattern, many: "*", one: "?")
    }
}
