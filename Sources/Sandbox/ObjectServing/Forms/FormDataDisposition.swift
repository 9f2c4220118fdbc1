import WireFormats

/// The headers of a part: its `Content-Disposition`, and its `Content-Type`. (RFC 7578 sections 4.2 and 4.4.)
struct FormDataDisposition: Equatable {
    var name: String
    /// The file name without a path; `nil` if the part has none, empty if no file was selected.
    var filename: String?
    /// The content type; `nil` if the part has none.
    var contentType: String?

    /// Parses the headers of a part.
    /// - Parameter headers: the lines of the headers. Other headers are ignored (RFC 7578 section 4.8).
    /// - Returns: `nil` unless the part is `form-data` with a name.
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
            // Browsers must not send it (RFC 7578 section 4.2), but some libraries do if the name is not ASCII.
            case "filename*": extended = Self.decoded(value)
            default: break
            }
        }
        guard let name else { return nil }
        self.name = name
        self.filename = (extended ?? filename).map(Self.lastComponent)
    }

    /// Decodes text such as `UTF-8''na%C3%AFve.txt` (RFC 8187 section 3.2.1).
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return percentDecoded(parts[2])
    }

    /// Returns the name without the path that old browsers send.
    private static func lastComponent(_ path: String) -> String {
        let start = path.lastIndex { $0 == "/" || $0 == "\\" }.map { path.index(after: $0) }
        return String(path[(start ?? path.startIndex)...])
    }
}

/// Scans `form-data; name="key"; filename="a.txt"`.
struct ParameterScanner {
    var rest: ArraySlice<UInt8>

    /// Returns the text up to the next semicolon, trimmed.
    mutating func token() -> String? {
        skipSpace()
        let word = rest.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// Returns the next parameter, with its name in lowercase.
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
            // Browsers do not escape with backslashes, which occur in paths; libraries escape quotation marks.
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
