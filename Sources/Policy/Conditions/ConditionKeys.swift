/// The value of a condition key in a request.
package enum ConditionValues: Hashable, Sendable {
    case one(String)
    /// Of a key that is multivalued by nature, such as `aws:TagKeys`.
    case many([String])
    /// Of a key with one value by nature that has several all the same, as tags of RADOS Gateway can: each of them counts.
    case any([String])

    /// The values in order; never empty for a key that ``ConditionKeys`` has.
    package var all: [String] {
        switch self {
        case .one(let value): [value]
        case .many(let values), .any(let values): values
        }
    }
}

/// The condition keys of a request and their values; names are compared without regard to case.
///
/// A decision reads two or three of some thirty keys. So what is at hand already (claims and tags of a session) is a short list that is
/// scanned, and everything derived from the request (time, address, headers) comes from a closure that is asked only when a policy
/// mentions the key. Nothing is formatted for a policy that does not ask.
package struct ConditionKeys: Sendable {
    private var entries: [(key: String, values: ConditionValues)] = []
    private let derived: (@Sendable (String) -> ConditionValues?)?

    /// Keys that are computed when a policy asks; the closure receives the lower-cased name and must answer the same for the same name.
    package init(derived: (@Sendable (_ lowercasedKey: String) -> ConditionValues?)? = nil) {
        self.derived = derived
    }

    /// The keys that `known` has been set to, and others that are computed when a policy asks.
    package init(_ known: ConditionKeys, derived: @escaping @Sendable (_ lowercasedKey: String) -> ConditionValues?) {
        entries = known.entries
        self.derived = derived
    }

    /// Sets a key to one value; nil removes it.
    package mutating func set(_ key: String, to value: String?) {
        set(key, to: value.map { .one($0) })
    }

    /// Sets a key to a list of values, which may be empty; an empty list counts as a missing key.
    package mutating func set(_ key: String, to values: [String]) {
        set(key, to: .many(values))
    }

    /// Sets a key to what it has; nil removes it.
    package mutating func set(_ key: String, to values: ConditionValues?) {
        let key = Self.folded(key)
        if entries.isEmpty { entries.reserveCapacity(8) } else { entries.removeAll { $0.key == key } }
        if let values { entries.append((key, values)) }
    }

    /// The values of a key, nil when the request does not have it. The name must be lower-cased.
    subscript(key: String) -> ConditionValues? {
        var values: ConditionValues?
        if let index = entries.firstIndex(where: { $0.key == key }) {
            values = entries[index].values
        } else {
            values = derived?(key)
        }
        switch values {
        case .many(let list)?, .any(let list)?: return list.isEmpty ? nil : values
        case .one?, nil: return values
        }
    }

    /// What the request has of the keys that are set and of those that `names` asks for besides, each once, in order of name.
    /// - Parameter names: spelled as the answer is to spell them; a key that is set and not among them is lower-cased.
    package func values(named names: [String]) -> [(name: String, values: [String])] {
        var spelled = Dictionary(entries.map { ($0.key, $0.key) }) { first, _ in first }
        for name in names { spelled[Self.folded(name)] = name }
        return spelled.sorted { $0.value < $1.value }.compactMap { key, name in self[key].map { (name, $0.all) } }
    }

    /// A name in the spelling used for lookup.
    static func folded(_ key: String) -> String {
        var key = key
        return key.withUTF8 { $0.contains { 0x41...0x5A ~= $0 || $0 >= 0x80 } } ? key.lowercased() : key
    }
}
