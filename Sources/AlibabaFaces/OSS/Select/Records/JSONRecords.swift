import WireFormats

/// A value of JSON with the bytes that it was written in, which are given out as they were.
struct JSONNode: Sendable {
    enum Content: Sendable {
        case object([(name: String, value: JSONNode)])
        case array([JSONNode])
        case scalar(JSONValue)
    }

    /// Containers within each other that are looked into.
    private static let deepest = 256

    let content: Content
    /// Without white space between its parts.
    let written: [UInt8]

    /// - Throws: ``SelectRefusal`` for what is not one value.
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

    private static let invalid = SelectRefusal(.invalidJSONData, "The object is not written in JSON.")

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

    /// The member of a name: the one that is spelled so, else one whose name differs in case alone.
    private func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = content else { return nil }
        return members.last { $0.name == name }?.value ?? members.last { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Where steps lead from here.
    func nodes(_ path: ArraySlice<SelectStatement.Step>) -> [JSONNode] {
        guard let step = path.first else { return [self] }
        let next: [JSONNode] =
            switch (step, content) {
            case (.name(let name), _): member(name).map { [$0] } ?? []
            case (.index(let index), .array(let elements)): elements.indices.contains(index) ? [elements[index]] : []
            case (.everyElement, .array(let elements)): elements
            default: []
            }
        return next.flatMap { $0.nodes(path.dropFirst()) }
    }
}

/// A record of JSON.
struct JSONRecord: SelectRecord {
    let node: JSONNode
    /// Numbers compare as the texts that they are written in, however many digits they have.
    let takesNumbersAsTexts: Bool

    func value(of column: SelectStatement.Column, isMissing: inout Bool) -> SelectValue {
        guard let node = node.nodes(column.path[...]).first else {
            isMissing = true
            return .null
        }
        guard case .scalar(let value) = node.content else { return .composite }
        switch value {
        case .null: return .null
        case .bool(let truth): return .boolean(truth)
        case .string(let text): return .text(text)
        default:
            let written = String(decoding: node.written, as: UTF8.self)
            return takesNumbersAsTexts ? .text(written) : SelectValue(number: written) ?? .text(written)
        }
    }
}

/// Finds the objects of JSON that stand one behind the other, with white space or commas between them; their bytes come piece by piece.
struct JSONReader: Sendable {
    /// Bytes of one value: of a line, or of the whole document.
    let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// How far the value has been looked through, and what is open there.
    private var (place, depth, isInText, isEscaped) = (0, 0, false, false)

    init(longest: Int) { self.longest = longest }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(start)
        place -= start
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next whole value; nothing where more has to come first, or nothing is left.
    mutating func next(isLast: Bool) throws(SelectRefusal) -> JSONNode? {
        if depth == 0 {
            while start < buffer.count, [0x20, 0x09, 0x0A, 0x0D, 0x2C].contains(buffer[start]) { start += 1 }
            place = start
            guard start < buffer.count else { return nil }
            guard buffer[start] == UInt8(ascii: "{") || buffer[start] == UInt8(ascii: "[") else {
                throw SelectRefusal(.invalidJSONData, "The object holds something else than objects of JSON.")
            }
        }
        while place < buffer.count {
            let byte = buffer[place]
            place += 1
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth == 0 else { continue }
                let node = try JSONNode(parsing: buffer[start..<place])
                start = place
                return node
            default: break
            }
        }
        guard buffer.count - start <= longest else {
            throw SelectRefusal(.invalidJSONData, "A value is longer than \(longest) bytes.")
        }
        guard !isLast else { throw SelectRefusal(.invalidJSONData, "The object ends within a value.") }
        return nil
    }
}
