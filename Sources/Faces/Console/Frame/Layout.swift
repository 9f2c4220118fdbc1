import WireFormats

/// Lays out documents for reading.
enum Layout {
    /// Returns JSON and XML with line breaks and indentation, and any other text as it is.
    static func indented(_ text: String) -> String {
        guard text.utf8.count <= 200_000 else { return text }
        let start = text.first { !$0.isWhitespace && !$0.isNewline }
        if start == "{" || start == "[", let json = try? JSONValue(parsing: text) { return json.serialized(pretty: true) }
        if start == "<", let document = try? XMLElement(parsing: Array(text.utf8)) {
            var lines: [String] = []
            append(document, depth: 0, to: &lines)
            return lines.joined(separator: "\n")
        }
        return text
    }

    private static func append(_ element: XMLElement, depth: Int, to lines: inout [String]) {
        let indent = String(repeating: "  ", count: depth)
        let name = element.prefix.isEmpty ? element.name : "\(element.prefix):\(element.name)"
        let declarations = element.declarations.map { " xmlns\($0.prefix.isEmpty ? "" : ":\($0.prefix)")=\"\($0.namespace)\"" }
        let attributes = element.attributes.map { " \($0.prefix.isEmpty ? "" : "\($0.prefix):")\($0.name)=\"\($0.value)\"" }
        let head = "\(name)\(declarations.joined())\(attributes.joined())"
        let children = element.children
        if children.isEmpty {
            lines.append(element.text.isEmpty ? "\(indent)<\(head)/>" : "\(indent)<\(head)>\(element.text)</\(name)>")
        } else {
            lines.append("\(indent)<\(head)>")
            for child in children { append(child, depth: depth + 1, to: &lines) }
            lines.append("\(indent)</\(name)>")
        }
    }
}
