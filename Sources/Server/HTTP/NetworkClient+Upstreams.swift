import AsyncHTTPClient
import Calls
import Federation
import GatewayFace
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import RequestSigning
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension NetworkClient {
    /// How long an upstream may be silent, before its answer and within it. Invocations of functions take up to 15 minutes.
    private static let longestSilence = Duration.seconds(15 * 60)
    /// The time between two looks at whether the client still waits.
    private static let interval = Duration.seconds(1)

    /// Sends a request to an upstream; see ``UpstreamSend``.
    func forward(_ order: UpstreamOrder) async throws -> UpstreamAnswer {
        guard isOpen else { throw UpstreamFailure("requests to other servers are off") }
        guard let client = order.client else { return try await exchange(order) }
        return try await withThrowingTaskGroup(of: UpstreamAnswer?.self) { group in
            group.addTask { try await self.exchange(order) }
            group.addTask {
                while !client.mayBeGone { try await Task.sleep(for: Self.interval) }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let answer = first else { throw CancellationError() }
            return answer
        }
    }

    private func exchange(_ order: UpstreamOrder) async throws -> UpstreamAnswer {
        do {
            return try await answer(to: order)
        } catch {
            throw Self.failure(error)
        }
    }

    private func answer(to order: UpstreamOrder) async throws -> UpstreamAnswer {
        let query = order.request.query.text
        var request = HTTPClientRequest(url: order.upstream + order.request.path + (query.isEmpty ? "" : "?\(query)"))
        request.method = HTTPMethod(rawValue: order.request.method)
        var fields = order.request.fields
        Trace.current?.write(to: &fields)
        // Upstreams name queues by the host that the client addressed.
        if !order.request.authority.isEmpty { request.headers.add(name: "host", value: order.request.authority) }
        for field in fields { request.headers.add(name: field.name.rawName, value: field.value) }
        if !order.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: order.body)) }
        let variant = Variant(read: Self.longestSilence, isForNamedHosts: try await isNamed(order.upstream))
        let response = try await client(variant).execute(request, deadline: .distantFuture)
        var headers = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let status = try Self.final(status: Int(response.status.code))
        let length = response.headers.first(name: "content-length").flatMap { Int($0) }
        let isEmpty = length == 0 || order.request.method == "HEAD" || status == .noContent || status == .notModified
        guard !isEmpty else { return UpstreamAnswer(status: status, headers: headers) }
        let content = response.body
        return UpstreamAnswer(
            status: status, headers: headers,
            body: ResponseBody(contentLength: length) { writer in
                var pieces = content.makeAsyncIterator()
                // The next piece is read once the client has room for it.
                _ = try await writer.room()
                while true {
                    let piece: ByteBuffer?
                    do {
                        piece = try await pieces.next()
                    } catch {
                        throw Self.failure(error)
                    }
                    guard let piece else { break }
                    try await writer.write(piece)
                    _ = try await writer.room()
                }
                try await writer.finish(nil)
            })
    }

    /// Returns the status of an answer. Others than final ones would end the process or the conversation: Virga asks for no other protocol,
    /// and the client of HTTP reads the other informational answers.
    static func final(status: Int) throws(UpstreamFailure) -> HTTPResponse.Status {
        guard 200...999 ~= status else { throw UpstreamFailure("it answered with the status \(status)") }
        return HTTPResponse.Status(code: status)
    }

    /// Returns why there is no answer.
    private static func failure(_ error: any Error) -> any Error {
        switch error {
        case let error as HTTPClientError: failure(error)
        case let error as NIOConnectionError: failure(error)
        case let error as IOError: failure(error)
        case is CancellationError, is UpstreamFailure: error
        case OutboundError.notAllowed: UpstreamFailure("its address is not allowed")
        case ChannelError.connectTimeout: UpstreamFailure("connecting took too long", isUnconnected: true)
        case is NIOSSLError: UpstreamFailure("TLS failed: \(String(describing: error).visible)")
        default: UpstreamFailure(String(describing: error).visible)
        }
    }

    private static func failure(_ error: HTTPClientError) -> any Error {
        if [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error) {
            return UpstreamFailure("connecting took too long", isUnconnected: true)
        }
        if [.readTimeout, .writeTimeout, .deadlineExceeded].contains(error) { return UpstreamFailure("it was silent for too long") }
        if error == .remoteConnectionClosed { return UpstreamFailure("it closed the connection") }
        if error == .cancelled { return CancellationError() }
        return UpstreamFailure(String(describing: error).visible)
    }

    private static func failure(_ error: NIOConnectionError) -> any Error {
        if let first = error.connectionErrors.first { return failure(first.error) }
        return UpstreamFailure("the name \(error.host) has no address", isUnconnected: true)
    }

    private static func failure(_ error: IOError) -> any Error {
        switch error.errnoCode {
        case ECONNREFUSED: UpstreamFailure("connection refused", isUnconnected: true)
        case EHOSTUNREACH, ENETUNREACH: UpstreamFailure("there is no route to it", isUnconnected: true)
        case ETIMEDOUT: UpstreamFailure("connecting took too long", isUnconnected: true)
        case ECONNRESET, EPIPE: UpstreamFailure("it reset the connection")
        default: UpstreamFailure(String(describing: error).visible)
        }
    }
}
