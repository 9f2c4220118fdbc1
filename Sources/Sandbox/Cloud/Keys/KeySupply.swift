import Cryptography
import Tokens
import WireFormats

/// Where the new key pairs of a sandbox come from.
package struct KeySupply: Sendable {
    /// The key pairs of the process.
    let stock: KeyStock
    /// The keys of the template that the sandbox was made from; `nil` if all its keys are its own.
    let template: TemplateKeys?

    /// - Parameters:
    ///   - stock: the key pairs of the process; by default, each one is made when it is needed.
    ///   - template: the keys of the template that the sandbox was made from.
    package init(stock: KeyStock = KeyStock(fullSize: 0), template: TemplateKeys? = nil) {
        (self.stock, self.template) = (stock, template)
    }

    /// Returns a new RSA key of an issuer.
    /// - Parameter isFirst: whether the issuer had no key of the algorithm yet. Sandboxes from one template share only such keys.
    func key(_ algorithm: SignatureAlgorithm, of issuer: String, isFirst: Bool, created: Timestamp) async throws -> SigningKey {
        let name = TemplateKeys.Name(issuer, algorithm)
        guard isFirst, let template else {
            return try SigningKey(try await stock.take(), algorithm: algorithm, created: created)
        }
        return try SigningKey(try await template.key(name, from: stock), algorithm: algorithm, created: created)
    }
}

/// The new RSA keys for a change of a key ring, which are made before the change: the writing thread must not wait for them.
struct NewKeys: Sendable {
    /// An error: a change needs one more key.
    struct Missing: Error {
        var algorithm: SignatureAlgorithm
        /// Whether the ring has no key of the algorithm.
        var isFirst: Bool
    }

    private var keys: [SigningKey] = []

    mutating func add(_ key: SigningKey) { keys.append(key) }

    /// Takes out a key, or makes one of another kind than RSA.
    /// - Throws: `Missing` where there is none.
    mutating func take(_ algorithm: SignatureAlgorithm, isFirst: Bool, created: Timestamp) throws -> SigningKey {
        guard algorithm.isRSA else { return try SigningKey.generate(algorithm: algorithm, created: created) }
        guard let place = keys.firstIndex(where: { $0.algorithm == algorithm }) else {
            throw Missing(algorithm: algorithm, isFirst: isFirst)
        }
        return keys.remove(at: place)
    }
}
