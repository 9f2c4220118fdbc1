import Cryptography
package import WireFormats

/// A JSON Web Token (RFC 7519) in the compact form of a signed message (RFC 7515 section 7.1), parsed but not yet trusted.
///
/// Nothing in it may be believed before ``verify(with:)`` or ``verify(secret:)`` has returned; which claims are acceptable is not decided
/// here.
package struct JSONWebToken: Sendable {
    /// The longest text that is read, in bytes: what AWS STS accepts as a web identity token.
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

    /// Reads a token strictly.
    /// - Parameters:
    ///   - algorithms: what may have signed it. A secret that is shared with its signer is none of them unless it is said, so that
    ///     nobody can sign with a public key for the secret.
    ///   - repeatedNames: what happens to a header or a payload that repeats a name; RFC 7515 section 4 and RFC 7519 section 4 allow either.
    /// - Throws: every ``JSONWebTokenError`` but the last two, the first that applies.
    package init(
        parsing text: String, accepting algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric,
        repeatedNames: RepeatedNames = .refused
    ) throws(JSONWebTokenError) {
        try self.init(parsing: text, accepting: algorithms, repeatedNames: repeatedNames) {
            JSONObject(parsing: $0, repeatedNames: repeatedNames)
        }
    }

    /// Reads what has the form of a token, whose payload may be something else than claims for all that concerns the signature.
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

    /// The decoded parts of a compact token; `nil` for a part that is no base 64.
    private struct Parts {
        var header: [UInt8]?
        var claims: [UInt8]?
        var signature: [UInt8]?
        var signingInput: [UInt8]

        /// `nil` if there are not exactly two periods.
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

    /// Returns if the key signed this token.
    /// - Throws: ``JSONWebTokenError/unfitKey`` where the key cannot belong to the token's algorithm,
    ///   ``JSONWebTokenError/invalidSignature`` where it did not make the signature.
    package func verify(with key: VerificationKey) throws(JSONWebTokenError) {
        guard key.fits(algorithm) else { throw .unfitKey }
        guard key.verify(signature, of: signingInput, algorithm: algorithm) else { throw .invalidSignature }
    }

    /// Returns if this token was made by somebody who has the secret, such as a client's (RFC 7518 section 3.2).
    /// - Throws: ``JSONWebTokenError/unfitKey`` where the token's algorithm needs a key pair,
    ///   ``JSONWebTokenError/invalidSignature`` where another secret, or none, made the code.
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
    /// Parses a document that must be one object; nil for everything else.
    init?(parsing bytes: [UInt8], repeatedNames: RepeatedNames = .refused) {
        let parsed = Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes, repeatedNames: repeatedNames) }
        guard case .success(.object(let object)) = parsed else { return nil }
        self = object
    }
}
