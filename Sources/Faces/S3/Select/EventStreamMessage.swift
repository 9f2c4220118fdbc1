import NIOCore
import WireFormats

/// One message of an event stream, with big-endian integers. It consists of the lengths of message and headers, their CRC-32, headers,
/// payload, and the CRC-32 of everything before.
/// (S3 API Reference, "Appendix: SelectObjectContent Response"; Smithy, "Amazon Event Stream".)
struct EventStreamMessage {
    /// Names and string values, of at most 32 KiB.
    var headers: KeyValuePairs<String, String>
    var payload: [UInt8] = []

    /// The type code of a string header: its value has a length in two bytes.
    private static let text: UInt8 = 7
    private static let longestText = (32 << 10) - 1

    var encoded: ByteBuffer {
        var fields = ByteBuffer()
        for (name, value) in headers {
            let value = value.utf8.prefix(Self.longestText)
            fields.writeInteger(UInt8(clamping: name.utf8.count))
            fields.writeString(name)
            fields.writeInteger(Self.text)
            fields.writeInteger(UInt16(value.count))
            fields.writeBytes(value)
        }
        var message = ByteBuffer()
        message.reserveCapacity(fields.readableBytes + payload.count + 16)
        message.writeInteger(UInt32(fields.readableBytes + payload.count + 16))
        message.writeInteger(UInt32(fields.readableBytes))
        var checksum = CRC32()
        message.withUnsafeReadableBytes { checksum.update($0) }
        message.writeInteger(checksum.value)
        message.writeBuffer(&fields)
        message.writeBytes(payload)
        checksum = CRC32()
        message.withUnsafeReadableBytes { checksum.update($0) }
        message.writeInteger(checksum.value)
        return message
    }
}

extension EventStreamMessage {
    /// Statistics of a query: bytes read from the object, bytes after decompression, and bytes returned in records.
    struct Details {
        var scanned: Int64
        var processed: Int64
        var returned: Int64

        fileprivate func document(_ root: String) -> [UInt8] {
            var xml = XMLWriter()
            xml.declaration()
            xml.element(root) { xml in
                xml.element("BytesScanned", scanned)
                xml.element("BytesProcessed", processed)
                xml.element("BytesReturned", returned)
            }
            return xml.bytes
        }
    }

    static func records(_ bytes: some Sequence<UInt8>) -> EventStreamMessage {
        EventStreamMessage(
            headers: [":message-type": "event", ":content-type": "application/octet-stream", ":event-type": "Records"],
            payload: Array(bytes))
    }

    /// A message that keeps the connection open while no records are found.
    static let `continue` = EventStreamMessage(headers: [":message-type": "event", ":event-type": "Cont"])

    static func progress(_ details: Details) -> EventStreamMessage {
        EventStreamMessage(
            headers: [":message-type": "event", ":content-type": "text/xml", ":event-type": "Progress"],
            payload: details.document("Progress"))
    }

    static func stats(_ details: Details) -> EventStreamMessage {
        EventStreamMessage(
            headers: [":message-type": "event", ":content-type": "text/xml", ":event-type": "Stats"], payload: details.document("Stats"))
    }

    static let end = EventStreamMessage(headers: [":message-type": "event", ":event-type": "End"])

    /// Returns the message that ends the stream after an error, instead of statistics and end.
    static func error(_ error: S3Error) -> EventStreamMessage {
        EventStreamMessage(
            headers: [":error-code": error.wireCode, ":error-message": error.message, ":message-type": "error"])
    }
}
