package import WireFormats

/// A text with placeholders `{{...}}` for values of a request and of its caller.
package struct AnswerTemplate: Hashable, Sendable {
    private var pieces: [Piece]

    private enum Piece: Hashable {
        case text(String)
        case value(Name)
    }

    /// The name of a value between the braces.
    package enum Name: Hashable, Sendable {
        /// `path.id`, a parameter of the endpoint's path.
        case path(String)
        /// `query.limit`
        case query(String)
        /// `header.Accept-Language`
        case header(String)
        /// `body` for the whole body, or `body.address.city` for a member of a JSON body.
        case body([String])
        case user(UserMember)
        case backend(BackendMember)
        /// `method`, in the case of the request.
        case method
        /// `time`: the sandbox's time in ISO 8601.
        case time
    }

    /// The members of `user`.
    package enum UserMember: String, Hashable, Sendable, CaseIterable {
        case id, username, email, firstName, lastName, roles, issuer, identityProvider
    }

    /// The members of `backend`.
    package enum BackendMember: String, Hashable, Sendable, CaseIterable {
        case id, name, version
    }

    /// - Parameter parameters: the names of the parameters in the endpoint's path.
    /// - Returns: `nil` if braces are not closed or contain an unknown name.
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

    /// Returns the text with its values filled in.
    ///
    /// In JSON, a value within a string is escaped; a value outside of strings is serialized, and a missing one becomes null.
    /// Otherwise, values that are not strings are inserted as JSON, and null and missing ones as nothing.
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
        // The name of a header or parameter can contain dots.
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

    /// A description of the names that a seed can use.
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
    /// The text of a string, nothing for null, and JSON for all other values.
    fileprivate var plainText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: serialized()
        }
    }
}

extension CustomAPI {
    /// Returns the default content type of a fixed answer: JSON if the body is an object or an array, otherwise plain text.
    package static func contentType(of body: String, isTemplate: Bool) -> String {
        let isJSON: Bool
        if isTemplate {
            // The filled-in text is not known yet. A pair of braces at the start opens a placeholder; a single brace opens an object.
            let start = body.drop { " \t\r\n".contains($0) }
            isJSON = start.hasPrefix("[") || start.hasPrefix("{") && !start.hasPrefix("{{")
        } else {
            let value = try? JSONValue(parsing: body)
            isJSON = value?.objectValue != nil || value?.arrayValue != nil
        }
        return isJSON ? "application/json" : "text/plain; charset=utf-8"
    }

    /// Returns whether a content type is JSON (RFC 6839 section 3.1).
    package static func isJSON(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return type == "application/json" || type.hasSuffix("+json")
    }
}
