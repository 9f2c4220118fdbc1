/// A pattern over a whole text, in which `*` stands for any characters and `?` for one.
struct Wildcard {
    private let pattern: [Character]
    private let ignoresCase: Bool

    init(_ pattern: String, ignoresCase: Bool = false) {
        self.pattern = Array(ignoresCase ? pattern.lowercased() : pattern)
        self.ignoresCase = ignoresCase
    }

    /// Greedy: where something does not fit, the last `*` takes one character more.
    func matches(_ text: String) -> Bool {
        let text = Array(ignoresCase ? text.lowercased() : text)
        var (at, position) = (0, 0)
        var star: (at: Int, position: Int)?
        while position < text.count {
            if at < pattern.count, pattern[at] == "*" {
                star = (at, position)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[position] {
                at += 1
                position += 1
            } else if let last = star {
                star = (last.at, last.position + 1)
                at = last.at + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}
