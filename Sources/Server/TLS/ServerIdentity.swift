import Caching
import Cryptography
import Federation
import NIOCore
import NIOSSL
import Synchronization
import WireFormats

/// The TLS certificates of this process. Its own CA issues them for the names that clients request.
///
/// Clients reject a wildcard directly below `localhost`, and no wildcard covers the dots in a bucket name. So each name gets its own
/// certificate when a client first requests it (RFC 6066 section 3).
final class ServerIdentity: Sendable {
    /// The CA that clients should trust.
    let authority: CertificateAuthority

    private let names: HostNames
    /// Returns whether a host belongs to an object of a sandbox.
    private let isHost = Mutex<@Sendable (String) -> Bool>({ _ in false })
    private let key: ECPrivateKey
    private let privateKey: NIOSSLPrivateKey
    private let issued = BoundedCache<String, NIOSSLCertificate>(capacity: 1000)

    /// - Throws: `CryptographyError`, or an error of NIOSSL.
    init(authority: CertificateAuthority, names: HostNames) throws {
        self.authority = authority
        self.names = names
        key = try .generate()
        privateKey = try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
    }

    /// Issues certificates for further hosts as well.
    /// - Parameter isHost: returns whether a host belongs to an object of a sandbox: a bucket, a token vending machine or an issuer.
    func recognize(_ isHost: @escaping @Sendable (String) -> Bool) { self.isHost.withLock { $0 = isHost } }

    /// Returns the context for TLS 1.2 and 1.3, with HTTP/2 for clients that support it. (RFC 9113 section 3.2.)
    func context() throws -> NIOSSLContext {
        let general = try certificate(for: generalNames)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(general)], privateKey: .privateKey(privateKey))
        configuration.applicationProtocols = ["h2", "http/1.1"]
        configuration.sslContextCallback = { [self] hello, promise in
            promise.completeWith(Result { try override(for: hello.serverHostname) })
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private func override(for name: String?) throws -> NIOSSLContextConfigurationOverride {
        guard let name = name?.lowercased(), names.serves(name) || isHost.withLock({ $0 })(name) else { return .noChanges }
        var changes = NIOSSLContextConfigurationOverride()
        let covering = names(covering: name)
        if let known = issued.value(for: covering[0]) {
            changes.certificateChain = [.certificate(known)]
        } else {
            let certificate = try certificate(for: covering)
            issued.insert(certificate, for: covering[0])
            changes.certificateChain = [.certificate(certificate)]
        }
        changes.privateKey = .privateKey(privateKey)
        return changes
    }

    /// Returns the names of the certificate for a host. All names of a sandbox that wildcards reach share one certificate.
    private func names(covering host: String) -> [String] {
        guard let sandbox = names.sandboxHost(host) else { return [host] }
        let base = sandbox.sandboxBase
        let labels = host.dropLast(base.utf8.count).dropLast()
        return labels.contains(".") && !(labels.hasSuffix(".s3") && labels.utf8.filter { $0 == UInt8(ascii: ".") }.count == 1)
            ? [host] : [base, "*.\(base)", "*.s3.\(base)"]
    }

    /// The names for clients that send no server name, such as those that connect to an IP address.
    private var generalNames: [String] {
        ["localhost", "*.localhost", "s3.localhost", "*.s3.localhost", "127.0.0.1", "::1"]
            + names.aliases.sorted().flatMap {
                $0.utf8.allSatisfy { $0 < UInt8(ascii: "A") } || $0.contains(":") ? [$0] : [$0, "*.\($0)", "*.s3.\($0)"]
            }
            + EmulatedHosts.names
    }

    private func certificate(for names: [String]) throws -> NIOSSLCertificate {
        var seen: Set<String> = []
        let pem = try authority.issue(for: key, names: names.filter { seen.insert($0).inserted }, now: Timestamp.now().seconds)
        return try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
    }
}
