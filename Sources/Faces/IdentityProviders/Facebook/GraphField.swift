import WireFormats

/// A requested field, such as `picture.type(large){url,width}`. (Graph API, "Field Expansion".)
struct GraphField: Equatable {
    var name: String
    /// The arguments that modify the field.
    var arguments: FormFields = [:]
    /// The requested fields of the value; `nil` for all.
    var subfields: [String]?

    /// Parses the parameter `fields`.
    static func list(_ text: String) -> [GraphField] { parts(of: text).map { GraphField(parsing: $0) }.filter { !$0.name.isEmpty } }

    init(name: String) { self.name = name }

    private init(parsing text: String) {
        var rest = text[...]
        name = String(rest.prefix { $0 != "." && $0 != "(" && $0 != "{" })
        rest = rest.dropFirst(name.count)
        while rest.first == "." {
            let modifier = String(rest.dropFirst().prefix { $0 != "(" && $0 != "." && $0 != "{" })
            rest = rest.dropFirst(1 + modifier.count)
            guard rest.first == "(" else { continue }
            let value = String(rest.dropFirst().prefix { $0 != ")" })
            rest = rest.dropFirst(2 + value.count)
            arguments.fields.append(.init(name: modifier, value: value))
        }
        guard rest.first == "{" else { return }
        let inside = String(rest.last == "}" ? rest.dropFirst().dropLast() : rest.dropFirst())
        subfields = Self.parts(of: inside).map { String($0.prefix { $0 != "." && $0 != "(" && $0 != "{" }) }.filter { !$0.isEmpty }
    }

    /// Splits a list at the commas outside of parentheses and braces, and drops the spaces between fields.
    private static func parts(of list: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in list.unicodeScalars.lazy.map(Character.init) {
            switch character {
            case "{", "(": depth += 1
            case "}", ")": depth -= 1
            case "," where depth == 0:
                parts.append("")
                continue
            case " " where depth == 0: continue
            default: break
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }
}
