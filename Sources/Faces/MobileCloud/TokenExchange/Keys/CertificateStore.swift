import Cloud
import Cryptography
import Directory
import Federation
import Synchronization
import Tokens
import WireFormats

/// The certificates of the environment, as last read.
/// (Using Oracle Mobile Cloud Service, configuration reference, `certificatesMinReloadInterval` and `certificatesMaxReloadInterval`.)
final class CertificateStore: Sendable {
    private let kept = Mutex(Kept())

    private struct Kept {
        var generation: Int64 = 0
        var certificates: [Certificate]?
        var read = Timestamp(milliseconds: 0)
    }

    fileprivate struct Certificate {
        var subject: DistinguishedName
        var key: VerificationKey
        /// The period of validity in real time, as certificates use it.
        var lifetime: Range<Int64>
    }

    /// Returns the keys of the currently valid certificates with one of the subjects.
    /// - Throws: ``KeyNotFound``, or an error of reading the keys of our own provider.
    func keys(of subjects: [String], reload: ReloadInterval, _ call: MobileCall) async throws -> [VerificationKey] {
        let wanted = Set(subjects.compactMap(DistinguishedName.init))
        let found = try await certificates(wanted, reload, call).filter { wanted.contains($0.subject) }
        guard !found.isEmpty else {
            throw KeyNotFound("No certificate of the environment has the subject \(subjects.joined(separator: " or ")).")
        }
        let now = call.cloud.clock.wall.seconds
        let current = found.filter { $0.lifetime.contains(now) }
        guard !current.isEmpty else { throw KeyNotFound("The certificate of the issuer has expired, or is not valid yet.") }
        return current.map(\.key)
    }

    private func certificates(
        _ wanted: Set<DistinguishedName>, _ reload: ReloadInterval, _ call: MobileCall
    ) async throws -> [Certificate] {
        let (generation, clock) = (call.cloud.generation, call.cloud.clock)
        let kept = kept.withLock { $0 }
        if kept.generation == generation, let certificates = kept.certificates {
            let isMissing = !wanted.isSubset(of: certificates.map(\.subject))
            guard
                reload.isOver(since: kept.read, by: clock) || isMissing && reload.allowsReload(since: kept.read, by: clock)
            else { return certificates }
        }
        var certificates: [Certificate] = []
        for certificate in call.mobile.environment.certificates {
            certificates += try await Self.read(certificate, call)
        }
        let read = clock.now
        self.kept.withLock { $0 = Kept(generation: generation, certificates: certificates, read: read) }
        return certificates
    }

    /// Reads a certificate; our own provider has one for each of its keys.
    /// Unreadable certificates are skipped, since they cannot verify a token.
    private static func read(_ certificate: TokenCertificate, _ call: MobileCall) async throws -> [Certificate] {
        switch certificate.source {
        case .pem(let text): return (try? X509Certificate(pem: text)).flatMap(Certificate.init).map { [$0] } ?? []
        case .identityProvider(let name):
            guard let provider = call.cloud.directory.providers[name] else { return [] }
            return try await call.cloud.certificates(of: provider).compactMap { try? X509Certificate(der: $0) }
                .compactMap(Certificate.init)
        }
    }
}

extension CertificateStore.Certificate {
    fileprivate init?(_ certificate: X509Certificate) {
        guard let subject = DistinguishedName(certificate.subject), let key = VerificationKey(certificate),
            certificate.notBefore <= certificate.notAfter
        else { return nil }
        self.init(subject: subject, key: key, lifetime: certificate.notBefore..<certificate.notAfter + 1)
    }
}
