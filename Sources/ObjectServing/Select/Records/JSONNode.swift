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

    let content: Content
    /// The original text without insignificant white space.
    let written: [UInt8]

    package static func == (one: JSONNode, other: JSONNode) -> Bool { one.written == other.written }

    package func hash(into hasher: inout Hasher) { hasher.combine(written) }

    /// Parses a value.
    /// - Throws: ``SelectRefusal`` if the bytes are not exactly one value.
    init(parsing bytes: ArraySlice<UInt8>) throws(SelectRefusal) {
        var index = bytes.startIndex
        self = try Self.value(bytes, &index, depth: 0)
        Self.skipSpace(bytes, &index)
        guard index == bytes.endIndex else { throw Self.invalid }
    }

    private init(_ content: Content, _ written: [UInt8]) {
        self.content = content
        self.written = written
    }

    private static let invalid = SelectRefusal(.invalidJSONData, "The object is not valid JSON.")

    private static func skipSpace(_ bytes: ArraySlice<UInt8>, _ index: inout Int) {
        while index < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private static func value(_ bytes: ArraySlice<UInt8>, _ index: inout Int, depth: Int) throws(SelectRefusal) -> JSONNode {
        guard depth < deepest else { throw SelectRefusal(.invalidJSONData, "The object is nested too deeply.") }
        skipSpace(bytes, &index)
        guard index < bytes.endIndex else { throw invalid }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try container(bytes, &index, depth, end: UInt8(ascii: "}"))
        case UInt8(ascii: "["): return try container(bytes, &index, depth, end: UInt8(ascii: "]"))
        default: return try scalar(bytes, &index)
        }
    }

    private static func container(_ bytes: ArraySlice<UInt8>, _ index: inout Int, _ depth: Int, end: UInt8) throws(SelectRefusal)
        -> JSONNode
    {
        let isObject = end == UInt8(ascii: "}")
        var members: [(name: String, value: JSONNode)] = []
        var written = [bytes[index]]
        func skip(_ byte: UInt8, _ index: inout Int) -> Bool {
            skipSpace(bytes, &index)
            guard index < bytes.endIndex, bytes[index] == byte else { return false }
            index += 1
            return true
        }
        index += 1
        if !skip(end, &index) {
            repeat {
                if !members.isEmpty { written.append(UInt8(ascii: ",")) }
                var name = ""
                if isObject {
                    skipSpace(bytes, &index)
                    let key = try scalar(bytes, &index)
                    guard case .scalar(.string(let text)) = key.content, skip(UInt8(ascii: ":"), &index) else { throw invalid }
                    name = text
                    written += key.written + [UInt8(ascii: ":")]
                }
                let value = try value(bytes, &index, depth: depth + 1)
                written += value.written
                members.append((name: name, value: value))
            } while skip(UInt8(ascii: ","), &index)
            guard skip(end, &index) else { throw invalid }
        }
        written.append(end)
        return JSONNode(isObject ? .object(members) : .array(members.map(\.value)), written)
    }

    private static func scalar(_ bytes: ArraySlice<UInt8>, _ index: inout Int) throws(SelectRefusal) -> JSONNode {
        let start = index
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
            index += 1
        } else {
            while index < bytes.endIndex, !" \t\r\n,:]}[{\"".utf8.contains(bytes[index]) { index += 1 }
        }
        guard index <= bytes.endIndex else { throw invalid }
        let written = Array(bytes[start..<index])
        guard let value = try? JSONValue(parsing: written) else { throw invalid }
        return JSONNode(.scalar(value), written)
    }

    /// Returns the member with a name, or else one whose name differs only in case.
    private func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.last { $0.name == name }?.value ?? members.last { $0.name.lowercased() == name.lowercased() }?.value
    }

    private func member(exactly name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// Whether the object has several members whose names differ only in case.
    func isAmbiguous(_ name: String) -> Bool {
        guard case .object(let members) = content else { return false }
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
        switch (step, content) {
        case (.name(let name), _), (.anyCaseName(let name), _): member(name).map { [$0] } ?? []
        case (.exactName(let name), _): member(exactly: name).map { [$0] } ?? []
        case (.index(let index), .array(let elements)): elements.indices.contains(index) ? [elements[index]] : []
        case (.everyElement, .array(let elements)): elements
        case (.everyMember, .object(let members)): members.map(\.value)
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
