package import Cryptography
package import WireFormats

/// A message of the HTTP-Redirect binding: compressed in the query of a URL, with an optional signature. (SAML 2.0 Bindings, section 3.4.)
package struct SAMLRedirect: Sendable {
    /// Whether a message is a request or a response; the raw value is the name of its parameter.
    package enum Kind: String, Sendable {
        case request = "SAMLRequest"
        case response = "SAMLResponse"
    }

    /// The reason why a query contains no valid message.
    package enum Failure: Error, Hashable, Sendable {
        /// The parameter is missing, repeated, or not a compressed text in base 64, or the encoding is not supported.
        case malformed
        case unsigned
        /// The signature algorithm with this identifier is not accepted.
        case forbiddenAlgorithm(String)
        case wrongSignature
    }

    /// Whether the message is a request or a response.
    package let kind: Kind
    /// The message before compression.
    package let message: [UInt8]
    /// The parameter `RelayState`.
    package let relayState: String?
    private let query: RawQuery

    /// Parses the query of a URL as it was received, without verifying anything.
    /// - Parameter limit: the maximum length of the message in bytes.
    package init(_ query: RawQuery, kind: Kind, limit: Int) throws(Failure) {
        // A repeated name could have one value for the signature and another for the message.
        for name in [kind.rawValue, "RelayState", "SigAlg", "Signature"] {
            guard query.items.count(where: { $0.decodedName == name }) <= 1 else { throw .malformed }
        }
        if let encoding = query["SAMLEncoding"]?.decodedValue {
            guard encoding == "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE" else { throw .malformed }
        }
        // Senders may wrap base 64 into lines.
        guard let text = query[kind.rawValue]?.decodedValue, let compressed = [UInt8](base64: text.filter { $0 != "\n" && $0 != "\r\n" }),
            let message = compressed.inflated(upTo: limit)
        else { throw .malformed }
        self.kind = kind
        self.message = message
        relayState = query["RelayState"]?.decodedValue
        self.query = query
    }

    /// Verifies the signature over the parameters as the sender escaped them (section 3.4.4.1).
    /// - Parameter allowingSHA1: whether `rsa-sha1` is accepted.
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

    /// Returns the query that carries a message, without the `?`.
    /// - Parameter key: the key that signs the query, if any. The message itself must not be signed.
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
