package import Directory
package import WireFormats

/// Returns parts of an identity provider in the format of seeds.
package enum SeedParts {
    /// Returns the whole provider, with its clients and people.
    /// - Throws: an encoding error.
    package static func document(of provider: IdentityProvider) throws -> JSONObject { try SeedExport.provider(provider) }
}
