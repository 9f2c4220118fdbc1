import WireFormats

/// A JSON value with its original text, which is used in the output.
package struct JSONNode: Hashable, Sendable {
    enum Content: Sendable {
        case object([(name: String, value: JSONNode)])
        case array([JSONNode])
        case scalar(JSONValue)
    }

    /// The maximum nesting depth.
    private static let deepest = 256

    /// A value and its position in the text.
    private struct Part: Sendable {
        enum Content: Sendable {
            case object([(name: String, value: Part)])
            case array([Part])
            case scalar(JSONValue)
        }

        var content: Content
        var range: Range<Int>
    }

    /// The text of the whole document, which all its nodes share.
    private let text: [UInt8]
    private let part: Part

    /// The value, with a node for each value inside.
    var content: Content {
        switch part.content {
        case .object(let members): .object(members.map { (name: $0.name, value: JSONNode(text, $0.value)) })
        case .array(let elements): .array(elements.map { JSONNode(text, $0) })
        case .scalar(let value): .scalar(value)
        }
    }

    /// The value if it is neither an array nor an object.
    var scalar: JSONValue? { if case .scalar(let value) = part.content { value } else { nil } }

    /// The size of the text in bytes.
    var length: Int { part.range.count }

    /// The number of members or elements.
    var breadth: Int {
        switch part.content {
        case .object(let members): members.count
        case .array(let elements): elements.count
        case .scalar: 0
        }
    }

    /// The original text without insignificant white space.
    var written: [UInt8] { Array(text[part.range]) }

    package static func == (one: JSONNode, other: JSONNode) -> Bool { one.text[one.part.range] == other.text[other.part.range] }

    package func hash(into hasher: inout Hasher) { hasher.combine(text[part.range]) }

    /// Parses a value.
    /// - Throws: ``SelectRefusal`` if the bytes are not exactly one value.
    init(parsing bytes: ArraySlice<UInt8>) throws(SelectRefusal) {
        var index = bytes.startIndex
        var text: [UInt8] = []
        let part = try Self.value(bytes, &index, depth: 0, &text)
        Self.skipSpace(bytes, &index)
        guard index == bytes.endIndex else { throw Self.invalid }
        self.init(text, part)
    }

    private init(_ text: [UInt8], _ part: Part) { (self.text, self.part) = (text, part) }

    private static let invalid = SelectRefusal(.invalidJSONData, "The object is not valid JSON.")

    private static func skipSpace(_ bytes: ArraySlice<UInt8>, _ index: inout Int) {
        while index < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private static func value(
        _ bytes: ArraySlice<UInt8>, _ index: inout Int, depth: Int, _ text: inout [UInt8]
    ) throws(SelectRefusal) -> Part {
        guard depth < deepest else { throw SelectRefusal(.invalidJSONData, "The object is nested too deeply.") }
        skipSpace(bytes, &index)
        guard index < bytes.endIndex else { throw invalid }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try container(bytes, &index, depth, end: UInt8(ascii: "}"), &text)
        case UInt8(ascii: "["): return try container(bytes, &index, depth, end: UInt8(ascii: "]"), &text)
        default: return try scalar(bytes, &index, &text)
        }
    }

    private static func container(
        _ bytes: ArraySlice<UInt8>, _ index: inout Int, _ depth: Int, end: UInt8, _ text: inout [UInt8]
    ) throws(SelectRefusal) -> Part {
        let isObject = end == UInt8(ascii: "}")
        var members: [(name: String, value: Part)] = []
        var elements: [Part] = []
        let start = text.count
        text.append(bytes[index])
        func skip(_ byte: UInt8, _ index: inout Int) -> Bool {
            skipSpace(bytes, &index)
            guard index < bytes.endIndex, bytes[index] == byte else { return false }
            index += 1
            return true
        }
        index += 1
        if !skip(end, &index) {
            repeat {
                if text.count > start + 1 { text.append(UInt8(ascii: ",")) }
                if isObject {
                    skipSpace(bytes, &index)
                    guard case .scalar(.string(let key)) = try scalar(bytes, &index, &text).content, skip(UInt8(ascii: ":"), &index) else {
                        throw invalid
                    }
                    text.append(UInt8(ascii: ":"))
                    members.append((name: key, value: try value(bytes, &index, depth: depth + 1, &text)))
                } else {
                    elements.append(try value(bytes, &index, depth: depth + 1, &text))
                }
            } while skip(UInt8(ascii: ","), &index)
            guard skip(end, &index) else { throw invalid }
        }
        text.append(end)
        return Part(content: isObject ? .object(members) : .array(elements), range: start..<text.count)
    }

    private static func scalar(
        _ bytes: ArraySlice<UInt8>, _ index: inout Int, _ text: inout [UInt8]
    ) throws(SelectRefusal) -> Part {
        let start = index
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
            index += 1
        } else {
            while index < bytes.endIndex, !" \t\r\n,:]}[{\"".utf8.contains(bytes[index]) { index += 1 }
        }
        guard index <= bytes.endIndex else { throw invalid }
        guard let value = try? JSONValue(parsing: Array(bytes[start..<index])) else { throw invalid }
        text += bytes[start..<index]
        return Part(content: .scalar(value), range: (text.count - (index - start))..<text.count)
    }

    private var members: [(name: String, value: Part)] { if case .object(let members) = part.content { members } else { [] } }

    /// Returns the member with a name, or else one whose name differs only in case.
    private func member(_ name: String) -> JSONNode? {
        if let member = member(exactly: name) { return member }
        let name = name.lowercased()
        return members.last { $0.name.lowercased() == name }.map { JSONNode(text, $0.value) }
    }

    private func member(exactly name: String) -> JSONNode? { members.last { $0.name == name }.map { JSONNode(text, $0.value) } }

    /// Whether the object has several members whose names differ only in case.
    func isAmbiguous(_ name: String) -> Bool {
        let name = name.lowercased()
        var first: String?
        for member in members where member.name.lowercased() == name {
            if let first, first != member.name { return true }
            first = member.name
        }
        return false
    }

    /// Returns the nodes that one step of a path selects.
    private func nodes(_ step: SelectStatement.Step) -> [JSONNode] {
        switch (step, part.content) {
        case (.name(let name), _), (.anyCaseName(let name), _): member(name).map { [$0] } ?? []
        case (.exactName(let name), _): member(exactly: name).map { [$0] } ?? []
        case (.index(let index), .array(let elements)): elements.indices.contains(index) ? [JSONNode(text, elements[index])] : []
        case (.everyElement, .array(let elements)): elements.map { JSONNode(text, $0) }
        case (.everyMember, .object(let members)): members.map { JSONNode(text, $0.value) }
        default: []
        }
    }

    /// Returns the nodes that a path selects.
    func nodes(_ path: ArraySlice<SelectStatement.Step>) -> [JSONNode] {
        guard let step = path.first else { return [self] }
        return nodes(step).flatMap { $0.nodes(path.dropFirst()) }
    }

    /// Returns the records that a path selects; `nil` in the place of each missing one.
    func records(_ path: ArraySlice<SelectStatement.Step>) -> [JSONNode?] {
        guard let step = path.first else { return [self] }
        let next = nodes(step)
        return next.isEmpty ? [nil] : next.flatMap { $0.records(path.dropFirst()) }
    }
}
