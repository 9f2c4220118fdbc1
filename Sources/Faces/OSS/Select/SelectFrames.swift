import NIOCore
import ObjectServing
import WireFormats

/// The frames of a query's response, with big-endian integers. They consist of version and type, length of the payload, four reserved
/// bytes, payload, and the CRC-32 of the payload.
/// (OSS API Reference, "SelectObject", response body.)
struct SelectFrames: Sendable {
    private enum Kind: UInt32 {
        case data = 0x80_0001
        case `continue` = 0x80_0004
        case end = 0x80_0005
        case csvMetadataEnd = 0x80_0006
        case jsonMetadataEnd = 0x80_0007
    }

    private static let version: UInt32 = 1

    /// Whether frames contain the checksum of the payload; otherwise it is zero.
    var hasChecksums: Bool

    /// Returns a frame with selected records.
    /// - Parameter offset: the number of bytes of the object that have been searched.
    func data(_ bytes: [UInt8], offset: Int64) -> ByteBuffer {
        frame(.data) { payload in
            payload.writeInteger(UInt64(offset))
            payload.writeBytes(bytes)
        }
    }

    /// Returns a frame that keeps the connection open while no records are found.
    func continuation(offset: Int64) -> ByteBuffer { frame(.continue) { $0.writeInteger(UInt64(offset)) } }

    /// Returns the last frame of a response.
    /// - Parameter refusal: the error that ended the query early.
    func end(offset: Int64, _ refusal: SelectRefusal?) -> ByteBuffer {
        frame(.end) { payload in
            payload.writeInteger(UInt64(offset))
            payload.writeInteger(UInt64(offset))
            payload.writeInteger(UInt32(refusal == nil ? 200 : 400))
            if let refusal { payload.writeString("\(refusal.code.wireCode).\(refusal.message)") }
        }
    }

    /// Returns the response of CreateSelectObjectMeta.
    /// - Parameter columns: the number of columns in CSV; `nil` for JSON.
    func metadata(size: Int64, rows: Int64, columns: Int?) -> ByteBuffer {
        frame(columns == nil ? .jsonMetadataEnd : .csvMetadataEnd) { payload in
            payload.writeInteger(UInt64(size))
            payload.writeInteger(UInt64(size))
            payload.writeInteger(UInt32(200))
            // The number of splits is always one.
            payload.writeInteger(UInt32(1))
            payload.writeInteger(UInt64(rows))
            if let columns { payload.writeInteger(UInt32(columns)) }
        }
    }

    private func frame(_ kind: Kind, _ write: (inout ByteBuffer) -> Void) -> ByteBuffer {
        var payload = ByteBuffer()
        write(&payload)
        var checksum = CRC32()
        if hasChecksums { payload.withUnsafeReadableBytes { checksum.update($0) } }
        var frame = ByteBuffer()
        frame.writeInteger(Self.version << 24 | kind.rawValue)
        frame.writeInteger(UInt32(payload.readableBytes))
        frame.writeInteger(UInt32(0))
        frame.writeBuffer(&payload)
        frame.writeInteger(checksum.value)
        return frame
    }
}
