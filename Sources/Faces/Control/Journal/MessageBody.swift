import WireFormats

/// The body of a request or response in JSON: as text if it is UTF-8, otherwise in base64.
struct MessageBody {
    /// The first bytes.
    var start: [UInt8]
    /// The number of all bytes.
    var total: Int64

    var json: JSONValue {
        let isCut = Int64(start.count) < total
        var json: JSONObject = ["bytes": .integer(total), "truncated": .bool(isCut)]
        if let text = text { json["text"] = .string(text) } else { json["base64"] = .string(start.base64) }
        return .object(json)
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
