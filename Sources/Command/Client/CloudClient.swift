import AsyncHTTPClient
import ControlDocuments
import HTTPTypes
import NIOCore
import NIOHTTP1
import RequestSigning
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An HTTP client for a running cloud: plain, form and signed requests. It follows no redirects and stores no cookies.
struct CloudClient: Sendable {
    let endpoint: String
    private let http: HTTPClient
    private static let longestAnswer = 64 << 20

    struct Answer: Sendable {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: String

        func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

        /// Returns the text of the first element with this name in an XML body, at any depth.
        func element(_ name: String) -> String? {
            guard let root = try? XMLElement(parsing: Array(body.utf8)) else { return nil }
            return root.first(named: name)?.text
        }

        var json: JSONValue? { try? JSONValue(parsing: body) }
    }

    /// Runs `body` with a client, and shuts the client down.
    /// - Parameter timeout: the timeout of a whole request.
    static func with<T: Sendable>(
        _ endpoint: OriginArgument, timeout: TimeAmount = .seconds(30), _ body: @Sendable (CloudClient) async throws -> T
    ) async throws -> T {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: timeout, read: timeout)
        // If the cloud is not running, the error is reported immediately, not after the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<T, any Error>
        do {
            result = .success(try await body(CloudClient(endpoint: endpoint.text, http: http)))
        } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        return try result.get()
    }

    /// - Parameter target: the path and query, or a URL on the same cloud.
    func send(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: String = ""
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: target.hasPrefix("http") ? target : endpoint + target)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        if !body.isEmpty || method == "POST" || method == "PUT" { request.body = .bytes(ByteBuffer(string: body)) }
        let response: HTTPClientResponse
        let answer: ByteBuffer
        do {
            response = try await http.execute(request, timeout: .seconds(60))
            answer = try await response.body.collect(upTo: Self.longestAnswer)
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            throw Failure(description: "nothing answers at \(endpoint); start a server with \"virga serve\", or name one with --endpoint")
        } catch let error as IOError {
            throw Failure(description: "\(endpoint) does not answer: \(String(cString: strerror(error.errnoCode)))")
        } catch let error as HTTPClientError {
            throw Failure(description: "\(endpoint) does not answer: \(error.shortDescription)")
        } catch  where endpoint.hasPrefix("https:") {
            throw Failure(
                description:
                    "\(endpoint) does not answer over TLS that can be trusted: its certificate is not trusted, or it speaks plain http")
        } catch {
            throw Failure(description: "\(endpoint) does not answer: \(error)")
        }
        return Answer(
            status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) },
            body: String(buffer: answer))
    }

    /// Calls the control API.
    /// - Throws: `Failure` with the message of the response, unless it is successful.
    func control(_ method: String, _ path: String, fields: [(String, String)], body: String = "") async throws -> JSONValue {
        let answer = try await send(method, "/_virga/\(path)", fields: fields + [("content-type", "application/json")], body: body)
        guard (200...299).contains(answer.status), let json = answer.json else {
            throw Failure(description: answer.json?["message"]?.stringValue ?? "\(endpoint) answered \(answer.status)")
        }
        return json
    }

    /// Calls the control API, and reads the document of the response.
    /// - Throws: `Failure` with the message of the response, unless it is successful.
    func control<Members: DocumentMembers>(
        _: Members.Type, _ method: String, _ path: String, fields: [(String, String)], body: String = ""
    ) async throws -> Document<Members> {
        Document(try await control(method, path, fields: fields, body: body).objectValue ?? [:])
    }

    func post(form: FormFields, to target: String, fields: [(String, String)] = []) async throws -> Answer {
        try await send(
            "POST", target, fields: fields + [("content-type", "application/x-www-form-urlencoded")], body: form.encoded)
    }

    func post(json: JSONValue, to target: String, fields: [(String, String)] = []) async throws -> Answer {
        try await send("POST", target, fields: fields + [("content-type", "application/json")], body: json.serialized())
    }

    /// Sends a request signed with AWS Signature Version 4.
    func send(
        signedBy signer: SignatureV4.Signer, _ method: String, _ target: String, body: String = ""
    ) async throws -> Answer {
        var request = SignableRequest(method: method, target: target, authority: authority)
        signer.sign(&request, payload: PayloadHash(of: Array(body.utf8)), at: .now())
        return try await send(method, target, fields: request.fields.map { ($0.name.rawName, $0.value) }, body: body)
    }

    /// The host and port.
    var authority: String { String(endpoint.drop { $0 != "/" }.dropFirst(2)) }
}

extension XMLElement {
    /// Returns the first element with this name in document order, including this element.
    fileprivate func first(named name: String) -> XMLElement? {
        if self.name == name { return self }
        return children.lazy.compactMap { $0.first(named: name) }.first
    }
}
