import Seeds
import WireFormats

/// The subject name of a certificate in the syntax of RFC 4514, most specific part first.
///
/// Names are compared without regard to case and to blanks around parts. Attribute types may be given as short names or OIDs.
struct DistinguishedName: Hashable, Sendable {
    /// The parts of the name. A part may consist of several attributes in any order.
    private var parts: [Set<Attribute>] = [[]]

    private struct Attribute: Hashable {
        var type: String
        var value: String
    }

    /// - Returns: `nil` for a text that is not such a name.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        while true {
            guard let attribute = Self.readAttribute(&rest) else { return nil }
            parts[parts.count - 1].insert(attribute)
            switch rest.popFirst() {
            case nil: return
            case UInt8(ascii: ","): parts.append([])
            case UInt8(ascii: "+"): continue
            default: return nil
            }
        }
    }

    private static func readAttribute(_ rest: inout ArraySlice<UInt8>) -> Attribute? {
        guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let type = String(decoding: rest[..<equals], as: UTF8.self).uppercased().filter { $0 != " " }
        guard !type.isEmpty, type.utf8.allSatisfy(isTypeCharacter) else { return nil }
        rest = rest[equals...].dropFirst()
        guard let bytes = readValue(&rest), let value = String(validating: bytes, as: UTF8.self) else { return nil }
        // Runs of blanks count as one (RFC 4518 section 2.6.1).
        let words = value.lowercased().split(separator: " ")
        let number = type.hasPrefix("OID.") ? String(type.dropFirst(4)) : type
        return Attribute(type: shortNames[number] ?? number, value: words.joined(separator: " "))
    }

    private static func isTypeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Reads a value up to its delimiter. Characters are escaped with a backslash, or the value is quoted as in RFC 2253.
    private static func readValue(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        var isQuoted = false
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\\"):
                rest = rest.dropFirst()
                guard let escaped = readEscape(&rest) else { return nil }
                value.append(escaped)
                continue
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ","), UInt8(ascii: "+"):
                guard isQuoted else { return value }
                value.append(byte)
            default: value.append(byte)
            }
            rest = rest.dropFirst()
        }
        return isQuoted ? nil : value
    }

    /// Reads what follows a backslash: a character, or two hexadecimal digits.
    private static func readEscape(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        if let byte = [UInt8](hex: String(decoding: rest.prefix(2), as: UTF8.self)), byte.count == 1 {
            rest = rest.dropFirst(2)
            return byte[0]
        }
        return rest.popFirst()
    }

    /// Short names of attribute types that are accepted in addition to OIDs.
    /// (RFC 4514 section 3, RFC 4519; `E` and `S` as in Windows and Java.)
    private static let shortNames = [
        "2.5.4.3": "CN", "COMMONNAME": "CN", "2.5.4.5": "SERIALNUMBER", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "S": "ST",
        "2.5.4.9": "STREET", "2.5.4.10": "O", "2.5.4.11": "OU", "0.9.2342.19200300.100.1.25": "DC", "0.9.2342.19200300.100.1.1": "UID",
        "1.2.840.113549.1.9.1": "EMAILADDRESS", "E": "EMAILADDRESS",
    ]
}
