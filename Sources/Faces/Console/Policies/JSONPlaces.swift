import WireFormats

/// Finds members of a JSON text by their path, for errors in an editor.
struct JSONPlaces {
    private let bytes: [UInt8]
    private var offset = 0
    private let wanted: String
    private var found: Int?

    /// Returns the place of a member such as `Statement[0].Effect`, or of the nearest one around it; `nil` if the text is not JSON.
    static func place(of path: String, in text: String) -> TextPlace? {
        var path = path
        while true {
            var places = JSONPlaces(bytes: Array(text.utf8), wanted: path)
            places.readValue("", depth: 0)
            if let found = places.found { return TextPlace(found, in: text) }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else {
                return path.isEmpty ? nil : Self.place(of: "", in: text)
            }
            path = String(path[..<end])
        }
    }

    private init(bytes: [UInt8], wanted: String) { (self.bytes, self.wanted) = (bytes, wanted) }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func readValue(_ path: String, depth: Int) {
        skipSpace()
        if found == nil, path == wanted { found = offset }
        guard found == nil, offset < bytes.count, depth < 64 else { return }
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            offset += 1
            while found == nil {
                skipSpace()
                guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
                let start = offset
                let name = readString()
                let member = path.isEmpty ? name : "\(path).\(name)"
                if member == wanted {
                    found = start
                    return
                }
                skipSpace()
                guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { return }
                offset += 1
                readValue(member, depth: depth + 1)
                guard continues() else { break }
            }
            offset += 1
        case UInt8(ascii: "["):
            offset += 1
            var index = 0
            while found == nil, offset < bytes.count {
                skipSpace()
                guard offset < bytes.count, bytes[offset] != UInt8(ascii: "]") else { break }
                readValue("\(path)[\(index)]", depth: depth + 1)
                index += 1
                guard continues() else { break }
            }
            offset += 1
        case UInt8(ascii: "\""): _ = readString()
        default: while offset < bytes.count, !",]}".utf8.contains(bytes[offset]) { offset += 1 }
        }
    }

    /// Skips a comma.
    private mutating func continues() -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ",") else { return false }
        offset += 1
        return true
    }

    private mutating func readString() -> String {
        offset += 1
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        let end = min(offset, bytes.count)
        offset = end + 1
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }
}
