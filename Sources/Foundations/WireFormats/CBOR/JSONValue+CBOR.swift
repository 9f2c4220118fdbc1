extension JSONValue {
    /// Parses one whole data item of CBOR (RFC 8949) as the JSON value that it stands for, as AWS's protocols use it: byte strings become
    /// base64, tags are left out, and `undefined` is `null`. (RFC 8949 section 6.1; Smithy, "RPC v2 CBOR protocol".)
    ///
    /// As strict as the parser of JSON: texts are UTF-8, the keys of maps are texts that occur once, nothing follows the item, and nesting
    /// has at most ``deepestNesting`` levels.
    package init(cbor bytes: [UInt8]) throws(CBORSyntaxError) {
        var reader = CBORReader(bytes)
        self = try reader.item(depth: 0)
        guard reader.isAtEnd else { throw .trailingBytes }
    }
}

/// Why bytes are not accepted as CBOR.
package enum CBORSyntaxError: Error, Equatable, Sendable {
    /// The item ends too early.
    case unexpectedEnd
    /// The item is not well-formed, or of a kind that no document of AWS has.
    case unexpectedByte
    /// A text is not UTF-8.
    case invalidUTF8
    /// A map has a key twice.
    case duplicateName
    /// Arrays and maps are nested too deeply.
    case tooDeep
    /// Bytes follow the item.
    case trailingBytes
}

/// Reads items of CBOR in order.
private struct CBORReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// The head of an item: the major type and its argument; `nil` for an indefinite length.
    private struct Head {
        let major: UInt8
        /// The lower five bits, which distinguish simple values and floating-point numbers.
        let information: UInt8
        let argument: UInt64?
    }

    /// The byte that ends an item of indefinite length.
    private static let end: UInt8 = 0xFF

    mutating func item(depth: Int) throws(CBORSyntaxError) -> JSONValue {
        guard depth <= JSONValue.deepestNesting else { throw .tooDeep }
        let head = try head()
        switch head.major {
        case 0:
            guard let value = head.argument else { throw .unexpectedByte }
            return Int64(exactly: value).map { .integer($0) } ?? .number(Double(value))
        case 1:
            guard let value = head.argument else { throw .unexpectedByte }
            return Int64(exactly: value).map { .integer(-1 - $0) } ?? .number(-1 - Double(value))
        case 2: return .string(try string(head).base64)
        case 3: return .string(try text(head))
        case 4: return .array(try elements(head, depth))
        case 5: return .object(try members(head, depth))
        case 6:
            guard head.argument != nil else { throw .unexpectedByte }
            return try item(depth: depth + 1)
        default: return try simple(head)
        }
    }

    private mutating func byte() throws(CBORSyntaxError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .unexpectedEnd }
        return byte
    }

    private mutating func head() throws(CBORSyntaxError) -> Head {
        let initial = try byte()
        let (major, information) = (initial >> 5, initial & 0x1F)
        switch information {
        case 0..<24: return Head(major: major, information: information, argument: UInt64(information))
        case 24..<28:
            var argument: UInt64 = 0
            for _ in 0..<(1 << (information - 24)) { argument = argument << 8 | UInt64(try byte()) }
            return Head(major: major, information: information, argument: argument)
        case 31: return Head(major: major, information: information, argument: nil)
        default: throw .unexpectedByte
        }
    }

    /// Returns the bytes of a string, and of the pieces of one of indefinite length.
    private mutating func string(_ head: Head) throws(CBORSyntaxError) -> [UInt8] {
        guard let length = head.argument else {
            var bytes: [UInt8] = []
            while try !endsHere() {
                let piece = try self.head()
                guard piece.major == head.major, piece.argument != nil else { throw .unexpectedByte }
                bytes += try string(piece)
            }
            return bytes
        }
        guard length <= UInt64(rest.count) else { throw .unexpectedEnd }
        defer { rest = rest.dropFirst(Int(length)) }
        return Array(rest.prefix(Int(length)))
    }

    private mutating func text(_ head: Head) throws(CBORSyntaxError) -> String {
        guard let text = String(validating: try string(head), as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private mutating func elements(_ head: Head, _ depth: Int) throws(CBORSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        if let count = head.argument {
            // Each element has at least one byte.
            guard count <= UInt64(rest.count) else { throw .unexpectedEnd }
            for _ in 0..<count { elements.append(try item(depth: depth + 1)) }
        } else {
            while try !endsHere() { elements.append(try item(depth: depth + 1)) }
        }
        return elements
    }

    private mutating func members(_ head: Head, _ depth: Int) throws(CBORSyntaxError) -> JSONObject {
        var members: [(String, JSONValue)] = []
        if let count = head.argument {
            guard count <= UInt64(rest.count) else { throw .unexpectedEnd }
            for _ in 0..<count { members.append(try member(depth)) }
        } else {
            while try !endsHere() { members.append(try member(depth)) }
        }
        var (object, names): (JSONObject, Set<TextKey>) = (JSONObject(), [])
        for (name, value) in members {
            guard names.insert(TextKey(name)).inserted else { throw .duplicateName }
            object.append(unique: name, value)
        }
        return object
    }

    private mutating func member(_ depth: Int) throws(CBORSyntaxError) -> (String, JSONValue) {
        let head = try head()
        guard head.major == 3 else { throw .unexpectedByte }
        let name = try text(head)
        return (name, try item(depth: depth + 1))
    }

    private func simple(_ head: Head) throws(CBORSyntaxError) -> JSONValue {
        guard let argument = head.argument else { throw .unexpectedByte }
        switch head.information {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22, 23: return .null
        case 25: return .number(Self.half(UInt16(truncatingIfNeeded: argument)))
        case 26: return .number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: argument))))
        case 27: return .number(Double(bitPattern: argument))
        default: throw .unexpectedByte
        }
    }

    /// Returns a number of half precision. (RFC 8949 appendix D.) `Float16` is not available on every platform.
    private static func half(_ bits: UInt16) -> Double {
        let (exponent, fraction) = (Int(bits >> 10 & 0x1F), Double(bits & 0x3FF))
        let size: Double =
            switch exponent {
            case 0: Double(sign: .plus, exponent: -24, significand: fraction)
            case 31: fraction == 0 ? .infinity : .nan
            default: Double(sign: .plus, exponent: exponent - 25, significand: fraction + 1024)
            }
        return bits & 0x8000 == 0 ? size : -size
    }

    /// Removes the byte that ends an item of indefinite length, if it is next.
    private mutating func endsHere() throws(CBORSyntaxError) -> Bool {
        guard let next = rest.first else { throw .unexpectedEnd }
        guard next == Self.end else { return false }
        rest = rest.dropFirst()
        return true
    }
}
