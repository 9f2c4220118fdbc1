import WireFormats

/// Method and path of an operation in REST. (Smithy, "http trait".)
package struct RESTTemplate: Sendable {
    /// One segment of the path.
    private enum Segment: Sendable {
        case literal(String)
        case label(String)
        /// The rest of the path.
        case greedy(String)
    }

    private let method: String
    private let segments: [Segment]
    /// Names and values that the query must have.
    private let query: [(name: String, value: String)]

    init(method: String, path: String) {
        self.method = method
        let parts = path.split(separator: "?", maxSplits: 1)
        segments = (parts.first ?? "").split(separator: "/").map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .literal(String(segment)) }
            let name = segment.dropFirst().dropLast()
            return name.hasSuffix("+") ? .greedy(String(name.dropLast())) : .label(String(name))
        }
        query = (parts.dropFirst().first ?? "").split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1)
            return (String(sides.first ?? ""), String(sides.dropFirst().first ?? ""))
        }
    }

    /// Returns the labels of a request, and how many parts of the template are literal; `nil` if the request does not match.
    /// - Parameters:
    ///   - path: the decoded segments of the path.
    ///   - fields: the decoded query.
    func match(method: String, path: [String], query fields: FormFields) -> (labels: TextDictionary<String>, literals: Int)? {
        guard method == self.method else { return nil }
        var (labels, literals, rest): (TextDictionary<String>, Int, ArraySlice<String>) = ([:], 0, path[...])
        for segment in segments {
            switch segment {
            case .literal(let text):
                guard rest.popFirst() == text else { return nil }
                literals += 1
            case .label(let name):
                guard let value = rest.popFirst(), !value.isEmpty else { return nil }
                labels[name] = value
            case .greedy(let name):
                guard !rest.isEmpty else { return nil }
                labels[name] = rest.joined(separator: "/")
                rest = []
            }
        }
        guard rest.isEmpty else { return nil }
        for (name, value) in query {
            guard fields[name] == value || (value.isEmpty && fields[name] != nil) else { return nil }
            literals += 1
        }
        return (labels, literals)
    }
}
