import WireFormats

/// A value of a policy, split once into literal text, wildcards, and policy variables.
///
/// Bytes are UTF-8, but a pattern with `?` contains CESU-8 (each half of a surrogate pair as three bytes), because `?` matches one
/// UTF-16 unit.
struct Pattern: Hashable, Sendable {
    enum Atom: Hashable, Sendable {
        case text([UInt8])
        /// `?`
        case one
        /// `*`
        case run
        /// `*` in one of the first fields of an Alibaba Cloud resource, which does not cross the next colon
        case fieldRun
        case variable(PolicyVariable)
    }

    /// The characters of a value that have a special meaning.
    struct Syntax: OptionSet {
        let rawValue: Int
        /// `*` and `?`
        static let wildcards = Syntax(rawValue: 1)
        /// `${key}`, `${key, 'fallback'}` and the escapes `${*}`, `${?}`, `${$}`
        static let variables = Syntax(rawValue: 2)
        /// The value is lowercased, for case-insensitive comparison.
        static let foldsCase = Syntax(rawValue: 4)
        /// The value is a name `acs:<service>:<region>:<account>:<relative id>`. A `*` in the fields before the last does not cross a
        /// colon,
        /// so that a relative id with colons cannot match another account's resource.
        static let acsFields = Syntax(rawValue: 8)
    }

    /// The value as written.
    var source: String
    private(set) var atoms: [Atom] = []
    private(set) var hasVariables = false
    private(set) var countsUnits = false

    /// Splits a value. Throws if a variable is not closed, has no key with a prefix, or has a malformed fallback.
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

    /// Creates a pattern from atoms of another one.
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

    /// The lowercased keys of the variables.
    var variableKeys: [String] {
        atoms.compactMap { if case .variable(let variable) = $0 { variable.key } else { nil } }
    }

    /// Whether all variables without a value in a request have one that is not known; false if every variable has a value.
    func isOpen(in keys: ConditionKeys) -> Bool {
        let missing = unresolvedKeys(in: keys)
        return !missing.isEmpty && missing.allSatisfy { if case .unknown? = keys[$0] { true } else { false } }
    }

    /// Whether the text before the first variable has five colons, as the Resource element requires.
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

    /// Returns the pattern with each variable replaced by its literal value; nil if one cannot be resolved.
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

    /// Returns whether the whole text would match for some values of the unresolved variables; false if every variable has a value.
    func fitsWithSomeValues(_ text: String, in keys: ConditionKeys) -> Bool {
        guard hasVariables, resolved(in: keys) == nil else { return false }
        return opened(in: keys).matches(text, in: keys)
    }

    /// Returns the pattern with each variable replaced by its literal value, or by `*` if it cannot be resolved.
    func opened(in keys: ConditionKeys) -> Pattern {
        let open = atoms.map { atom -> Atom in
            guard case .variable(let variable) = atom else { return atom }
            guard let value = variable.value(in: keys) else { return .run }
            let bytes = Array(value.utf8)
            return .text(countsUnits ? CESU8.encoding(bytes) : bytes)
        }
        return Pattern(source: source, atoms: open.filter { $0 != .text([]) }, countsUnits: countsUnits)
    }

    /// The pattern in the notation of a policy, for display.
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

    /// Splits the pattern at its first `count - 1` literal colons; nil if there are fewer. Variables must be resolved.
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

/// The error for a `${` that does not begin a well-formed variable.
struct MalformedVariable: Error {
    var text: String
}

/// UTF-8 in which each half of a surrogate pair is its own three-byte sequence, so that every sequence is one UTF-16 unit.
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
