import WireFormats

/// What the headers of a part say: its `Content-Disposition`, and its `Content-Type`. (RFC 7578 sections 4.2 and 4.4.)
struct FormDataDisposition: Equatable {
    var name: String
    /// Without a path; `nil` if the part has none, empty where the visitor chose no file.
    var filename: String?
    /// Of the part's content; `nil` if the part says none.
    var contentType: String?

    /// - Parameter headers: the lines of a part's headers. No others are looked at (RFC 7578 section 4.8).
    /// - Returns: nothing unless the part is `form-data` with a name.
    init?(headers: String) {
        func value(of name: String) -> Substring? {
            for line in headers.split(separator: "\r\n") where line.prefix(name.count).lowercased() == name {
                return line.dropFirst(name.count)
            }
            return nil
        }
        guard let disposition = value(of: "content-disposition:") else { return nil }
        self.init(disposition)
        let type = value(of: "content-type:")?.drop { $0 == " " || $0 == "\t" } ?? ""
        contentType = type.isEmpty ? nil : String(type)
    }

    private init?(_ value: Substring) {
        var scanner = ParameterScanner(rest: Array(value.utf8)[...])
        guard scanner.token()?.lowercased() == "form-data" else { return nil }
        var name: String?
        var filename: String?
        var extended: String?
        while let (attribute, value) = scanner.parameter() {
            switch attribute {
            case "name": name = value
            case "filename": filename = value
            // Not for browsers (RFC 7578 section 4.2), but some libraries send it where the name is not ASCII.
            case "filename*": extended = Self.decoded(value)
            default: break
            }
        }
        guard let name else { return nil }
        self.name = name
        self.filename = (extended ?? filename).map(Self.lastComponent)
    }

    /// `UTF-8''na%C3%AFve.txt` (RFC 8187 section 3.2.1).
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return percentDecoded(parts[2])
    }

    /// Old browsers send the whole path.
    private static func lastComponent(_ path: String) -> String {
        let start = path.lastIndex { $0 == "/" || $0 == "\\" }.map { path.index(after: $0) }
        return String(path[(start ?? path.startIndex)...])
    }
}

/// Reads `form-data; name="key"; filename="a.txt"` from the front.
struct ParameterScanner {
    var rest: ArraySlice<UInt8>

    /// The text up to the next semicolon, trimmed.
    mutating func token() -> String? {
        skipSpace()
        let word = rest.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// The next parameter, its name in lowercase.
    mutating func parameter() -> (name: String, value: String)? {
        skipSpace()
        while rest.first == 0x3B {
            rest = rest.dropFirst()
            skipSpace()
        }
        let attribute = rest.prefix { $0 != 0x3D && $0 != 0x3B }
        rest = rest.dropFirst(attribute.count)
        guard !attribute.isEmpty, rest.first == 0x3D else { return nil }
        rest = rest.dropFirst()
        let name = String(decoding: attribute, as: UTF8.self).lowercased()
        guard rest.first == 0x22 else { return (name, token() ?? "") }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.first, byte != 0x22 {
            rest = rest.dropFirst()
            // Browsers escape nothing with a backslash, which paths are full of; libraries escape the quotation mark.
            if byte == 0x5C, rest.first == 0x22 {
                value.append(0x22)
                rest = rest.dropFirst()
            } else {
                value.append(byte)
            }
        }
        rest = rest.dropFirst()
        return (name, String(decoding: value, as: UTF8.self))
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
