import Tokens
import WireFormats

/// The published keys of an external issuer, selected in the same way as by the real service (observed).
///
/// Keys are selected by `kid`, and the last of several wins; `alg` is ignored. A token without a `kid` matches only if there is exactly one
/// key.
struct IssuerKeySet: Sendable {
    /// The number of seconds for which the set may be used.
    let lifetime: Int
    private var keys: TextDictionary<VerificationKey> = [:]
    /// With more RSA keys than this, none of them is used.
    private static let mostRSAKeys = 100

    /// Reads a key set; `nil` for a document that is not one (RFC 7517 section 5). Keys that cannot verify are left out.
    init?(_ document: JSONObject, lifetime: Int) {
        guard let elements = document["keys"]?.arrayValue else { return nil }
        self.lifetime = lifetime
        var rsaKeys = 0
        for element in elements {
            guard var members = element.objectValue else { continue }
            if members["kty"] == "RSA" { rsaKeys += 1 }
            // A key with any `key_ops` is not accepted.
            guard members["key_ops"] == nil else { continue }
            members["alg"] = nil
            // A key without a `kid` is ignored, even for tokens that have none.
            guard let key = JSONWebKey(members), let name = key.keyID, WebIdentityVerifier.algorithms.contains(where: key.key.fits),
                members.certifies(key.key)
            else { continue }
            keys[name] = key.key
        }
        if rsaKeys > Self.mostRSAKeys { keys.keep { !$1.fits(.rs256) } }
    }

    /// Returns the key for a token, if the issuer has it.
    func key(for token: JSONWebToken) -> VerificationKey? {
        guard let keyID = token.keyID else { return keys.count == 1 ? keys.values.first : nil }
        return keyID.isEmpty ? nil : keys[keyID]
    }
}

extension JSONObject {
    /// Returns whether the first certificate in `x5c`, if present, is for this key (RFC 7517 section 4.7).
    fileprivate func certifies(_ key: VerificationKey) -> Bool {
        guard let chain = self["x5c"] else { return true }
        guard let first = chain.arrayValue?.first?.stringValue, let certificate = [UInt8](base64: first) else { return false }
        return key.isCertified(by: certificate)
    }
}
