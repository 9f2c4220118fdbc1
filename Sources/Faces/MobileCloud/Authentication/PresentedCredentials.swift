import HTTPTypes
import WireFormats

/// The credentials in a request's `Authorization` header.
enum PresentedCredentials: Equatable {
    /// Basic credentials (RFC 7617).
    case basic(name: String, password: String)
    /// A bearer token (RFC 6750 section 2.1).
    case bearer(String)

    /// - Returns: `nil` if the request has no such header.
    /// - Throws: ``MobileError`` if the header is repeated, malformed, or of an unsupported scheme.
    init?(_ headers: HTTPFields) throws(MobileError) {
        let values = headers[values: .authorization]
        guard let value = values.first else { return nil }
        guard values.count == 1 else { throw MobileError(.malformedRequest, "The call has several Authorization headers.") }
        let parts = value.split(separator: " ", maxSplits: 1)
        let rest = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
        switch parts.first?.lowercased() {
        case "basic":
            guard let pair = Self.userAndPassword(String(rest)) else {
                throw MobileError(.invalidCredentials, "Basic must be followed by the Base64 of a user name, a colon and a password.")
            }
            self = .basic(name: pair.name, password: pair.password)
        case "bearer":
            guard !rest.isEmpty else { throw MobileError(.invalidToken, "No token follows Bearer.") }
            self = .bearer(String(rest))
        default:
            throw MobileError(.notAuthenticated, "The scheme of the Authorization header is neither Basic nor Bearer.")
        }
    }

    /// Splits at the first colon: a password may contain more.
    /// The text is UTF-8 or, if it is not valid UTF-8, Latin-1, which the JavaScript SDK sends.
    static func userAndPassword(_ text: String) -> (name: String, password: String)? {
        guard let bytes = [UInt8](base64: text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        func decoded(_ part: ArraySlice<UInt8>) -> String {
            isUTF8 ? String(decoding: part, as: UTF8.self) : String(String.UnicodeScalarView(part.map { Unicode.Scalar($0) }))
        }
        return (decoded(bytes[..<colon]), decoded(bytes[(colon + 1)...]))
    }
}
