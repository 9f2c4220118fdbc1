/// Whether a text as a whole follows a pattern. Greedy: where something does not fit, the last wildcard takes one element more.
/// - Parameters:
///   - many: the element of the pattern that stands for any others, also for none.
///   - one: the element of the pattern that stands for any single one; `nil` if none does.
package func matches<Element: Equatable>(_ text: [Element], pattern: [Element], many: Element, one: Element? = nil) -> Bool {
    var (at, position) = (0, 0)
    var star: (at: Int, position: Int)?
    while position < text.count {
        if at < pattern.count, pattern[at] == many {
            star = (at, position)
            at += 1
        } else if at < pattern.count, pattern[at] == one || pattern[at] == text[position] {
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
    return pattern[at...].allSatisfy { $0 == many }
}
