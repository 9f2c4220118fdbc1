import Calls
import HTTPTypes
import ServiceModels
import WireFormats

extension ForwardedCall {
    /// Returns the body for an upstream that also reads forms in bodies of other types, as moto does: `&Action=…` in a text of a document
    /// would be another call. Escapes keep the values of a document, and separate no fields.
    /// - Returns: `nil` for a body that stays as it is.
    func plainBody() throws(Refusal) -> [UInt8]? {
        switch wire {
        case .query, .ec2, .cbor: return nil
        case .json10, .json11: return body.escapingFormSeparators
        case .restJSON, .restXML: break
        }
        let type = (http.headers[.contentType] ?? "").lowercasedASCII
        guard !type.hasPrefix("multipart/") else { throw .unknown("Calls of \(service.name) are no forms.", in: wire) }
        if !operation.hasOpaqueBody { return body.escapingFormSeparators }
        guard Self.namesAction(body) else { return nil }
        guard (try? JSONValue(parsing: body)) != nil, let escaped = body.escapingFormSeparators else {
            throw .unknown("The body has an action. Virga does not forward a call that could be read in two ways.", in: wire)
        }
        return escaped
    }

    /// Whether a reader of forms finds an action in a body.
    private static func namesAction(_ body: [UInt8]) -> Bool {
        body.split(whereSeparator: { $0 == 0x26 || $0 == 0x3B }).contains { field in
            let name = field.prefix { $0 != 0x3D }
            // The name has six letters, each of which can be an escape.
            return name.count <= 18 && percentDecoded(String(decoding: name, as: UTF8.self)) == "Action"
        }
    }
}

extension [UInt8] {
    /// A document in JSON whose separators of forms are escaped; `nil` if it has none. They are only in its texts.
    var escapingFormSeparators: [UInt8]? {
        guard contains(where: { $0 == 0x26 || $0 == 0x3B }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 64)
        for byte in self {
            switch byte {
            case 0x26: bytes += Array("\\u0026".utf8)
            case 0x3B: bytes += Array("\\u003b".utf8)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
