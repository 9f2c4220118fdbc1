package import Cloud
import HTTPTypes
import NIOCore
import WireFormats

extension Request {
    /// Returns the same request, whose headers and body are copied into a capture while they are read.
    /// - Parameter isSecret: returns whether a header value must not be copied.
    package func captured(by capture: CapturedExchange, isSecret: (String) -> Bool) -> Request {
        let host = CapturedExchange.Field(name: "Host", value: authority)
        capture.note([host] + headers.fields(isSecret: isSecret), of: .request)
        var request = Request(method: method, target: target, authority: authority, headers: headers, body: body.captured(by: capture))
        request.client = client
        return request
    }
}

extension Response {
    /// Returns the same response, whose headers and body are copied into a capture while they are sent.
    /// - Parameter isSecret: returns whether a header value must not be copied.
    package func captured(by capture: CapturedExchange, isSecret: (String) -> Bool) -> Response {
        capture.note(headers.fields(isSecret: isSecret), of: .response)
        var response = self
        switch body.content {
        case .none: break
        case .whole(let buffer): capture.append(buffer.readableBytesView, to: .response)
        case .pieces, .written:
            let content = self.body
            capture.reserve(content.contentLength)
            response.body = ResponseBody(contentLength: content.contentLength) { writer in
                try await content.write(CapturingWriter(writer: writer, capture: capture))
            }
        }
        return response
    }
}

extension HTTPFields {
    fileprivate func fields(isSecret: (String) -> Bool) -> [CapturedExchange.Field] {
        map { .init(name: $0.name.rawName, value: isSecret($0.value) ? "…" : $0.value) }
    }
}

/// Copies a response body while it is sent.
private struct CapturingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let capture: CapturedExchange

    mutating func room() async throws -> BodyRoom { try await writer.room() }

    mutating func write(_ buffer: ByteBuffer) async throws {
        capture.append(buffer.readableBytesView, to: .response)
        try await writer.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await writer.finish(trailingHeaders) }
}
