import Tokens
import WireFormats

/// The keys that an issuer elsewhere publishes, chosen as the real service was observed to choose them: by `kid`, of which the later
/// of two counts, and whatever `alg` says; without a `kid` in the token only where there is just one key.
struct IssuerKeySet: Sendable {
    /// Seconds that the set may be used for.
    let lifetime: Int
    private var keys: [String: VerificationKey] = [:]
    /// Beyond so many RSA keys, none of them is found.
    private static let mostRSAKeys = 100

    /// Nothing for a document that is no set of keys (RFC 7517 section 5). Keys that cannot verify are left out.
    init?(_ document: JSONObject, lifetime: Int) {
        guard let elements = document["keys"]?.arrayValue else { return nil }
        self.lifetime = lifetime
        var rsaKeys = 0
        for element in elements {
            guard var members = element.objectValue else { continue }
            if members["kty"] == "RSA" { rsaKeys += 1 }
            // A key with operations is not taken, whatever they are.
            guard members["key_ops"] == nil else { continue }
            members["alg"] = nil
            // A key without a name is not found by tokens that have none either.
            guard let key = JSONWebKey(members), let name = key.keyID, WebIdentityVerifier.algorithms.contains(where: key.key.fits),
                members.certifies(key.key)
            else { continue }
            keys[name] = key.key
        }
        if rsaKeys > Self.mostRSAKeys { keys = keys.filter { !$0.value.fits(.rs256) } }
    }

    /// The key that a token names, if the issuer has it.
    func key(for token: JSONWebToken) -> VerificationKey? {
        guard let keyID = token.keyID else { return keys.count == 1 ? keys.first?.value : nil }
        return keyID.isEmpty ? nil : keys[keyID]
    }
}

extension JSONObject {
    /// Whether the certificate in `x5c`, where there is one, is for this key (RFC 7517 section 4.7).
    fileprivate func certifies(_ key: VerificationKey) -> Bool {
        guard let chain = self["x5c"] else { return true }
        guard let first = chain.arrayValue?.first?.stringValue, let certificate = [UInt8](base64: first) else { return false }
        return key.isCertified(by: certificate)
    }
}
