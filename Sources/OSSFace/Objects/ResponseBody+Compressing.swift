import Calls
import Cloud
import NIOCore
import ObjectStore
import WireFormats

extension ResponseBody {
    /// An object's content as one member of gzip, compressed piece by piece at the pace of the receiver.
    init(compressing stored: StoredObject) {
        self.init { writer in
            let stream = GzipStream()
            for try await piece in stored.bytes() {
                let bytes = piece.withUnsafeReadableBytes { stream.compress($0) }
                if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
            try await writer.write(ByteBuffer(bytes: stream.finish()))
            try await writer.finish(nil)
        }
    }
}
