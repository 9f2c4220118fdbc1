import AsyncHTTPClient
import Cryptography
import Federation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Sends requests to other servers over the network.
///
/// It trusts the system's CAs, this process's own, and those in the settings. It follows no redirects: a document is trusted for the name
/// it was requested under, and a message is only for its destination.
final class NetworkClient: Sendable {
    /// The default connect timeout.
    private static let usualConnectTimeout = Duration.seconds(10)

    private let security: TLSConfiguration
    private let isOpen: Bool
    /// The clients by those timeouts that are settings of a client, not of a request.
    private let clients: Mutex<[Timeouts: HTTPClient]>

    private struct Timeouts: Hashable {
        var connect: Duration
        var read: Duration?
    }

    private let client: HTTPClient

    /// - Parameters:
    ///   - authority: this process's own CA certificate in PEM; `nil` without TLS.
    ///   - files: PEM files with certificates.
    ///   - isOpen: whether requests may leave the process.
    /// - Throws: `FileError` for a file without certificates.
    init(authority: String?, trusting files: [String], isOpen: Bool = true) throws {
        self.isOpen = isOpen
        var certificates: [NIOSSLCertificate] = []
        if let authority { certificates += try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)) }
        for path in files {
            guard let text = try File.read(path) else { throw FileError(path: path, reason: "no such file") }
            guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8)), !found.isEmpty else {
                throw FileError(path: path, reason: "it contains no PEM certificate")
            }
            certificates += found
        }
        var security = TLSConfiguration.makeClientConfiguration()
        security.additionalTrustRoots = [.certificates(certificates)]
        self.security = security
        client = Self.makeClient(security, Timeouts(connect: Self.usualConnectTimeout))
        clients = Mutex([:])
    }

    private static func makeClient(_ security: TLSConfiguration, _ timeouts: Timeouts) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: security, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(timeouts.connect), read: timeouts.read.map(TimeAmount.init)), decompression: .disabled)
        configuration.connectionPool.idleTimeout = .seconds(30)
        // Custom code calls other custom code through this process; with few connections to a host, these calls would block each other.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        // The caller decides about retries, and receives the error.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
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
        let timeouts = Timeouts(connect: order.connectTimeout, read: order.readTimeout)
        let response = try await client(timeouts).execute(request, timeout: TimeAmount(order.timeout))
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

    /// The most timeouts that have their own client; further ones use the default client.
    private static let mostClients = 16

    private func client(_ timeouts: Timeouts) -> HTTPClient {
        guard timeouts != Timeouts(connect: Self.usualConnectTimeout) else { return client }
        return clients.withLock { clients in
            if let known = clients[timeouts] { return known }
            guard clients.count < Self.mostClients else { return client }
            let made = Self.makeClient(security, timeouts)
            clients[timeouts] = made
            return made
        }
    }

    func close() async {
        for client in clients.withLock({ Array($0.values) }) + [client] { try? await client.shutdown() }
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
