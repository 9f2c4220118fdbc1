import Cryptography
package import WireFormats

/// The public keys of an issuer (RFC 7517 section 5).
package struct JSONWebKeySet: Sendable {
    /// The keys in the order of the document. Keys of a parsed set that cannot verify signatures are left out.
    package var keys: [JSONWebKey]

    /// Creates a set of these keys.
    package init(_ keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Reads another issuer's set and leaves out unusable keys, as RFC 7517 section 5 requires. Returns nil for a document that is not a
    /// JSON object with an array `keys` of objects.
    package init?(parsing document: [UInt8]) {
        guard let elements = JSONObject(parsing: document)?["keys"]?.arrayValue else { return nil }
        keys = []
        for element in elements {
            guard let element = element.objectValue else { return nil }
            if let key = JSONWebKey(element) { keys.append(key) }
        }
    }

    /// Returns the keys that signed a token: the one that its `kid` names, or without a `kid` every one that fits (RFC 7515 section 4.1.4 leaves
    /// this to the application). `nil` if there is none.
    package func signers(of token: JSONWebToken) -> [VerificationKey]? {
        let signers = keys.filter { key in
            guard token.keyID == nil || key.keyID == token.keyID, key.allows(token.algorithm) else {
                return false
            }
            return (try? token.verify(with: key.key)) != nil
        }
        return signers.isEmpty ? nil : signers.map(\.key)
    }

    /// The set as it is published.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var json: JSONValue {
        get throws(CryptographyError) {
            var elements: [JSONValue] = []
            for key in keys { elements.append(.object(try key.json)) }
            return ["keys": .array(elements)]
        }
    }
}
