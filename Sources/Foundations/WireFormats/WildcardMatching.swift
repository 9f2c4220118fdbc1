/// Returns whether a whole text matches a pattern. After a mismatch, the last wildcard takes one more element.
/// - Parameters:
///   - many: the element of the pattern that matches any number of elements, including none.
///   - one: the element of the pattern that matches exactly one element; `nil` if there is no such wildcard.
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
