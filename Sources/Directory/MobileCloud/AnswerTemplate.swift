package import WireFormats

/// A text with `{{…}}` in it, which stand for values of a request and of who made it.
package struct AnswerTemplate: Hashable, Sendable {
    private var pieces: [Piece]

    private enum Piece: Hashable {
        case text(String)
        case value(Name)
    }

    /// What stands between the braces.
    package enum Name: Hashable, Sendable {
        /// `path.id`, a parameter of the endpoint's path.
        case path(String)
        /// `query.limit`
        case query(String)
        /// `header.Accept-Language`
        case header(String)
        /// `body`, and `body.address.city` of a body in JSON.
        case body([String])
        case user(UserMember)
        case backend(BackendMember)
        /// `method`, as the caller wrote it.
        case method
        /// `time`, the sandbox's, in ISO 8601.
        case time
    }

    /// What `user.…` can name.
    package enum UserMember: String, Hashable, Sendable, CaseIterable {
        case id, username, email, firstName, lastName, roles, issuer, identityProvider
    }

    /// What `backend.…` can name.
    package enum BackendMember: String, Hashable, Sendable, CaseIterable {
        case id, name, version
    }

    /// - Parameter parameters: those of the endpoint's path.
    /// - Returns: nothing for braces that are not closed or name something else.
    package init?(_ text: String, parameters: [String]) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let opening = rest.firstRange(of: "{{") {
            let following = rest[opening.upperBound...]
            guard let closing = following.firstRange(of: "}}"),
                let name = Name(following[..<closing.lowerBound], parameters: parameters)
            else { return nil }
            pieces.append(.text(String(rest[..<opening.lowerBound])))
            pieces.append(.value(name))
            rest = following[closing.upperBound...]
        }
        pieces.append(.text(String(rest)))
        self.pieces = pieces
    }

    /// The text with its values. In JSON a value within a string is escaped, and one outside of strings stands as it is, null where there
    /// is none; elsewhere what is no text stands as JSON.
    package func text(asJSON: Bool, _ value: (Name) -> JSONValue?) -> String {
        var text = ""
        var isInString = false
        for piece in pieces {
            switch piece {
            case .text(let part):
                text += part
                if asJSON { isInString = Self.endsInString(part, beginningInString: isInString) }
            case .value(let name):
                let value = value(name)
                if asJSON, !isInString {
                    text += (value ?? .null).serialized()
                } else if asJSON {
                    text += JSONValue.string(value?.plainText ?? "").serialized().dropFirst().dropLast()
                } else {
                    text += value?.plainText ?? ""
                }
            }
        }
        return text
    }

    private static func endsInString(_ text: String, beginningInString isInString: Bool) -> Bool {
        var isInString = isInString
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
        return isInString
    }
}

extension AnswerTemplate.Name {
    fileprivate init?(_ text: Substring, parameters: [String]) {
        let parts = text.trimmingSpaces.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty }), let root = parts.first else { return nil }
        // The name of a header or parameter may have dots in it.
        let name = parts.dropFirst().joined(separator: ".")
        switch (root, parts.count) {
        case ("body", _): self = .body(Array(parts.dropFirst()))
        case ("method", 1): self = .method
        case ("time", 1): self = .time
        case ("path", 2...) where parameters.contains(name): self = .path(name)
        case ("query", 2...): self = .query(name)
        case ("header", 2...): self = .header(name)
        case ("user", 2):
            guard let member = AnswerTemplate.UserMember(rawValue: name) else { return nil }
            self = .user(member)
        case ("backend", 2):
            guard let member = AnswerTemplate.BackendMember(rawValue: name) else { return nil }
            self = .backend(member)
        default: return nil
        }
    }

    /// What a seed can say, in words.
    package static let forms =
        "path.<a parameter of the path>, query.<name>, header.<name>, body[.<member>], method, time, "
        + (AnswerTemplate.UserMember.allCases.map { "user.\($0)" } + AnswerTemplate.BackendMember.allCases.map { "backend.\($0)" })
        .joined(separator: ", ")
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let front = drop { $0 == " " }
        guard let last = front.lastIndex(where: { $0 != " " }) else { return front }
        return front[...last]
    }
}

extension JSONValue {
    /// A text as it is, `nil` for null, and all else as JSON.
    fileprivate var plainText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: serialized()
        }
    }
}

extension CustomAPI {
    /// The type of a fixed answer's content that names none: JSON where it is an object or an array.
    package static func contentType(of body: String, isTemplate: Bool) -> String {
        let isJSON: Bool
        if isTemplate {
            // What a template will be is not known before it is filled in; a pair of braces opens a value, and one an object.
            let start = body.drop { " \t\r\n".contains($0) }
            isJSON = start.hasPrefix("[") || start.hasPrefix("{") && !start.hasPrefix("{{")
        } else {
            let value = try? JSONValue(parsing: body)
            isJSON = value?.objectValue != nil || value?.arrayValue != nil
        }
        return isJSON ? "application/json" : "text/plain; charset=utf-8"
    }

    /// Whether content of a type is JSON (RFC 6839 section 3.1).
    package static func isJSON(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return type == "application/json" || type.hasSuffix("+json")
    }
}
