import HTTPTypes
import WireFormats

/// Header values that S3 returns unchanged: bytes, mostly ASCII, of which each is a character of ISO-8859-1.
///
/// The store keeps strings. Bytes that are not valid UTF-8 are stored as private use characters (U+F700 plus the byte).
enum HeaderText {
    private static let privateUse: UInt32 = 0xF700

    /// Returns the text to store for a header.
    static func stored(_ field: HTTPField) -> String {
        // If the bytes are not valid UTF-8, the value contains U+FFFD, which begins with EF.
        let text = field.value
        return text.utf8.contains(0xEF) ? field.withUnsafeBytesOfValue { stored($0) } : text
    }

    static func stored(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length, let character = String(validating: rest.prefix(length), as: UTF8.self) {
                text += character
            } else if let scalar = Unicode.Scalar(Self.privateUse + UInt32(first)) {
                text.unicodeScalars.append(scalar)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }

    /// Returns the header bytes for text from ``stored(_:)``.
    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar -> [UInt8] in
            (Self.privateUse + 0x80...Self.privateUse + 0xFF).contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// Returns text in ISO-8859-1; other characters become spaces. (Observed in S3, for form fields.)
    static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x20 }
    }

    /// Returns a response header. Leading and trailing space is kept, as in the responses of S3.
    static func field(_ name: HTTPField.Name, _ text: String) -> HTTPField {
        var text = text
        let isPlain = text.withUTF8 { bytes in bytes.reduce(0) { $0 | $1 } < 0x80 && !bytes.first.isSpace && !bytes.last.isSpace }
        return isPlain ? HTTPField(name: name, value: text) : HTTPField(name: name, lenientValue: bytes(text))
    }
}

extension UInt8? {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 }
}
