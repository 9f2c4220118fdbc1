import NIOCore
import ObjectServing
import WireFormats

/// The frames that an answer to a query is made of: version and type, length of the payload, four bytes of no use, payload, CRC-32 of the
/// payload; numbers have their highest byte first. (OSS API Reference, "SelectObject", response body.)
struct SelectFrames: Sendable {
    private enum Kind: UInt32 {
        case data = 0x80_0001
        case `continue` = 0x80_0004
        case end = 0x80_0005
        case csvMetadataEnd = 0x80_0006
        case jsonMetadataEnd = 0x80_0007
    }

    private static let version: UInt32 = 1

    /// Whether the payloads' checksums are told; zero stands in their place otherwise.
    var hasChecksums: Bool

    /// What has been selected.
    /// - Parameter offset: bytes of the object that have been looked through.
    func data(_ bytes: [UInt8], offset: Int64) -> ByteBuffer {
        frame(.data) { payload in
            payload.writeInteger(UInt64(offset))
            payload.writeBytes(bytes)
        }
    }

    /// Says that the search goes on, where nothing has been found.
    func goingOn(offset: Int64) -> ByteBuffer { frame(.continue) { $0.writeInteger(UInt64(offset)) } }

    /// What the answer ends with.
    /// - Parameter refusal: why it ends early.
    func end(offset: Int64, _ refusal: SelectRefusal?) -> ByteBuffer {
        frame(.end) { payload in
            payload.writeInteger(UInt64(offset))
            payload.writeInteger(UInt64(offset))
            payload.writeInteger(UInt32(refusal == nil ? 200 : 400))
            if let refusal { payload.writeString("\(refusal.code.wireCode).\(refusal.message)") }
        }
    }

    /// The whole answer to CreateSelectObjectMeta.
    /// - Parameter columns: of CSV, which JSON has not.
    func metadata(size: Int64, rows: Int64, columns: Int?) -> ByteBuffer {
        frame(columns == nil ? .jsonMetadataEnd : .csvMetadataEnd) { payload in
            payload.writeInteger(UInt64(size))
            payload.writeInteger(UInt64(size))
            payload.writeInteger(UInt32(200))
            // One split, whatever the size.
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
