import Calls
import WireFormats

extension Inspector {
    /// Describes a text that no kind fits: what it looks like, and where it stops being that.
    func describe(unknown text: String) -> Inspection {
        let (kind, detail) = Self.resemblance(of: text)
        var found = Inspection(kind)
        found.check("format", false, detail)
        found.conclude("")
        return found
    }

    /// Returns the kind that a text resembles, and why it is not one.
    private static func resemblance(of text: String) -> (kind: String, detail: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if text.hasPrefix("{") || text.hasPrefix("[") {
            return ("json", "\(fault(ofJSON: Array(text.utf8)) ?? "the text is JSON, but not an object").")
        }
        if text.hasPrefix("<") {
            return ("xml", "\(fault(ofXML: Array(text.utf8)) ?? "the XML is neither a SAML response nor an assertion").")
        }
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            return ("url", "the URL has no complete signature: expected the parameters of a presigned URL, or SAMLResponse.")
        }
        if text.hasPrefix("eyJ"), parts.count > 1 { return ("jwt", "\(fault(ofToken: parts)).") }
        if text.count > 8,
            let bytes = [UInt8](base64: text.filter { !$0.isWhitespace }) ?? [UInt8](base64url: text.filter { !$0.isWhitespace })
        {
            return ("unknown", "\(resemblance(of: bytes)), and this sandbox did not issue it.")
        }
        return ("unknown", "This is not a token, SAML response, presigned URL or policy, and no token that this sandbox issued.")
    }

    /// Describes the bytes of base64 that are no document.
    private static func resemblance(of bytes: [UInt8]) -> String {
        if bytes.first == UInt8(ascii: "<") {
            return "the text is base64 of XML: \(fault(ofXML: bytes) ?? "neither a SAML response nor an assertion")"
        }
        if bytes.first == UInt8(ascii: "{") {
            return "the text is base64 of JSON: \(fault(ofJSON: bytes) ?? "neither a policy of a form nor a token")"
        }
        if bytes.starts(with: [0x1F, 0x8B]) { return "the text is base64 of gzip data that is damaged or not XML" }
        return "the text is base64 of \(bytes.count) bytes that are neither XML nor JSON"
    }

    /// Says which part of a token is wrong, and where.
    private static func fault(ofToken parts: [Substring]) -> String {
        guard parts.count == 3 else {
            return "the text looks like a JSON Web Token, but has \(parts.count) parts instead of 3"
                + (parts.count == 5 ? ": it is an encrypted one" : "; it may have been cut")
        }
        for (part, name) in zip(parts, ["header", "payload"]) {
            guard let bytes = [UInt8](base64url: part) else {
                let place = part.utf8.enumerated().first { !isOfBase64URL($1) }?.offset
                return "the \(name) of the token is not base64url"
                    + (place.map { ": character \($0 + 1) is not allowed" } ?? ": a character is missing or too many")
            }
            if let fault = fault(ofJSON: bytes) { return "the \(name) of the token is not JSON: \(fault)" }
        }
        return "the header of the token has no algorithm (alg)"
    }

    private static func isOfBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_".utf8.contains(byte)
        }
    }

    /// Returns where and why bytes are not JSON; `nil` if they are.
    static func fault(ofJSON bytes: [UInt8], repeatedNames: RepeatedNames = .lastCounts) -> String? {
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: bytes, repeatedNames: repeatedNames)
            return nil
        } catch { return "\(place(error.offset, in: bytes)): \(error.reason.rawValue)" }
    }

    private static func fault(ofXML bytes: [UInt8]) -> String? {
        do throws(XMLSyntaxError) {
            _ = try XMLElement(parsing: bytes, limits: limits)
            return nil
        } catch { return "\(place(error.offset, in: bytes)): \(words(for: error.reason))" }
    }

    private static func words(for reason: XMLSyntaxError.Reason) -> String {
        switch reason {
        case .encoding: "the document is not UTF-8"
        case .unexpectedEnd: "the document ends too early"
        case .unexpectedCharacter: "this character is not allowed here"
        case .documentType: "a document type is not allowed"
        case .processingInstruction: "a processing instruction is not allowed here"
        case .unknownEntity: "this entity is unknown"
        case .mismatchedTag: "the end tag does not match its start tag"
        case .duplicateAttribute: "this attribute is a duplicate"
        case .namespace: "this prefix is not declared"
        case .tooComplex: "the document is too large or too deep"
        }
    }

    /// Returns an offset as a line and a column.
    static func place(_ offset: Int, in bytes: [UInt8]) -> String {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == 0x0A } + 1
        let column = before.reversed().prefix { $0 != 0x0A }.count { $0 & 0xC0 != 0x80 } + 1
        return "line \(line), column \(column)"
    }
}
