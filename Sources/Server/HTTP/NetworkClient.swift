import AsyncHTTPClient
import Cryptography
import Federation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
import WireFormats

/// Sends requests to other servers over the network.
///
/// It trusts the system's CAs, this process's own, and those in the settings. It follows no redirects: a document is trusted for the name
/// it was requested under, and a message is only for its destination. It does not connect to ``MetadataAddresses``, except for hosts that the
/// seeds of the start or flags name.
final class NetworkClient: Sendable {
    /// The certificates that it trusts besides those of the system.
    private let certificates: [NIOSSLCertificate]
    /// Whether requests may leave the process.
    let isOpen: Bool
    private let namedHosts: Set<String>
    private let logger: Logger?
    /// The clients by what is a setting of a client, not of a request. Each is made for its first request, since most processes send none;
    /// `nil` once this client is closed.
    private let clients = Mutex<[Variant: HTTPClient]?>([:])

    /// What is a setting of a client, not of a request.
    struct Variant: Hashable {
        var connect = Duration.seconds(10)
        var read: Duration?
        /// Whether it may connect to every address.
        var isForNamedHosts = false
    }

    /// - Parameters:
    ///   - authority: this process's own CA certificate in PEM; `nil` without TLS.
    ///   - files: PEM files with certificates.
    ///   - isOpen: whether requests may leave the process.
    ///   - namedHosts: the hosts that seeds and flags name; these may have any address.
    ///   - logger: logs requests that are refused because of their address.
    /// - Throws: `FileError` for a file without certificates.
    init(
        authority: String?, trusting files: [String], isOpen: Bool = true, namedHosts: Set<String> = [], logger: Logger? = nil
    ) throws {
        self.isOpen = isOpen
        self.namedHosts = namedHosts
        self.logger = logger
        var certificates: [NIOSSLCertificate] = []
        if let authority { certificates += try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)) }
        for path in files {
            guard let text = try File.read(path) else { throw FileError(path: path, reason: "no such file") }
            guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8)), !found.isEmpty else {
                throw FileError(path: path, reason: "it contains no PEM certificate")
            }
            certificates += found
        }
        self.certificates = certificates
    }

    private var security: TLSConfiguration {
        var security = TLSConfiguration.makeClientConfiguration()
        security.additionalTrustRoots = [.certificates(certificates)]
        return security
    }

    private static func makeClient(_ security: TLSConfiguration, _ variant: Variant) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: security, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(variant.connect), read: variant.read.map(TimeAmount.init)), decompression: .disabled)
        configuration.connectionPool.idleTimeout = .seconds(30)
        // Custom code calls other custom code through this process; with few connections to a host, these calls would block each other.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        // The caller decides about retries, and receives the error.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = StatusGuard.install
        if !variant.isForNamedHosts {
            // The name may have got another address since it was checked (DNS rebinding).
            configuration.http1_1ConnectionDebugInitializer = { channel in
                checkPeer(of: channel).flatMap { StatusGuard.install(in: channel) }
            }
            configuration.http2ConnectionDebugInitializer = checkPeer
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes a new connection before anything is sent on it, if its peer is not allowed.
    @Sendable static func checkPeer(of channel: any Channel) -> EventLoopFuture<Void> {
        guard let address = channel.remoteAddress, MetadataAddresses.contains(address) else {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        channel.close(promise: nil)
        return channel.eventLoop.makeFailedFuture(OutboundError.notAllowed)
    }

    /// Returns whether a seed or a flag names the host of a URL.
    /// - Throws: `OutboundError.notAllowed` if neither does, and the host has an address that is not allowed; also for a URL that parsers may
    ///   read in different ways.
    func isNamed(_ url: String) async throws -> Bool {
        guard let host = Origin(url: url)?.host, Self.isPlain(host) else { throw OutboundError.notAllowed }
        if namedHosts.contains(host) { return true }
        guard await MetadataAddresses.isAddress(of: host) else { return false }
        logger?.warning(
            "A request to a link-local or metadata address was not sent. A seed of the start may name its host",
            metadata: ["host": "\(host)"])
        throw OutboundError.notAllowed
    }

    /// Returns whether a host is a name or address of ASCII characters that all parsers read in the same way.
    private static func isPlain(_ host: String) -> Bool {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return (isBracketed ? host.dropFirst().dropLast() : Substring(host)).utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): !isBracketed
            case UInt8(ascii: ":"): isBracketed
            default: false
            }
        }
    }

    /// - Throws: `OutboundError`, or another error that prevented a response.
    func send(_ order: OutboundRequest) async throws -> OutboundResponse {
        guard isOpen else { throw OutboundError.notAllowed }
        do {
            // The timeout of the HTTP client covers only the head of the response.
            return try await withThrowingTaskGroup(of: OutboundResponse.self) { group in
                group.addTask { try await self.exchange(order) }
                group.addTask {
                    try await Task.sleep(for: order.timeout)
                    throw OutboundError.timedOut
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw OutboundError.timedOut }
                return first
            }
        } catch let error as HTTPClientError where [.deadlineExceeded, .connectTimeout, .readTimeout].contains(error) {
            throw OutboundError.timedOut
        }
    }

    private func exchange(_ order: OutboundRequest) async throws -> OutboundResponse {
        var request = HTTPClientRequest(url: order.url)
        request.method = HTTPMethod(rawValue: order.method.rawValue)
        for field in order.headers { request.headers.add(name: field.name.rawName, value: field.value) }
        if !order.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: order.body)) }
        if let versions = order.tlsVersions {
            var security = security
            security.minimumTLSVersion = versions.lowerBound.version
            security.maximumTLSVersion = versions.upperBound.version
            request.tlsConfiguration = security
        }
        let variant = Variant(
            connect: order.connectTimeout, read: order.readTimeout, isForNamedHosts: try await isNamed(order.url))
        let response = try await client(variant).execute(request, timeout: TimeAmount(order.timeout))
        var headers = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let status = Int(response.status.code)
        guard order.needsContent else {
            // After the body is read, the connection can be reused; a longer body closes it.
            var count = 0
            for try await piece in response.body {
                count += piece.readableBytes
                if count > order.longestAnswer { break }
            }
            return OutboundResponse(status: status, headers: headers)
        }
        let body = try await response.body.collect(upTo: order.longestAnswer)
        return OutboundResponse(status: status, headers: headers, body: Array(body.readableBytesView))
    }

    /// The most combinations of timeouts that have their own client; further ones use the default timeouts.
    private static let mostClients = 32

    /// - Throws: `HTTPClientError.alreadyShutdown` once this client is closed.
    func client(_ variant: Variant) throws -> HTTPClient {
        try clients.withLock { clients in
            guard let open = clients else { throw HTTPClientError.alreadyShutdown }
            var variant = variant
            if open[variant] == nil, open.count >= Self.mostClients { variant = Variant(isForNamedHosts: variant.isForNamedHosts) }
            if let known = open[variant] { return known }
            let made = Self.makeClient(security, variant)
            clients?[variant] = made
            return made
        }
    }

    func close() async {
        let open = clients.withLock { clients in
            defer { clients = nil }
            return clients ?? [:]
        }
        for client in open.values { try? await client.shutdown() }
    }
}

extension OutboundRequest.TLSVersion {
    fileprivate var version: TLSVersion {
        switch self {
        case .tls1: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }
}
