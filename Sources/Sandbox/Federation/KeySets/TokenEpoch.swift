package import Cloud
import Directory
package import Tokens
import WireFormats

// Sandboxes that were copied from one snapshot, or made from one template, have the same signing keys. The `kid` names the epoch in which a
// token was issued. Where a relying party finds keys by the `kid`, tokens of others have an unknown one; elsewhere it must be looked at.

extension Cloud {
    /// Returns whether a token was issued by another sandbox with the same signing keys, or before a reset: a key of an issuer of ours signed
    /// it, under a name that the key does not have here, or under none. Its signature does not count here.
    /// - Parameters:
    ///   - token: the token.
    ///   - keys: the keys of which one signed it.
    /// - Throws: an error of the storage.
    package func isOfAnotherSandbox(token: JSONWebToken, signedByOneOf keys: [VerificationKey]) async throws -> Bool {
        let signers = keys.filter { (try? token.verify(with: $0)) != nil }
        let thumbprints = try Set(signers.map { try JSONWebKey($0).thumbprint })
        if let keyID = token.keyID, isName(keyID, ofKeyWithOneOf: thumbprints) { return false }
        return try await hasKey(thumbprints: thumbprints)
    }

    /// Returns whether a token could be of any sandbox with the same signing keys: a key of an issuer of ours signed it, under no name or one
    /// that no sandbox gives it. Its signature does not count where the key was found among those that the issuer publishes.
    ///
    /// A published name of another sandbox is good there: the issuer is then that sandbox, and no sandbox signs under the name of another.
    /// - Parameters:
    ///   - token: the token.
    ///   - keys: the keys that signed it, each under the name that the token gives it, if it gives one.
    /// - Throws: an error of the storage.
    package func isOfUnnamedSandbox(token: JSONWebToken, signedBy keys: [VerificationKey]) async throws -> Bool {
        let thumbprints = try Set(keys.map { try JSONWebKey($0).thumbprint })
        if let keyID = token.keyID, thumbprints.contains(where: { SigningKey.isName(keyID, ofKeyWith: $0) }) { return false }
        return try await hasKey(thumbprints: thumbprints)
    }
}
