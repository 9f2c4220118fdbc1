// Percent encoding of RFC 3986 section 2.1, with the strict set that AWS signatures prescribe: all bytes except the
// unreserved characters A-Z a-z 0-9 - . _ ~ are encoded, with uppercase digits.

/// Percent-encodes the UTF-8 form of `text`.
/// - Parameter keepingSlash: whether `/` stays as it is, as in a canonical path.
package func percentEncoded(_ text: String, keepingSlash: Bool = false) -> String {
    var text = text
    return text.withUTF8 { text in
        // Most keys need no escape and are returned unchanged.
        if text.allSatisfy({ isKept($0, keepingSlash) }) { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 16)
        bytes.append(percentEncoding: text, keepingSlash: keepingSlash)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Encodes the UTF-8 form of `text` as a form does (WHATWG URL Standard, "application/x-www-form-urlencoded"), except for the slash, which
/// stays: a space becomes a plus sign, and letters, digits and `*-._` stay.
package func formEncodedPath(_ text: String) -> String {
    var text = text
    return text.withUTF8 { text in
        // Most keys need no escape and are returned unchanged.
        if text.allSatisfy(isKeptInForm) { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 16)
        for byte in text {
            if isKeptInForm(byte) {
                bytes.append(byte)
            } else if byte == 0x20 {
                bytes.append(0x2B)
            } else {
                bytes.append(escape: byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Decodes percent escapes; `+` stays a plus. Returns `nil` for an escape without two digits or a result that is not UTF-8.
package func percentDecoded(_ text: String) -> String? {
    percentDecoded(text[...])
}

/// Decodes percent escapes; `+` stays a plus. Returns `nil` for an escape without two digits or a result that is not UTF-8.
package func percentDecoded(_ text: Substring) -> String? {
    var text = text
    return text.withUTF8 { decode($0[...], plusIsSpace: false) }.flatMap { validated($0.span) }
}

/// Decodes a name or value of a form or query in UTF-8, where `+` is a space. Returns `nil` as ``percentDecoded(_:)`` does.
func formDecoded(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    let text = UnsafeBufferPointer(rebasing: text)
    if text.place(of: 0x25, from: 0) == text.count, text.place(of: 0x2B, from: 0) == text.count { return validated(text.span) }
    return decode(text[...], plusIsSpace: true).flatMap { validated($0.span) }
}

/// Returns the text of UTF-8 bytes, in half the time of `String(validating:as:)`, which supports any encoding.
private func validated(_ bytes: Span<UInt8>) -> String? {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: text)
}

/// Decodes a name or value of a query, where `+` is a space. Returns `nil` as ``percentDecoded(_:)`` does.
func formDecoded(_ text: Substring) -> String? {
    var text = text
    return text.withUTF8 { formDecoded($0[...]) }
}

extension [UInt8] {
    /// Appends `bytes` percent-encoded.
    /// - Parameter keepingSlash: whether `/` stays as it is, as in a canonical path.
    package mutating func append(percentEncoding bytes: UnsafeBufferPointer<UInt8>, keepingSlash: Bool = false) {
        for byte in bytes {
            if isKept(byte, keepingSlash) {
                append(byte)
            } else {
                append(escape: byte)
            }
        }
    }

    /// Appends a percent-encoded path with normalized escapes: decoded once and encoded once, so that every spelling
    /// of the same bytes gives the same result. A literal `/` stays as it is, an encoded one stays encoded.
    /// - Returns: `false`, with nothing appended, if an escape lacks its two digits.
    package mutating func append(normalisingPath path: String) -> Bool {
        var path = path
        return path.withUTF8 { append(normalising: $0, slash: 0x2F, space: nil) }
    }

    /// Appends a name or value of a query with its escapes normalized as in a path; `+` becomes `%20`.
    /// - Returns: `false`, with nothing appended, if an escape lacks its two digits.
    package mutating func append(normalisingQuery part: Substring) -> Bool {
        var part = part
        return part.withUTF8 { append(normalising: $0, slash: nil, space: 0x2B) }
    }

    private mutating func append(normalising text: UnsafeBufferPointer<UInt8>, slash: UInt8?, space: UInt8?) -> Bool {
        let start = count
        var index = 0
        while index < text.count {
            let run = index
            while index < text.count, isUnreserved(text[index]) { index += 1 }
            append(contentsOf: text[run..<index])
            guard index < text.count else { break }
            var byte = text[index]
            index += 1
            if byte == 0x25 {
                guard let decoded = escaped(in: text[...], at: index) else {
                    removeSubrange(start...)
                    return false
                }
                byte = decoded
                index += 2
                if isUnreserved(byte) {
                    append(byte)
                    continue
                }
            } else if byte == slash {
                append(byte)
                continue
            } else if byte == space {
                byte = 0x20
            }
            append(escape: byte)
        }
        return true
    }

    fileprivate mutating func append(escape byte: UInt8) {
        append(0x25)
        append(upperHexDigit(byte >> 4))
        append(upperHexDigit(byte & 15))
    }
}

private func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool) -> [UInt8]? {
    var isSound = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count) { bytes, count in
        var index = text.startIndex
        while index < text.endIndex {
            var byte = text[index]
            index += 1
            if byte == 0x25 {
                guard let decoded = escaped(in: text, at: index) else {
                    isSound = false
                    return
                }
                byte = decoded
                index += 2
            } else if byte == 0x2B, plusIsSpace {
                byte = 0x20
            }
            bytes[count] = byte
            count += 1
        }
    }
    return isSound ? bytes : nil
}

/// Returns the byte whose two hexadecimal digits are at `index`, or `nil` if they are not digits.
@inline(__always)
private func escaped(in text: Slice<UnsafeBufferPointer<UInt8>>, at index: Int) -> UInt8? {
    guard index + 1 < text.endIndex, let high = hexValue(text[index]), let low = hexValue(text[index + 1]) else { return nil }
    return high << 4 | low
}

@inline(__always)
private func isKept(_ byte: UInt8, _ keepingSlash: Bool) -> Bool {
    isUnreserved(byte) || (keepingSlash && byte == 0x2F)
}

@inline(__always)
private func isKeptInForm(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x2D...0x39, 0x2A, 0x5F: true
    default: false
    }
}

@inline(__always)
private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
}

@inline(__always)
private func upperHexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x37 + value
}
