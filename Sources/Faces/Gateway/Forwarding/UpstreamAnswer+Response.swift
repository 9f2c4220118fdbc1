import Calls
import Federation
import HTTPTypes
import NIOCore
import WireFormats

extension UpstreamAnswer {
    /// Returns the response for the client: the answer without the headers that concern the connection to the upstream, or that would change
    /// what browsers do at this server. The body passes as it is.
    /// - Parameter upstream: the URL of the upstream.
    func response(from upstream: String) -> Response {
        let named = headers[values: .connection].flatMap { $0.split(separator: ",") }
            .map { $0.trimmed.lowercasedASCII }
        var passed = HTTPFields()
        for field in headers {
            let name = field.name.canonicalName
            guard !Self.dropped.contains(name), !named.contains(name), !name.hasPrefix("x-virga-"),
                !name.hasPrefix("access-control-")
            else { continue }
            passed.append(field)
        }
        if let origin = Origin(url: upstream) { passed.append(HTTPField(name: .virgaUpstream, value: origin.authority)) }
        return Response(status: status, headers: passed, body: body)
    }

    /// Headers of one connection (RFC 9110 section 7.6.1), those that the server sets itself, and those that a browser keeps for the origin.
    private static let dropped: Set<String> = [
        "alt-svc", "connection", "content-length", "date", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
        "proxy-connection", "set-cookie", "strict-transport-security", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The most bytes of an answer that is changed.
    private static let longestChanged = 4 << 20

    /// Returns the same answer, in which URLs of queues lead to an origin.
    /// - Throws: ``UpstreamFailure`` for an answer that is too long, or that ends early.
    func redirectingQueues(to origin: String) async throws -> UpstreamAnswer {
        guard status.kind == .successful else { return self }
        let bytes: [UInt8]
        do {
            bytes = try await body.collected(upTo: Self.longestChanged)
        } catch is BodyTooLarge {
            throw UpstreamFailure("the list of queues has more than \(Self.longestChanged >> 20) MiB")
        }
        let isXML = bytes.first { !(0x09...0x0D ~= $0 || $0 == 0x20) } == UInt8(ascii: "<")
        var changed = self
        let redirected = isXML ? QueueURLs.redirected(xml: bytes, to: origin) : QueueURLs.redirected(json: bytes, to: origin)
        changed.body = ResponseBody(byteBuffer: ByteBuffer(bytes: redirected))
        // It is the checksum of the upstream's document.
        if redirected != bytes, let name = HTTPField.Name("x-amz-crc32") { changed.headers[name] = nil }
        return changed
    }
}

extension HTTPField.Name {
    /// A header of Virga's own: the upstream that answered.
    fileprivate static let virgaUpstream = HTTPField.Name(literal: "x-virga-upstream")
}
