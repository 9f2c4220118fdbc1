import Calls
import HTTPTypes
import NIOCore
import NIOHTTP1
import WireFormats

/// The framing of a response body. (RFC 9112 section 6.)
enum Framing {
    /// By `Content-Length`, or no body.
    case length
    case chunks
    /// By the end of the connection, for HTTP/1.0 clients.
    case close
}

extension ByteBuffer {
    /// Writes the status line and headers of an HTTP/1.1 response, and the empty line.
    mutating func writeHead(_ response: Response, framing: Framing, connection: StaticString?) {
        let hasLength = response.status.hasContentLength
        writeStatus(response.status)
        // Most heads fit into the default size; the others are measured first.
        if !writeFields(response.headers, room: 768, hasLength: hasLength) {
            let size = response.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
            _ = writeFields(response.headers, room: size, hasLength: hasLength)
        }
        if case .chunks = framing { writeStaticString("Transfer-Encoding: chunked\r\n") }
        if let connection { writeStaticString(connection) }
        writeStaticString("\r\n")
    }

    /// Writes all headers at once; this is fast, since every response needs it.
    /// - Returns: whether they fit into the room; if not, nothing is written.
    private mutating func writeFields(_ fields: HTTPFields, room: Int, hasLength: Bool) -> Bool {
        var fits = true
        writeWithUnsafeMutableBytes(minimumWritableBytes: room) { bytes in
            var end = 0
            func put(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
                guard source.count <= bytes.count - end else { return false }
                UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: UnsafeRawBufferPointer(source))
                end += source.count
                return true
            }
            func put(_ pair: (UInt8, UInt8)) -> Bool {
                guard 2 <= bytes.count - end else { return false }
                bytes[end] = pair.0
                bytes[end + 1] = pair.1
                end += 2
                return true
            }
            // By index: iterating would copy each field.
            for index in fields.indices where hasLength || fields[index].name != .contentLength {
                var name = fields[index].name.rawName
                guard name.withUTF8(put), put((0x3A, 0x20)), fields[index].withUnsafeBytesOfValue(put), put((0x0D, 0x0A)) else {
                    fits = false
                    return 0
                }
            }
            return end
        }
        return fits
    }

    private mutating func writeStatus(_ status: HTTPResponse.Status) {
        switch status.code {
        case 200: writeStaticString("HTTP/1.1 200 OK\r\n")
        case 204: writeStaticString("HTTP/1.1 204 No Content\r\n")
        case 206: writeStaticString("HTTP/1.1 206 Partial Content\r\n")
        default:
            writeStaticString("HTTP/1.1 ")
            writeString(String(status.code))
            writeStaticString(" ")
            writeString(status.reasonPhrase)
            writeStaticString("\r\n")
        }
    }

    /// Writes the size line of a chunk.
    mutating func writeChunkHead(_ size: Int) {
        writeString(String(size, radix: 16))
        writeStaticString("\r\n")
    }
}

extension HTTPResponse.Status {
    /// Whether a response with this status may have `Content-Length`.
    /// 204 must not, and in 304 it would describe another response. (RFC 9110 section 8.6.)
    fileprivate var hasContentLength: Bool { code != 204 && code != 304 }
}

extension HTTPResponseHead {
    /// Creates the head of an HTTP/2 response.
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
