import Cryptography
package import WireFormats

/// The reason why a SAML provider of IAM or RAM is not changed. Each cloud writes it in its own words.
package enum SAMLTrustRefusal: Error, Equatable {
    /// The account has no provider with this ARN.
    case noSuchProvider(String)
    /// The account has a provider with this ARN already.
    case alreadyExists(String)
    /// The account has as many providers as it can have.
    case limitExceeded(Int)
}

/// The reason why the private keys of a SAML provider are not changed. (IAM API Reference, "UpdateSAMLProvider".)
package enum SAMLPrivateKeyRefusal: Error, Equatable {
    /// The text is no RSA private key.
    case invalidKey
    /// The provider has no private key with this identifier.
    case noSuchKey(String)
    /// The provider has as many private keys as it can have.
    case limitExceeded(Int)
    /// Assertions must be encrypted, and there is no key to decrypt them with.
    case keyRequired
}

extension Directory {
    /// The SAML provider with an ARN.
    /// - Throws: `noSuchProvider`, also if another account has it.
    package func samlTrust(_ arn: String, in account: String) throws(SAMLTrustRefusal) -> SAMLTrust {
        guard let trust = SAMLTrust.find(arn, in: self, account: account) else { throw .noSuchProvider(arn) }
        return trust
    }

    /// Adds a SAML provider.
    /// - Parameter limit: the number of providers that an account can have.
    /// - Throws: `alreadyExists` or `limitExceeded`, in this order.
    package mutating func createSAMLTrust(_ trust: SAMLTrust, limit: Int) throws(SAMLTrustRefusal) {
        guard samlTrusts[trust.arn] == nil else { throw .alreadyExists(trust.arn) }
        guard samlTrusts.values.count(where: { $0.account == trust.account }) < limit else { throw .limitExceeded(limit) }
        put(.samlTrust(trust))
    }

    /// Changes a SAML provider.
    /// - Parameter change: changes the record, but not its account and name.
    /// - Returns: the provider after the change.
    /// - Throws: `SAMLTrustRefusal.noSuchProvider`, or what `change` throws.
    @discardableResult
    package mutating func updateSAMLTrust(
        _ arn: String, in account: String, _ change: (inout SAMLTrust) throws -> Void
    ) throws -> SAMLTrust {
        var trust = try samlTrust(arn, in: account)
        try change(&trust)
        put(.samlTrust(trust))
        return trust
    }

    /// Deletes a SAML provider. Roles that trust it do not change.
    /// - Throws: `noSuchProvider`.
    package mutating func deleteSAMLTrust(_ arn: String, in account: String) throws(SAMLTrustRefusal) {
        remove(.init(.samlTrust, try samlTrust(arn, in: account).arn))
    }
}

extension SAMLTrust {
    /// The number of private keys that a provider can have.
    private static let privateKeyLimit = 2

    /// Replaces the metadata by a document, so that the provider is no longer one of the sandbox.
    package mutating func setMetadata(_ document: String) {
        metadata = document
        identityProvider = nil
    }

    /// Adds a key that decrypts assertions.
    /// - Parameter id: the identifier of the key.
    /// - Throws: `invalidKey`.
    package mutating func addPrivateKey(_ pem: String, id: String, at time: Timestamp) throws(SAMLPrivateKeyRefusal) {
        guard (try? RSAPrivateKey(pem: pem)) != nil else { throw .invalidKey }
        privateKeys.append(PrivateKey(id: id, pem: pem, added: time))
    }

    /// Removes a private key.
    /// - Throws: `noSuchKey`.
    package mutating func removePrivateKey(_ id: String) throws(SAMLPrivateKeyRefusal) {
        guard let index = privateKeys.firstIndex(where: { $0.id == id }) else { throw .noSuchKey(id) }
        privateKeys.remove(at: index)
    }

    /// Checks that the private keys fit the encryption mode, and their number.
    /// - Throws: `limitExceeded` or `keyRequired`, in this order.
    package func checkPrivateKeys() throws(SAMLPrivateKeyRefusal) {
        guard privateKeys.count <= Self.privateKeyLimit else { throw .limitExceeded(Self.privateKeyLimit) }
        guard encryptionMode != "Required" || !privateKeys.isEmpty else { throw .keyRequired }
    }
}
