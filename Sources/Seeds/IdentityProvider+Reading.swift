package import Directory

extension IdentityProvider {
    /// Reads an identity provider from an administrator's request: an object as in seeds.
    /// - Throws: `SeedError` with an empty file name.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedIdentityProvider(part: text).provider }
}
