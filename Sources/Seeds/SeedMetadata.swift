extension KeyedDecodingContainer {
    /// Decodes the metadata of a SAML provider that an account trusts; empty for a provider of this server, which has its own metadata.
    /// - Parameter isOurs: whether the account trusts a provider of this server.
    func decodeMetadata(_ key: Key, ofOurs isOurs: Bool) throws -> String {
        guard isOurs else {
            return try decode(key, expecting: "the provider's metadata, an XML document", where: { !$0.isEmpty })
        }
        guard !contains(key) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "no metadata beside identityProvider, which has its own")
        }
        return ""
    }
}
