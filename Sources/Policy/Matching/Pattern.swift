/// A value of a policy, split once into what must stand literally, wildcards, and policy variables.
///
/// Bytes are UTF-8, except that a pattern with `?` holds CESU-8 (each half of a surrogate pair as three bytes), because `?` stands for one
/// UTF-16 unit.
struct Pattern: Hashable, Sendable {
    enum Atom: Hashable, Sendable {
        case text([UInt8])
        /// `?`
        case one
        /// `*`
        case run
        /// `*` in one of the first fields of a resource of Alibaba Cloud, which reaches no further than the next colon
        case fieldRun
        case variable(PolicyVariable)
    }

    /// Which characters of a value have a meaning of their own.
    struct Syntax: OptionSet {
        let rawValue: Int
        /// `*` and `?`
        static let wildcards = Syntax(rawValue: 1)
        /// `${key}`, `${key, 'fallback'}` and the escapes `${*}`, `${?}`, `${$}`
        static let variables = Syntax(rawValue: 2)
        /// The value is lower-cased, for comparison without regard to case.
        static let foldsCase = Syntax(rawValue: 4)
        /// The value is a name `acs:<service>:<region>:<account>:<relative id>`, and a `*` in the fields before the last stays in its field,
        /// so that no relative id with colons can stand for another account's resource.
        static let acsFields = Syntax(rawValue: 8)
    }

    /// The value as written.
    var source: String
    private(set) var atoms: [Atom] = []
    private(set) var hasVariables = false
    private(set) var countsUnits = false

    /// Splits a value. Throws when a variable is not closed, has no key with a prefix, or a malformed fallback.
    init(_ source: String, syntax: Syntax) throws(MalformedVariable) {
        self.source = source
        countsUnits = syntax.contains(.wildcards) && source.utf8.contains(UInt8(ascii: "?"))
        let bytes = Array((syntax.contains(.foldsCase) ? source.lowercased() : source).utf8)
        var fieldsBefore = syntax.contains(.acsFields) && bytes.count(where: { $0 == UInt8(ascii: ":") }) >= 4 ? 4 : 0
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if syntax.contains(.variables), bytes[position...].starts(with: "${".utf8) {
                let reference = try VariableReference(bytes, at: position)
                position = reference.end
                switch reference.meaning {
                case .character(let character): text.append(character)
                case .variable(let variable):
                    flush(&text)
                    atoms.append(.variable(variable))
                    hasVariables = true
                }
                continue
            }
            position += 1
            switch byte {
            case UInt8(ascii: "*") where syntax.contains(.wildcards):
                flush(&text)
                let run = fieldsBefore > 0 ? Atom.fieldRun : .run
                if atoms.last != run { atoms.append(run) }
            case UInt8(ascii: "?") where syntax.contains(.wildcards):
                flush(&text)
                atoms.append(.one)
            default:
                if byte == UInt8(ascii: ":"), fieldsBefore > 0 { fieldsBefore -= 1 }
                text.append(byte)
            }
        }
        flush(&text)
    }

    /// A pattern made of atoms of another one.
    private init(source: String, atoms: [Atom], countsUnits: Bool) {
        self.source = source
        self.atoms = atoms
        self.countsUnits = countsUnits
    }

    private mutating func flush(_ text: inout [UInt8]) {
        guard !text.isEmpty else { return }
        atoms.append(.text(countsUnits ? CESU8.encoding(text) : text))
        text = []
    }

    /// The keys of the variables, lower-cased.
    var variableKeys: [String] {
        atoms.compactMap { if case .variable(let variable) = $0 { variable.key } else { nil } }
    }

    /// Whether the text before the first variable has five colons, as the Resource element asks.
    var variablesFollowFifthColon: Bool {
        var colons = 0
        for atom in atoms {
            switch atom {
            case .text(let bytes): colons += bytes.count { $0 == UInt8(ascii: ":") }
            case .variable: return colons >= 5
            case .one, .run, .fieldRun: break
            }
        }
        return true
    }

    /// The pattern with each variable replaced by the text it stands for, in which wildcards mean nothing; nil if one cannot be resolved.
    func resolved(in keys: ConditionKeys) -> Pattern? {
        guard hasVariables else { return self }
        var resolved: [Atom] = []
        resolved.reserveCapacity(atoms.count)
        for atom in atoms {
            guard case .variable(let variable) = atom else {
                resolved.append(atom)
                continue
            }
            guard let value = variable.value(in: keys) else { return nil }
            let bytes = Array(value.utf8)
            if !bytes.isEmpty { resolved.append(.text(countsUnits ? CESU8.encoding(bytes) : bytes)) }
        }
        return Pattern(source: source, atoms: resolved, countsUnits: countsUnits)
    }

    /// Whether the whole text fits once the variables without a value have one; false if every variable has a value.
    func fitsWithSomeValues(_ text: String, in keys: ConditionKeys) -> Bool {
        guard hasVariables, resolved(in: keys) == nil else { return false }
        let open = atoms.map { atom -> Atom in
            guard case .variable(let variable) = atom else { return atom }
            guard let value = variable.value(in: keys) else { return .run }
            let bytes = Array(value.utf8)
            return .text(countsUnits ? CESU8.encoding(bytes) : bytes)
        }
        return Pattern(source: source, atoms: open.filter { $0 != .text([]) }, countsUnits: countsUnits).matches(text, in: keys)
    }

    /// The pattern in the notation of a policy, for reading.
    var description: String {
        atoms.map { atom in
            switch atom {
            case .text(let bytes): String(decoding: bytes, as: UTF8.self)
            case .one: "?"
            case .run, .fieldRun: "*"
            case .variable(let variable): "${\(variable.key)}"
            }
        }.joined()
    }

    /// The parts between the first `count - 1` colons that stand literally; nil if there are fewer colons. Variables must be resolved.
    func fields(_ count: Int) -> [Pattern]? {
        var fields: [[Atom]] = [[]]
        for atom in atoms {
            guard case .text(let bytes) = atom else {
                fields[fields.count - 1].append(atom)
                continue
            }
            let pieces = bytes.split(separator: UInt8(ascii: ":"), maxSplits: count - fields.count, omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                if index > 0 { fields.append([]) }
                if !piece.isEmpty { fields[fields.count - 1].append(.text(Array(piece))) }
            }
        }
        guard fields.count == count else { return nil }
        return fields.map { Pattern(source: source, atoms: $0, countsUnits: countsUnits) }
    }
}

/// A `${` of a value does not begin a well-formed variable.
struct MalformedVariable: Error {
    var text: String
}

/// UTF-8 in which each half of a surrogate pair is a three-byte sequence of its own, so that every sequence is one UTF-16 unit.
enum CESU8 {
    static func encoding(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0xF0 }) else { return bytes }
        var encoded: [UInt8] = []
        for unit in String(decoding: bytes, as: UTF8.self).utf16 {
            switch unit {
            case 0..<0x80: encoded.append(UInt8(unit))
            case 0x80..<0x800: encoded += [0xC0 | UInt8(unit >> 6), 0x80 | UInt8(unit & 0x3F)]
            default: encoded += [0xE0 | UInt8(unit >> 12), 0x80 | UInt8(unit >> 6 & 0x3F), 0x80 | UInt8(unit & 0x3F)]
            }
        }
        return encoded
    }
}
