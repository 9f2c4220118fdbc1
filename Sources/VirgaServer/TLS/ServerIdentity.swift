import Caching
import Cryptography
import Federation
import NIOCore
import NIOSSL
import WireFormats

/// The TLS certificates of this process. Its own CA issues them for the names that clients request.
///
/// Clients reject a wildcard directly below `localhost`, and no wildcard covers the dots in a bucket name. So each name gets its own
/// certificate when a client first requests it (RFC 6066 section 3).
final class ServerIdentity: Sendable {
    /// The CA that clients should trust.
    let authority: CertificateAuthority

    private let names: HostNames
    /// Returns whether a host belongs to an object of the sandbox.
    private let isHost: @Sendable (String) -> Bool
    private let key: ECPrivateKey
    private let privateKey: NIOSSLPrivateKey
    private let issued = BoundedCache<String, NIOSSLCertificate>(capacity: 1000)

    /// - Parameter isHost: returns whether a host belongs to an object of the sandbox: a bucket or a token vending machine.
    /// - Throws: `CryptographyError`, or an error of NIOSSL.
    init(authority: CertificateAuthority, names: HostNames, isHost: @escaping @Sendable (String) -> Bool) throws {
        self.authority = authority
        self.names = names
        self.isHost = isHost
        key = try .generate()
        privateKey = try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
    }

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
        guard let name = name?.lowercased(), names.serves(name) || isHost(name) else { return .noChanges }
        var changes = NIOSSLContextConfigurationOverride()
        if let known = issued.value(for: name) {
            changes.certificateChain = [.certificate(known)]
        } else {
            let certificate = try certificate(for: [name])
            issued.insert(certificate, for: name)
            changes.certificateChain = [.certificate(certificate)]
        }
        changes.privateKey = .privateKey(privateKey)
        return changes
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
