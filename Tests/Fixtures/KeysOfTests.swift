package import Cloud
package import ObjectStore
package import Seeds

extension TemplateKeys {
    /// The first keys of the issuers of all sandboxes in a process of tests, because making RSA keys took two fifths of their time. Tests about
    /// keys have others, or none.
    package static let ofTests = TemplateKeys()
}

extension Cloud {
    /// Opens a sandbox that has the first keys of its issuers in common with those of other tests.
    /// - Parameters:
    ///   - folder: the folder of the database; `nil` for an ephemeral sandbox.
    ///   - keys: the keys of the template; `nil` for keys of its own.
    package static func openForTest(
        folder: String? = nil, seeds: [Seed], newBuckets: BucketConfiguration = .modern, issuersOverHTTP: Bool = false,
        keys: TemplateKeys? = .ofTests
    ) async throws -> Cloud {
        var options = Options(seeds: seeds)
        (options.newBuckets, options.issuersOverHTTP, options.keySupply) = (newBuckets, issuersOverHTTP, KeySupply(template: keys))
        try Seed.checkTogether(seeds)
        return try await open(try folder.map { try Database(folder: $0) } ?? Database(), options)
    }
}
