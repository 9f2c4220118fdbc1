import HTTPTypes

/// The fields that say of an object what its content does not. (REST API for Oracle Mobile Cloud Service, "Return an Object".)
enum StorageHeader {
    static let name = field("Oracle-Mobile-Name")
    static let createdBy = field("Oracle-Mobile-Created-By")
    static let createdOn = field("Oracle-Mobile-Created-On")
    static let modifiedBy = field("Oracle-Mobile-Modified-By")
    static let modifiedOn = field("Oracle-Mobile-Modified-On")
    static let canonicalLink = field("Oracle-Mobile-Canonical-Link")
    static let syncAgent = field("Oracle-Mobile-Sync-Agent")
    static let syncResourceType = field("Oracle-Mobile-Sync-Resource-Type")

    private static func field(_ name: StaticString) -> HTTPField.Name {
        guard let field = HTTPField.Name(name.description) else { preconditionFailure("\(name) is no field name") }
        return field
    }
}

/// Encodes a text as `encodeURI` of ECMAScript does, by whose counterpart the SDKs read it.
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
