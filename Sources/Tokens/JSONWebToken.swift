package import WireFormats

/// A JSON Web Token (RFC 7519) in the compact form of a signed message (RFC 7515 section 7.1), parsed but not yet trusted.
///
/// Nothing in it may be believed before ``verify(with:)`` has returned; which claims are acceptable is not decided here.
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
    /// - Throws: every ``JSONWebTokenError`` but the last two, the first that applies.
    package init(parsing text: String) throws(JSONWebTokenError) {
        var text = text
        // A bridged or broken string would slow down every look at its bytes.
        text.makeContiguousUTF8()
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        // Three splits and not two, so that a fourth part shows.
        let parts = text.utf8.split(separator: 0x2E, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts }
        guard let headerBytes = [UInt8](base64url: Substring(parts[0])), let payload = [UInt8](base64url: Substring(parts[1])),
            let signature = [UInt8](base64url: Substring(parts[2]))
        else { throw .invalidEncoding }

        guard let header = JSONObject(parsing: headerBytes), let name = header["alg"]?.stringValue,
            header["kid"] == nil || header["kid"]?.stringValue != nil, header["typ"] == nil || header["typ"]?.stringValue != nil
        else { throw .invalidHeader }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .unsupportedAlgorithm(name) }
        guard header["crit"] == nil else { throw .criticalExtension }
        guard let claims = JSONObject(parsing: payload) else { throw .invalidClaims }

        self.header = header
        self.algorithm = algorithm
        keyID = header["kid"]?.stringValue
        self.claims = claims
        signingInput = Array(text.utf8[..<parts[1].endIndex])
        self.signature = signature
    }

    /// Returns if the key signed this token.
    /// - Throws: ``JSONWebTokenError/unfitKey`` where the key cannot belong to the token's algorithm,
    ///   ``JSONWebTokenError/invalidSignature`` where it did not make the signature.
    package func verify(with key: VerificationKey) throws(JSONWebTokenError) {
        guard key.fits(algorithm) else { throw .unfitKey }
        guard key.verify(signature, of: signingInput, algorithm: algorithm) else { throw .invalidSignature }
    }
}

extension JSONObject {
    /// Parses a document that must be one object; nil for everything else.
    init?(parsing bytes: [UInt8]) {
        guard case .success(.object(let object)) = Result(catching: { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) })
        else { return nil }
        self = object
    }
}
