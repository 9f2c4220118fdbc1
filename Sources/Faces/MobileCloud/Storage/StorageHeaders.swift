import Calls
import HTTPTypes
import WireFormats

// The headers that describe an object. (REST API for Oracle Mobile Cloud Service, "Return an Object".)
extension HTTPField.Name {
    static let displayName = HTTPField.Name(literal: "Oracle-Mobile-Name")
    static let createdBy = HTTPField.Name(literal: "Oracle-Mobile-Created-By")
    static let createdOn = HTTPField.Name(literal: "Oracle-Mobile-Created-On")
    static let modifiedBy = HTTPField.Name(literal: "Oracle-Mobile-Modified-By")
    static let modifiedOn = HTTPField.Name(literal: "Oracle-Mobile-Modified-On")
    static let canonicalLink = HTTPField.Name(literal: "Oracle-Mobile-Canonical-Link")
    static let syncAgent = HTTPField.Name(literal: "Oracle-Mobile-Sync-Agent")
    static let syncResourceType = HTTPField.Name(literal: "Oracle-Mobile-Sync-Resource-Type")
}

/// Encodes a text like ECMAScript's `encodeURI`; the SDKs decode it with `decodeURI`.
func encodedURI(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: encoded.unicodeScalars.append(Unicode.Scalar(byte))
        case _ where ";,/?:@&=+$-_.!~*'()#".utf8.contains(byte): encoded.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }
    return encoded
}
