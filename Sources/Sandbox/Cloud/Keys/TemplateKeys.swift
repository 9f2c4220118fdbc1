import Cryptography
import Synchronization
package import Tokens
package import WireFormats

/// The first key pairs of the issuers of all sandboxes that are made from one template, so that only one of these sandboxes waits for each.
///
/// Each sandbox signs under a name of its own, see ``Epoch``: a signature of one is rejected by all others. A rotation creates a key that no
/// other sandbox has.
package final class TemplateKeys: Sendable {
    /// Identifies a key pair.
    package struct Name: Hashable, Sendable {
        /// The name of the key ring.
        package var issuer: TextKey
        /// The algorithm that the key signs with.
        package var algorithm: SignatureAlgorithm

        /// - Parameter issuer: the name of the key ring.
        package init(_ issuer: String, _ algorithm: SignatureAlgorithm) { (self.issuer, self.algorithm) = (TextKey(issuer), algorithm) }
    }

    private struct Entry {
        var key: RSAPrivateKey
        var thumbprint: String
        /// The key's certificate in DER, created on demand.
        var certificate: (name: String, bytes: [UInt8])?
    }

    /// The most key pairs of a template. Clients of the control API can add any number of issuers to a sandbox.
    private static let most = 64

    private let entries = Mutex<[Name: Entry]>([:])
    /// Serializes the making of keys for callers that wait.
    private let making = Turnstile()

    /// Creates the keys of a template, which has none yet.
    package init() {}

    /// Returns the key pair with a name, which is taken out of a stock if the template does not have it.
    func key(_ name: Name, from stock: KeyStock) async throws -> RSAPrivateKey {
        if let known = known(name) { return known }
        return try await making.pass {
            if let known = known(name) { return known }
            let key = try await stock.take()
            // It may have been made ahead in the meantime.
            return keep(key, as: name) ? key : known(name) ?? key
        }
    }

    /// The thumbprints of the key pairs that the template has.
    var thumbprints: [String] { entries.withLock { $0.values.map(\.thumbprint) } }

    private func known(_ name: Name) -> RSAPrivateKey? { entries.withLock { $0[name]?.key } }

    /// Returns whether the template can use a key pair for a name: it has none, and may have another one.
    func isWanted(_ name: Name) -> Bool { entries.withLock { $0[name] == nil && $0.count < Self.most } }

    /// Keeps a key pair, unless the template has one with the name already.
    /// - Returns: whether the key pair is now the template's.
    func keep(_ key: RSAPrivateKey, as name: Name) -> Bool {
        guard let thumbprint = try? JSONWebKey(.rsa(key.publicKey)).thumbprint else { return false }
        return entries.withLock { entries in
            guard entries[name] == nil, entries.count < Self.most else { return false }
            entries[name] = Entry(key: key, thumbprint: thumbprint)
            return true
        }
    }

    /// Returns the certificate of a key of an issuer, as DER, if the key is the template's. It is created once.
    /// - Parameters:
    ///   - issuer: the name of the key ring.
    ///   - subject: the common name in the certificate.
    func certificate(of key: SigningKey, issuer: String, subject: String) throws -> [UInt8]? {
        let name = Name(issuer, key.algorithm)
        guard let entry = entries.withLock({ $0[name] }), key.keyID.hasPrefix(entry.thumbprint.prefix(SigningKey.thumbprintLength))
        else { return nil }
        if let known = entry.certificate, known.name.equals(subject) { return known.bytes }
        guard let certificate = try key.selfSignedCertificate(named: subject) else { return nil }
        entries.withLock { $0[name]?.certificate = (subject, certificate) }
        return certificate
    }
}
