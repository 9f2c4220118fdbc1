import AsyncHTTPClient
import Cryptography
import Federation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Fetches the documents of identity providers elsewhere and of applications, and posts messages to the latter.
///
/// It trusts the system's authorities, this process's own, and those that the settings name. It follows no redirection, since the
/// issuer's name is what vouches for the documents.
struct DocumentClient: Sendable {
    /// How long a provider may take.
    private static let patience = TimeAmount.seconds(10)
    /// Bytes that a document may have.
    private static let longest = 1 << 20

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
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: security, redirectConfiguration: .disallow,
            timeout: .init(connect: Self.patience, read: Self.patience), decompression: .disabled)
        configuration.connectionPool.idleTimeout = .seconds(30)
        // Retrying is the caller's affair, who is told that the provider did not answer.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
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

    func close() async { try? await client.shutdown() }
}
