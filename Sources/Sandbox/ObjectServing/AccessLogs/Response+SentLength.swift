package import Calls
import HTTPTypes
import NIOCore
import WireFormats

extension Response {
    /// Bytes of the content; `nil` if they are not known before they are sent.
    package var sentLength: Int64? {
        if case .whole(let buffer) = body.content { return Int64(buffer.readableBytes) }
        return headers[.contentLength].flatMap { Int64($0) }
    }
}
