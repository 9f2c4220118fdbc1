import WireFormats

/// Where an input names something: names of members, separated by dots. `[]` after a name means each element of a list, `[k]` each key of a
/// map. `=VALUE` at the end is the value of an absent member; a path that is nothing else is a constant.
package struct MemberPath: Sendable {
    /// One step from a value to those in it.
    enum Step: Sendable {
        case member(String)
        case each
        case keys
    }

    let steps: [Step]
    /// The value of an absent member; `nil` if there is none.
    let absent: String?

    init(_ text: String) {
        var path = text[...]
        if let equals = text.firstIndex(of: "=") {
            path = text[..<equals]
            absent = String(text[equals...].dropFirst())
        } else {
            absent = nil
        }
        var steps: [Step] = []
        for part in path.split(separator: ".") {
            if part.hasSuffix("[]") {
                steps += [.member(String(part.dropLast(2))), .each]
            } else if part.hasSuffix("[k]") {
                steps += [.member(String(part.dropLast(3))), .keys]
            } else {
                steps.append(.member(String(part)))
            }
        }
        self.steps = steps
    }

    /// The names of the members on the way, for messages.
    var name: String {
        steps.compactMap { step in
            if case .member(let name) = step { name } else { nil }
        }.joined(separator: ".")
    }
}
