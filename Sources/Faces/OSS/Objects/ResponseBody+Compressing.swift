import Calls
import Cloud
import NIOCore
import ObjectStore
import WireFormats

extension ResponseBody {
    /// Creates a body with the content of an object in gzip format, compressed as the receiver reads it.
    init(compressing stored: StoredObject) {
        self.init { writer in
            let stream = GzipStream()
            var pieces = stored.bytes().makeAsyncIterator()
            while let piece = try await pieces.next(for: &writer) {
                let bytes = piece.withUnsafeReadableBytes { stream.compress($0) }
                if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
            try await writer.write(ByteBuffer(bytes: stream.finish()))
            try await writer.finish(nil)
        }
    }
}
