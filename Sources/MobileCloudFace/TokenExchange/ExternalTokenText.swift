import WireFormats

/// What an app hands in to have exchanged: an assertion, compressed by gzip and then in base 64, or a JWT, as it is or in the same form.
/// (Using Oracle Mobile Cloud Service, "SAML Tokens and Virtual Users".)
enum ExternalTokenText {
    case assertion([UInt8])
    case jwt(String)

    /// Of an assertion in the clear; few bytes can stand for very many.
    private static let longest = 1 << 20

    init(_ text: String) throws(ExternalTokenError) {
        // Base 64 has no period, and a JWT two.
        guard !text.contains(".") else {
            self = .jwt(text)
            return
        }
        guard let compressed = [UInt8](base64: text) else {
            throw ExternalTokenError("The token is neither a JSON Web Token nor the Base64 of a compressed assertion.")
        }
        guard let document = compressed.gunzipped(upTo: Self.longest) else {
            throw ExternalTokenError("What the token's Base64 stands for is not compressed by gzip, or is too long.")
        }
        if document.first != UInt8(ascii: "<"), let text = String(validating: document, as: UTF8.self), text.contains(".") {
            self = .jwt(text)
        } else {
            self = .assertion(document)
        }
    }
}
