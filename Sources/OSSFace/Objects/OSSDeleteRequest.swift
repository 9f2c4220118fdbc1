import Policy
import WireFormats

/// The document that DeleteMultipleObjects takes.
///
/// Keys may hold any character, and clients write control characters as they are or by number, which XML 1.0 knows neither of. So this
/// document is read by rules of its own: elements, text, references; no attributes, declarations of types or comments within.
struct OSSDeleteRequest: Equatable {
    struct Object: Equatable {
        var key: String
        /// Not empty.
        var version: String?
    }

    /// One to 1,000, in the client's order.
    var objects: [Object] = []
    /// Leaves everything out of the answer.
    var isQuiet = false

    private static let most = 1000

    /// - Throws: `MalformedXML`, `InvalidObjectName`, `InvalidArgument`.
    init(parsing bytes: [UInt8]) throws(OSSError) {
        var reader = Reader(bytes)
        try reader.skipProlog()
        try reader.open("Delete")
        while let name = try reader.opened(within: "Delete") {
            switch name {
            case "Quiet":
                switch try reader.text(of: name).lowercased() {
                case "true": isQuiet = true
                case "false": isQuiet = false
                default: throw OSSError(.malformedXML)
                }
            case "Object": objects.append(try Self.object(&reader))
            default: throw OSSError(.malformedXML)
            }
            guard objects.count <= Self.most else { throw OSSError(.malformedXML) }
        }
        try reader.end()
        guard !objects.isEmpty else { throw OSSError(.malformedXML) }
    }

    private static func object(_ reader: inout Reader) throws(OSSError) -> Object {
        var key: String?
        var version: String?
        while let name = try reader.opened(within: "Object") {
            switch name {
            case "Key": key = try reader.text(of: name)
            case "VersionId":
                let text = try reader.text(of: name)
                guard !text.isEmpty else { throw .emptyVersionID }
                version = text
            default: throw OSSError(.malformedXML)
            }
        }
        guard let key else { throw OSSError(.malformedXML, subcode: "0016-00000613") }
        try OSSObjectOperation.check(key)
        return Object(key: key, version: version)
    }
}

extension OSSError {
    /// Who means the current version leaves the element out. (OSS error code 0016-00000612.)
    fileprivate static var emptyVersionID: OSSError {
        OSSError(
            .invalidArgument, "Version id cannot be the empty string", ["ArgumentName": "versionId", "ArgumentValue": ""],
            subcode: "0016-00000612")
    }
}

/// Reads elements and text, nothing else.
private struct Reader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var rest: ArraySlice<UInt8> { bytes[place...] }

    private mutating func take(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { rest.starts(with: $0) }
        if matches { place += text.utf8CodeUnitCount }
        return matches
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    /// A byte order mark and the XML declaration, if they are there.
    mutating func skipProlog() throws(OSSError) {
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { place += 3 }
        skipSpace()
        guard take("<?xml") else { return }
        while place < bytes.count, !take("?>") { place += 1 }
        skipSpace()
    }

    mutating func open(_ name: String) throws(OSSError) {
        guard try tag() == .open(name) else { throw OSSError(.malformedXML) }
    }

    private enum Tag: Equatable {
        case open(String)
        case empty(String)
        case close(String)
    }

    /// The element that begins next, or nothing where the one around it ends. An empty one is answered as one without text.
    mutating func opened(within parent: String) throws(OSSError) -> String? {
        skipSpace()
        let start = place
        switch try tag() {
        case .open(let name): return name
        case .close(parent): return nil
        case .empty(let name):
            place = start
            return name
        case .close: throw OSSError(.malformedXML)
        }
    }

    /// The text up to the end of an element that ``opened(within:)`` has answered.
    mutating func text(of name: String) throws(OSSError) -> String {
        if bytes[place...].first == UInt8(ascii: "<"), case .empty(name) = try peekedTag() {
            _ = try tag()
            return ""
        }
        var text: [UInt8] = []
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"):
                if take("<![CDATA[") {
                    while place < bytes.count, !take("]]>") {
                        text.append(bytes[place])
                        place += 1
                    }
                    continue
                }
                guard try tag() == .close(name) else { throw OSSError(.malformedXML) }
                guard let decoded = String(validating: text, as: UTF8.self) else { throw OSSError(.malformedXML) }
                return decoded
            case UInt8(ascii: "&"): text += try reference()
            default:
                text.append(bytes[place])
                place += 1
            }
        }
        throw OSSError(.malformedXML)
    }

    /// Nothing but white space may follow.
    mutating func end() throws(OSSError) {
        skipSpace()
        guard place == bytes.count else { throw OSSError(.malformedXML) }
    }

    private func peekedTag() throws(OSSError) -> Tag {
        var copy = self
        return try copy.tag()
    }

    private mutating func tag() throws(OSSError) -> Tag {
        guard take("<") else { throw OSSError(.malformedXML) }
        let isClosing = take("/")
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
        guard place < bytes.count else { throw OSSError(.malformedXML) }
        var content = bytes[start..<place]
        place += 1
        let isEmpty = content.last == UInt8(ascii: "/")
        if isEmpty { content.removeLast() }
        // Attributes, such as a namespace, say nothing here.
        let name = String(decoding: content.prefix { !($0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D) }, as: UTF8.self)
        guard !name.isEmpty, !(isClosing && isEmpty) else { throw OSSError(.malformedXML) }
        return isClosing ? .close(name) : isEmpty ? .empty(name) : .open(name)
    }

    /// The bytes that a reference stands for; by number, any character.
    private mutating func reference() throws(OSSError) -> [UInt8] {
        for (name, byte) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")] {
            if rest.starts(with: name.utf8) {
                place += name.utf8.count
                return Array(byte.utf8)
            }
        }
        guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")), take("&#") else { throw OSSError(.malformedXML) }
        var digits = String(decoding: bytes[place..<end], as: UTF8.self)
        let radix = digits.hasPrefix("x") ? 16 : 10
        if radix == 16 { digits.removeFirst() }
        guard let number = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(number) else { throw OSSError(.malformedXML) }
        place = end + 1
        return Array(String(Character(scalar)).utf8)
    }
}
