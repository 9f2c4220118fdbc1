import Cryptography
package import WireFormats

/// A JSON Web Token (RFC 7519) in JWS compact serialization (RFC 7515 section 7.1), parsed but not yet verified.
///
/// Its contents are untrusted until ``verify(with:)`` or ``verify(secret:)`` has returned. The caller decides which claims are acceptable.
package struct JSONWebToken: Sendable {
    /// The length of the longest accepted text, in bytes: the limit of AWS STS for a web identity token.
    package static let longest = 20_000

    /// All members of the header.
    package let header: JSONObject
    /// The `alg` of the header.
    package let algorithm: SignatureAlgorithm
    /// The `kid` of the header.
    package let keyID: String?
    /// All claims, unchecked.
    package let claims: JSONObject
    /// The bytes that the signature covers: the first two parts with their period.
    package let signingInput: [UInt8]
    /// The decoded signature, possibly empty.
    package let signature: [UInt8]

    /// Parses a token strictly.
    /// - Parameters:
    ///   - algorithms: the accepted algorithms. By default no HMAC algorithm is accepted, so that a public key cannot be used as a shared
    ///     secret.
    ///   - repeatedNames: how a header or payload with a repeated name is handled; RFC 7515 section 4 and RFC 7519 section 4 allow either
    ///     way.
    /// - Throws: the first ``JSONWebTokenError`` that applies, except the last two.
    package init(
        parsing text: String, accepting algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric,
        repeatedNames: RepeatedNames = .refused
    ) throws(JSONWebTokenError) {
        try self.init(parsing: text, accepting: algorithms, repeatedNames: repeatedNames) {
            JSONObject(parsing: $0, repeatedNames: repeatedNames)
        }
    }

    /// Parses a token whose payload need not be claims.
    /// - Parameter read: parses the payload; nil for invalid claims.
    init(
        parsing text: String, accepting algorithms: Set<SignatureAlgorithm>, repeatedNames: RepeatedNames = .refused,
        claims read: ([UInt8]) -> JSONObject?
    ) throws(JSONWebTokenError) {
        var text = text
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard let parts = text.withUTF8(Parts.init) else { throw .notThreeParts }
        guard let headerBytes = parts.header, let payload = parts.claims, let signature = parts.signature else { throw .invalidEncoding }

        guard let header = JSONObject(parsing: headerBytes, repeatedNames: repeatedNames), let name = header["alg"]?.stringValue,
            header["kid"] == nil || header["kid"]?.stringValue != nil, header["typ"] == nil || header["typ"]?.stringValue != nil
        else { throw .invalidHeader }
        guard let algorithm = SignatureAlgorithm(rawValue: name), algorithms.contains(algorithm) else { throw .unsupportedAlgorithm(name) }
        guard header["crit"] == nil else { throw .criticalExtension }
        guard let claims = read(payload) else { throw .invalidClaims }

        self.header = header
        self.algorithm = algorithm
        keyID = header["kid"]?.stringValue
        self.claims = claims
        signingInput = parts.signingInput
        self.signature = signature
    }

    /// The decoded parts of a compact token; `nil` for a part that is not base64url.
    private struct Parts {
        var header: [UInt8]?
        var claims: [UInt8]?
        var signature: [UInt8]?
        var signingInput: [UInt8]

        /// Returns `nil` if there are not exactly two periods.
        init?(_ text: UnsafeBufferPointer<UInt8>) {
            let first = text.place(of: 0x2E, from: 0)
            let second = text.place(of: 0x2E, from: first + 1)
            guard second < text.count, text.place(of: 0x2E, from: second + 1) == text.count else { return nil }
            header = [UInt8](base64url: text[..<first])
            claims = [UInt8](base64url: text[(first + 1)..<second])
            signature = [UInt8](base64url: text[(second + 1)...])
            signingInput = Array(UnsafeBufferPointer(rebasing: text[..<second]))
        }
    }

    /// Verifies that the key signed this token.
    /// - Throws: ``JSONWebTokenError/unfitKey`` where the key does not fit the token's algorithm, ``JSONWebTokenError/invalidSignature``
    ///   where the key did not make the signature.
    package func verify(with key: VerificationKey) throws(JSONWebTokenError) {
        guard key.fits(algorithm) else { throw .unfitKey }
        guard key.verify(signature, of: signingInput, algorithm: algorithm) else { throw .invalidSignature }
    }

    /// Verifies that this token was authenticated with a shared secret, such as a client secret (RFC 7518 section 3.2).
    /// - Throws: ``JSONWebTokenError/unfitKey`` where the token's algorithm needs a key pair, ``JSONWebTokenError/invalidSignature`` where
    ///   the code does not match.
    package func verify(secret: [UInt8]) throws(JSONWebTokenError) {
        guard case .hmac = algorithm.scheme else { throw .unfitKey }
        let code: [UInt8]
        do throws(CryptographyError) {
            code = try algorithm.hash.authenticationCode(key: secret, of: signingInput)
        } catch {
            throw .invalidSignature
        }
        guard constantTimeEquals(code, signature) else { throw .invalidSignature }
    }
}

extension JSONObject {
    /// Parses a document that must be one JSON object; nil for anything else.
    init?(parsing bytes: [UInt8], repeatedNames: RepeatedNames = .refused) {
        let parsed = Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes, repeatedNames: repeatedNames) }
        guard case .success(.object(let object)) = parsed else { return nil }
        self = object
    }
}
