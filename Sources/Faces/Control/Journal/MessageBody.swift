import ControlDocuments
import WireFormats

/// The body of a request or response in JSON: as text if it is UTF-8, otherwise in base64.
struct MessageBody {
    /// The first bytes.
    var start: [UInt8]
    /// The number of all bytes.
    var total: Int64

    var document: Document<MessageBodyMembers> {
        let text = text
        return Document {
            [$0.bytes(total), $0.truncated(Int64(start.count) < total), $0.text(text), $0.base64(text == nil ? start.base64 : nil)]
        }
    }

    /// The bytes as text, without a character that is cut at the end; `nil` if they are not UTF-8.
    private var text: String? {
        if let text = String(validating: start, as: UTF8.self) { return text }
        guard Int64(start.count) < total else { return nil }
        for dropped in 1...3 where dropped < start.count {
            if let text = String(validating: start.dropLast(dropped), as: UTF8.self) { return text }
        }
        return nil
    }
}
