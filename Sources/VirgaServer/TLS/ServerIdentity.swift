import Caching
import Cryptography
import Federation
import NIOCore
import NIOSSL
import WireFormats

/// What this process proves itself with over TLS: certificates of an authority of its own, made for the names that clients ask for.
///
/// A wildcard right below `localhost` is accepted by no client, and none reaches over the dots in a bucket's name, so each name
/// of ours that a client asks for (RFC 6066 section 3) gets a certificate when it is first asked for.
final class ServerIdentity: Sendable {
    /// For clients to trust.
    let authority: CertificateAuthority

    private let names: HostNames
    /// Whether something of the sandbox is found under a host of its own.
    private let isHost: @Sendable (String) -> Bool
    private let key: ECPrivateKey
    private let privateKey: NIOSSLPrivateKey
    private let issued = BoundedCache<String, NIOSSLCertificate>(capacity: 1000)

    /// - Parameter isHost: whether something of the sandbox is found under a host of its own: a bucket, a token vending machine.
    /// - Throws: `CryptographyError`, or what NIOSSL says of its own.
    init(authority: CertificateAuthority, names: HostNames, isHost: @escaping @Sendable (String) -> Bool) throws {
        self.authority = authority
        self.names = names
        self.isHost = isHost
        key = try .generate()
        privateKey = try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
    }

    /// TLS 1.2 and 1.3, with HTTP/2 for those who ask. (RFC 9113 section 3.2.)
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

    /// For clients that do not say whom they mean, such as those that connect to an address.
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
