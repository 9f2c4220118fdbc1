import WireFormats

/// One `${…}` of a value: an escaped character or a variable.
struct VariableReference {
    enum Meaning {
        case character(UInt8)
        case variable(PolicyVariable)
    }

    var meaning: Meaning
    /// The index after the closing brace.
    var end: Int

    /// Parses the reference that starts with `${` at `start`.
    init(_ bytes: [UInt8], at start: Int) throws(MalformedVariable) {
        let malformed = MalformedVariable(text: String(decoding: bytes[start...], as: UTF8.self))
        let inside = bytes[(start + 2)...]
        if let character = inside.first, "*?$".utf8.contains(character), inside.dropFirst().first == UInt8(ascii: "}") {
            meaning = .character(character)
            end = start + 4
            return
        }
        guard let stop = inside.firstIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: ",") }) else { throw malformed }
        let name = String(decoding: inside[..<stop], as: UTF8.self)
        guard Condition.isKey(name) else { throw malformed }
        var position = stop
        var fallback: String?
        if bytes[stop] == UInt8(ascii: ",") {
            position = inside[(stop + 1)...].firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.count
            guard position < bytes.count, bytes[position] == UInt8(ascii: "'"),
                let quote = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "'"))
            else { throw malformed }
            fallback = String(decoding: bytes[(position + 1)..<quote], as: UTF8.self)
            position = bytes[(quote + 1)...].firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.count
            guard position < bytes.count, bytes[position] == UInt8(ascii: "}") else { throw malformed }
        }
        meaning = .variable(PolicyVariable(key: ConditionKeys.folded(name), fallback: fallback))
        end = position + 1
    }
}
