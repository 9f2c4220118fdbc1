package import Cryptography
package import WireFormats

/// A message in the query of a URL, compressed, and signed beside it where it is signed. (SAML 2.0 Bindings, section 3.4.)
package struct SAMLRedirect: Sendable {
    /// Which of the two a message is; the raw value is the name of its parameter.
    package enum Kind: String, Sendable {
        case request = "SAMLRequest"
        case response = "SAMLResponse"
    }

    /// Why a query holds no message, or not the one that was signed.
    package enum Failure: Error, Hashable, Sendable {
        /// The parameter is missing, is there twice, or does not hold a compressed text in base 64; or another encoding is asked for.
        case malformed
        case unsigned
        /// The identifier of an algorithm that is not taken.
        case forbiddenAlgorithm(String)
        case wrongSignature
    }

    /// Whether it carries a request or a response.
    package let kind: Kind
    /// The message as it was before it was compressed.
    package let message: [UInt8]
    /// The parameter `RelayState`.
    package let relayState: String?
    private let query: RawQuery

    /// Reads the query of a URL as it was received; nothing of it is verified.
    /// - Parameter limit: bytes that the message may have.
    package init(_ query: RawQuery, kind: Kind, limit: Int) throws(Failure) {
        // A name must not have one value for the signature and another for the message.
        for name in [kind.rawValue, "RelayState", "SigAlg", "Signature"] {
            guard query.items.count(where: { $0.decodedName == name }) <= 1 else { throw .malformed }
        }
        if let encoding = query["SAMLEncoding"]?.decodedValue {
            guard encoding == "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE" else { throw .malformed }
        }
        // Senders may break base 64 into lines.
        guard let text = query[kind.rawValue]?.decodedValue, let compressed = [UInt8](base64: text.filter { $0 != "\n" && $0 != "\r\n" }),
            let message = compressed.inflated(upTo: limit)
        else { throw .malformed }
        self.kind = kind
        self.message = message
        relayState = query["RelayState"]?.decodedValue
        self.query = query
    }

    /// Verifies the signature over the parameters as they were escaped by the sender (section 3.4.4.1).
    /// - Parameter allowingSHA1: whether `rsa-sha1` counts.
    package func verify(with keys: [VerificationKey], allowingSHA1: Bool = false) throws(Failure) {
        guard let value = query["Signature"], let identifier = query["SigAlg"]?.decodedValue else { throw .unsigned }
        guard let algorithm = XMLSignatureAlgorithm(rawValue: identifier), allowingSHA1 || algorithm.hash != .sha1 else {
            throw .forbiddenAlgorithm(identifier)
        }
        let signed = [kind.rawValue, "RelayState", "SigAlg"].compactMap { name in
            query[name].map { "\(name)=\($0.value ?? "")" }
        }
        guard let text = value.decodedValue, let signature = [UInt8](base64: text.filter { $0 != "\n" && $0 != "\r\n" }),
            algorithm.verifies(signature, of: Array(signed.joined(separator: "&").utf8), with: keys)
        else { throw .wrongSignature }
    }

    /// The query that carries a message, without the `?`.
    /// - Parameter key: signs the query, where one is given. The message itself must not be signed.
    /// - Throws: ``CryptographyError/operationFailed`` where OpenSSL cannot sign.
    package static func query(
        _ kind: Kind, _ message: XMLElement, relayState: String?, key: XMLSigningKey?
    ) throws(CryptographyError) -> String {
        var query = kind.rawValue + "=" + percentEncoded(message.serialized().deflated.base64)
        if let relayState { query += "&RelayState=" + percentEncoded(relayState) }
        guard let key else { return query }
        query += "&SigAlg=" + percentEncoded(key.algorithm.rawValue)
        return query + "&Signature=" + percentEncoded(try key.sign(Array(query.utf8)).base64)
    }
}
