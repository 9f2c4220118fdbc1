import Exchange
import HTTPTypes
import NIOCore
import NIOHTTP1

/// How a connection frames the content of an answer. (RFC 9112 section 6.)
enum Framing {
    /// By `Content-Length`, or there is none.
    case length
    case chunks
    /// By the end of the connection, for clients of HTTP/1.0.
    case close
}

extension ByteBuffer {
    /// Writes status line and fields of an HTTP/1.1 answer and the empty line.
    mutating func writeHead(_ response: Response, framing: Framing, connection: StaticString?) {
        writeStaticString("HTTP/1.1 ")
        writeStatus(response.status)
        let hasLength = response.status.hasContentLength
        for field in response.headers where hasLength || field.name != .contentLength {
            writeString(field.name.rawName)
            writeStaticString(": ")
            writeString(field.value)
            writeStaticString("\r\n")
        }
        if case .chunks = framing { writeStaticString("Transfer-Encoding: chunked\r\n") }
        if let connection { writeStaticString(connection) }
        writeStaticString("\r\n")
    }

    private mutating func writeStatus(_ status: HTTPResponse.Status) {
        switch status {
        case .ok: writeStaticString("200 OK\r\n")
        case .noContent: writeStaticString("204 No Content\r\n")
        case .partialContent: writeStaticString("206 Partial Content\r\n")
        default:
            writeString(String(status.code))
            writeStaticString(" ")
            writeString(status.reasonPhrase)
            writeStaticString("\r\n")
        }
    }

    /// Writes the line before a chunk.
    mutating func writeChunkHead(_ size: Int) {
        writeString(String(size, radix: 16))
        writeStaticString("\r\n")
    }
}

extension HTTPResponse.Status {
    /// Whether an answer of this status may say how long its content is: 204 must not, and 304 without content would say it
    /// of another answer. (RFC 9110 section 8.6.)
    fileprivate var hasContentLength: Bool { code != 204 && code != 304 }
}

extension HTTPResponseHead {
    /// The head of an answer on a stream of HTTP/2.
    init(_ response: Response) {
        var headers = HTTPHeaders()
        headers.reserveCapacity(response.headers.count)
        let hasLength = response.status.hasContentLength
        for field in response.headers where hasLength || field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        self.init(version: .http2, status: HTTPResponseStatus(statusCode: response.status.code), headers: headers)
    }
}
