import WireFormats

/// The value of a condition key in a request.
package enum ConditionValues: Hashable, Sendable {
    case one(String)
    /// The values of a key that is multivalued by definition, such as `aws:TagKeys`.
    case many([String])
    /// The values of a single-valued key that has several nevertheless, as tags of RADOS Gateway can. Each of them counts.
    case any([String])
    /// A value that the request has but that cannot be known, such as the address of a client behind a proxy that does not report it. No
    /// condition on the key lets a statement allow something, and none keeps one from denying something.
    case unknown

    /// The values in order; never empty for a key that ``ConditionKeys`` has.
    package var all: [String] {
        switch self {
        case .unknown: ["unknown"]
        case .one(let value): [value]
        case .many(let values), .any(let values): values
        }
    }
}

/// The condition keys of a request and their values. Names are case-insensitive.
///
/// A decision reads two or three of some thirty keys. Values that are already available (claims and tags of a session) are in a short
/// list that is scanned. Values derived from the request (time, address, headers) come from a closure, which is called only if a policy
/// reads the key. Nothing is formatted for a policy that does not need it.
package struct ConditionKeys: Sendable {
    private var entries: [(key: String, values: ConditionValues)] = []
    private let derived: (@Sendable (String) -> ConditionValues?)?

    /// Creates keys that are computed on demand. The closure receives the lowercased name and must always return the same value for it.
    package init(derived: (@Sendable (_ lowercasedKey: String) -> ConditionValues?)? = nil) {
        self.derived = derived
    }

    /// Creates the keys that are set in `known`, and others that are computed on demand.
    package init(_ known: ConditionKeys, derived: @escaping @Sendable (_ lowercasedKey: String) -> ConditionValues?) {
        entries = known.entries
        self.derived = derived
    }

    /// Sets a key to one value; nil removes it.
    package mutating func set(_ key: String, to value: String?) {
        set(key, to: value.map { .one($0) })
    }

    /// Sets a key to a list of values. An empty list counts as a missing key.
    package mutating func set(_ key: String, to values: [String]) {
        set(key, to: .many(values))
    }

    /// Sets a key to its values; nil removes it.
    package mutating func set(_ key: String, to values: ConditionValues?) {
        let key = Self.folded(key)
        if entries.isEmpty { entries.reserveCapacity(8) } else { entries.removeAll { $0.key == key } }
        if let values { entries.append((key, values)) }
    }

    /// Sets keys to their values. Of names that differ in letter case only, the last one counts.
    ///
    /// It goes through the keys once, whatever their number, since the callers of a policy simulator send as many as they like.
    package mutating func set(_ list: some Sequence<(key: String, values: ConditionValues)>) {
        var places: TextDictionary<Int> = [:]
        for (place, entry) in entries.enumerated() { places[entry.key] = place }
        for (key, values) in list {
            let key = Self.folded(key)
            if let place = places[key] {
                entries[place].values = values
            } else {
                places[key] = entries.count
                entries.append((key, values))
            }
        }
    }

    /// The values of a key; nil if the request does not have it. The name must be lowercased.
    subscript(key: String) -> ConditionValues? {
        var values: ConditionValues?
        if let index = entries.firstIndex(where: { $0.key == key }) {
            values = entries[index].values
        } else {
            values = derived?(key)
        }
        switch values {
        case .many(let list)?, .any(let list)?: return list.isEmpty ? nil : values
        case .one?, .unknown?, nil: return values
        }
    }

    /// Returns the values of the keys that are set and of those in `names`, if the request has them; each once, sorted by name.
    /// - Parameter names: in the spelling of the result; a key that is set but not listed is lowercased.
    package func values(named names: [String]) -> [(name: String, values: [String])] {
        var spelled: TextDictionary<String> = [:]
        for entry in entries { spelled[entry.key] = entry.key }
        for name in names { spelled[Self.folded(name)] = name }
        return spelled.sorted { $0.value < $1.value }.compactMap { key, name in self[key].map { (name, $0.all) } }
    }

    /// Returns the keys that are set, and those in `names` with their present values. Nothing is computed on demand any more.
    /// - Parameter names: the names of keys, in any letter case.
    package func keeping(_ names: [String]) -> ConditionKeys {
        var kept = ConditionKeys()
        kept.entries = entries
        for key in names.map(Self.folded) where !kept.entries.contains(where: { $0.key == key }) {
            if let values = self[key] { kept.entries.append((key, values)) }
        }
        return kept
    }

    /// The keys that are set, in lowercase, sorted by name, with their values.
    package var all: [(name: String, values: ConditionValues)] {
        entries.filter { !$0.values.all.isEmpty }.map { ($0.key, $0.values) }.sorted { $0.name < $1.name }
    }

    /// Returns a name in the spelling used for lookup.
    static func folded(_ key: String) -> String {
        var key = key
        return key.withUTF8 { $0.contains { 0x41...0x5A ~= $0 || $0 >= 0x80 } } ? key.lowercased() : key
    }
}
