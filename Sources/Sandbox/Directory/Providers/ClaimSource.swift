package import WireFormats

/// The source of a claim. Its text in seeds is also the one that is stored.
package enum ClaimSource: Hashable, Sendable {
    /// `attribute:NAME`: an attribute of the person. Dots select members of objects: `attribute:address.country`.
    case attribute(String)
    /// `groups`, or `groups:PREFIX` for the names that begin with a prefix: the list of the person's groups.
    case groups(prefix: String)
    /// `template:TEXT`, in which `${NAME}` stands for an attribute.
    case template(String)
    /// `=TEXT`, or any value that is not a string.
    case constant(JSONValue)

    /// Creates the source that a value of a seed stands for; `nil` if it is malformed.
    package init?(_ json: JSONValue) {
        guard let text = json.stringValue else {
            if json == .null { return nil }
            self = .constant(json)
            return
        }
        if let constant = text.part(after: "=") {
            self = .constant(.string(constant))
        } else if let name = text.part(after: "attribute:"), !name.isEmpty {
            self = .attribute(name)
        } else if text == "groups" {
            self = .groups(prefix: "")
        } else if let prefix = text.part(after: "groups:"), !prefix.isEmpty {
            self = .groups(prefix: prefix)
        } else if let template = text.part(after: "template:"), TemplatePart.parts(of: template) != nil {
            self = .template(template)
        } else {
            return nil
        }
    }

    /// The source as in seeds.
    package var json: JSONValue {
        switch self {
        case .attribute(let name): .string("attribute:\(name)")
        case .groups(let prefix): .string(prefix.isEmpty ? "groups" : "groups:\(prefix)")
        case .template(let text): .string("template:\(text)")
        case .constant(.string(let text)): .string("=\(text)")
        case .constant(let value): value
        }
    }

    /// What a source is, for the error of another text.
    package static let form = "attribute:NAME, groups, groups:PREFIX, template:TEXT with ${NAME}, =TEXT, or a value that is not a string"

    /// Returns the value of the claim for someone with these attributes; `nil` if an attribute is missing.
    package func value(from attributes: JSONObject) -> JSONValue? {
        switch self {
        case .attribute(let name): return Self.attribute(name, in: attributes)
        case .groups(let prefix):
            guard let names = attributes["groups"].map(Self.names) else { return nil }
            return .array(names.filter { $0.hasPrefix(prefix) }.map { .string($0) })
        case .template(let template):
            var text = ""
            for part in TemplatePart.parts(of: template) ?? [] {
                switch part {
                case .text(let fixed): text += fixed
                case .attribute(let name):
                    guard let value = Self.attribute(name, in: attributes) else { return nil }
                    text += Self.names(value).joined(separator: ",")
                }
            }
            return .string(text)
        case .constant(let value): return value
        }
    }

    private static func attribute(_ name: String, in attributes: JSONObject) -> JSONValue? {
        if let value = attributes[name] { return value }
        var value = JSONValue.object(attributes)
        for part in name.split(separator: ".") {
            guard let member = value[String(part)] else { return nil }
            value = member
        }
        return value
    }

    /// Returns the texts of a value. The elements of a list can be objects with a `value` (RFC 7643 section 2.4).
    private static func names(_ value: JSONValue) -> [String] {
        switch value {
        case .null: []
        case .string(let text): [text]
        case .array(let elements): elements.flatMap { names($0["value"] ?? $0) }
        case .bool, .integer, .number, .object: [value.serialized()]
        }
    }
}

extension ClaimSource: Codable {
    package init(from decoder: any Decoder) throws {
        guard let source = ClaimSource(try JSONValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: Self.form))
        }
        self = source
    }

    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A part of a template.
private enum TemplatePart {
    case text(String)
    case attribute(String)

    /// Returns the parts of a template; `nil` if a placeholder is empty or has no end.
    static func parts(of template: String) -> [TemplatePart]? {
        var parts: [TemplatePart] = []
        var rest = template[...]
        while let start = rest.firstRange(of: "${") {
            let placeholder = rest[start.upperBound...]
            guard let end = placeholder.firstIndex(of: "}"), end != placeholder.startIndex else { return nil }
            parts.append(.text(String(rest[..<start.lowerBound])))
            parts.append(.attribute(String(placeholder[..<end])))
            rest = placeholder[end...].dropFirst()
        }
        return parts + [.text(String(rest))]
    }
}

extension String {
    /// Returns what follows a prefix; `nil` if the text does not begin with it.
    fileprivate func part(after prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
