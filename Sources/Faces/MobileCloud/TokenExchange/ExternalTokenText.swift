import WireFormats

/// The text of a presented token: an assertion, compressed with gzip and encoded in base64, or a JWT, either plain or in the same encoding.
/// (Using Oracle Mobile Cloud Service, "SAML Tokens and Virtual Users".)
enum ExternalTokenText {
    case assertion([UInt8])
    case jwt(String)

    /// The longest decompressed assertion in bytes; limits decompression bombs.
    private static let longest = 1 << 20

    init(_ text: String) throws(ExternalTokenError) {
        // Base64 contains no dot, and a JWT contains two.
        guard !text.contains(".") else {
            self = .jwt(text)
            return
        }
        guard let compressed = [UInt8](base64: text) else {
            throw ExternalTokenError("The token is neither a JSON Web Token nor the Base64 of a compressed assertion.")
        }
        guard let document = compressed.gunzipped(upTo: Self.longest) else {
            throw ExternalTokenError("The Base64 of the token does not decode to gzip data, or the data is too long.")
        }
        if document.first != UInt8(ascii: "<"), let text = String(validating: document, as: UTF8.self), text.contains(".") {
            self = .jwt(text)
        } else {
            self = .assertion(document)
        }
    }
}
