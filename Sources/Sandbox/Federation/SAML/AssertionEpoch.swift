package import Cloud
import Cryptography
import Directory
package import Tokens
import WireFormats

// Sandboxes that were copied from one snapshot have the same signing keys, and an assertion, unlike a token, names no `kid`. So the identifier
// of each assertion of ours begins with the epoch in which it was issued.

extension SAMLIdentifier {
    private static let epochLength = 8
    private static let randomLength = 16

    /// Returns an identifier that names an epoch: an underscore, the epoch, a hyphen, and 128 random bits.
    /// - Throws: an error of the random generator.
    static func make(in epoch: String) throws -> String { "_\(epoch)-\(try randomBytes(randomLength).hex)" }

    /// Returns the epoch that an identifier names; `nil` for identifiers of another form.
    static func epoch(of id: String) -> Substring? {
        let parts = id.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
        guard id.first == "_", parts.count == 2, parts[0].utf8.count == epochLength, parts[1].utf8.count == 2 * randomLength,
            parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } })
        else { return nil }
        return parts[0]
    }
}

extension Cloud {
    /// Returns whether an assertion was issued by another sandbox with the same signing keys, or before a reset. Its signature does not count
    /// here.
    /// - Parameters:
    ///   - id: the identifier of the assertion.
    ///   - keys: the keys of which one signed it.
    /// - Throws: an error of the storage.
    package func isOfAnotherSandbox(assertion id: String, signedByOneOf keys: [VerificationKey]) async throws -> Bool {
        guard let epoch = SAMLIdentifier.epoch(of: id), !hasEpoch(epoch) else { return false }
        // Other servers can issue identifiers of this form as well. They have other keys.
        return try await hasKey(thumbprints: try Set(keys.map { try JSONWebKey($0).thumbprint }))
    }
}
