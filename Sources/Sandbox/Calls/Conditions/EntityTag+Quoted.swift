import ObjectStore
package import WireFormats

extension EntityTag {
    /// The tag without quotes: the MD5 in hexadecimal, followed by `-` and the number of parts for a multipart object.
    package var text: String {
        guard let partCount else { return md5.hex }
        return "\(md5.hex)-\(partCount)"
    }

    /// The tag as in an `ETag` header.
    package var quoted: String {
        guard partCount == nil else { return "\"\(text)\"" }
        return md5.hex(between: UInt8(ascii: "\""))
    }

    /// Writes an element that contains the quoted tag.
    package func encode(as name: String, into xml: inout XMLWriter) {
        if partCount == nil { xml.element(name, quotedHexOf: md5) } else { xml.element(name, quoted) }
    }

    /// Parses a tag, quoted or not; `nil` for a text that no object could have as its tag.
    package init?(_ text: some StringProtocol) {
        let bare = unquoted(text)
        let dash = bare.utf8.firstIndex(of: UInt8(ascii: "-")) ?? bare.endIndex
        guard let md5 = [UInt8](hex: bare[..<dash]), md5.count == 16 else { return nil }
        var partCount: Int?
        if dash < bare.endIndex {
            guard let count = Int(digits: bare[dash...].dropFirst()), count > 0 else { return nil }
            partCount = count
        }
        self.init(md5: md5, partCount: partCount)
    }
}

/// Returns the text without its enclosing quotes.
package func unquoted(_ text: some StringProtocol) -> Substring {
    let text = Substring(text)
    guard text.utf8.count >= 2, text.utf8.first == 0x22, text.utf8.last == 0x22 else { return text }
    return text.dropFirst().dropLast()
}
