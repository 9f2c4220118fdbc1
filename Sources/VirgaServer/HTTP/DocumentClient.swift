import AsyncHTTPClient
import Cryptography
import Federation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Fetches the documents of identity providers elsewhere and of applications, and posts messages to the latter.
///
/// It trusts the system's authorities, this process's own, and those that the settings name. It follows no redirection, since the
/// issuer's name is what vouches for the documents.
final class DocumentClient: Sendable {
    /// How long a provider may take.
    private static let patience = TimeAmount.seconds(10)
    /// Bytes that a document may have.
    private static let longest = 1 << 20

    private let security: TLSConfiguration
    /// By the times that are a client's and not a request's.
    private let clients: Mutex<[Timeouts: HTTPClient]>

    private struct Timeouts: Hashable {
        var connect: Duration
        var read: Duration?
    }

    private let client: HTTPClient

    /// - Parameters:
    ///   - authority: this process's own, as PEM, if it speaks TLS.
    ///   - files: certificates in PEM.
    /// - Throws: `FileError` for a file without certificates.
    init(authority: String?, trusting files: [String]) throws {
        var certificates: [NIOSSLCertificate] = []
        if let authority { certificates += try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)) }
        for path in files {
            guard let text = try File.read(path) else { throw FileError(path: path, reason: "no such file") }
            guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(text.utf8)), !found.isEmpty else {
                throw FileError(path: path, reason: "no certificate in PEM")
            }
            certificates += found
        }
        var security = TLSConfiguration.makeClientConfiguration()
        security.additionalTrustRoots = [.certificates(certificates)]
        self.security = security
        client = Self.makeClient(security, Timeouts(connect: Duration(Self.patience)))
        clients = Mutex([:])
    }

    private static func makeClient(_ security: TLSConfiguration, _ timeouts: Timeouts) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: security, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(timeouts.connect), read: timeouts.read.map(TimeAmount.init)), decompression: .disabled)
        configuration.connectionPool.idleTimeout = .seconds(30)
        // Custom code calls other custom code through us: with few connections to a host they would wait for one another.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        // Retrying is the caller's affair, who is told that the provider did not answer.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// - Throws: whatever kept the provider from answering.
    func fetch(_ url: String) async throws -> FetchedDocument {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: Self.patience)
        let body = try await response.body.collect(upTo: Self.longest)
        let cacheControl = response.headers["Cache-Control"]
        return FetchedDocument(
            status: Int(response.status.code), body: Array(body.readableBytesView),
            cacheControl: cacheControl.isEmpty ? nil : cacheControl.joined(separator: ","))
    }

    /// Posts a form and leaves the content of the answer aside.
    /// - Returns: the status of the answer.
    /// - Throws: whatever kept the server from answering.
    func post(_ url: String, form: String) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        let response = try await client.execute(request, timeout: Self.patience)
        _ = try await response.body.collect(upTo: Self.longest)
        return Int(response.status.code)
    }

    /// - Throws: `OutboundError`, or whatever else kept the server from answering.
    func send(_ order: OutboundRequest) async throws -> OutboundResponse {
        do {
            // The client's own time ends with the answer's head.
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
        let body = try await response.body.collect(upTo: order.longestAnswer)
        return OutboundResponse(status: Int(response.status.code), headers: headers, body: Array(body.readableBytesView))
    }

    /// Different times that are remembered; beyond them the usual one counts.
    private static let mostClients = 16

    private func client(_ timeouts: Timeouts) -> HTTPClient {
        guard timeouts != Timeouts(connect: Duration(Self.patience)) else { return client }
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
