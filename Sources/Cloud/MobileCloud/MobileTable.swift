package import WireFormats

/// A table of the Database Access API, as its first rows made it. (REST API for Oracle Mobile Cloud Service, "Database Access".)
package struct MobileTable: Hashable, Sendable {
    /// The columns of the primary key, in their order; none for a table whose rows are known by ``Predefined/id``, or not at all.
    package private(set) var primaryKeys: [String]
    /// Kept by the service itself.
    package private(set) var predefined: Set<Predefined>
    /// What the others hold, by name; nothing until a row has a value.
    private var columns: [Column]
    /// The number of the next row.
    private(set) var next: Int64 = 1

    private struct Column: Hashable {
        var name: String
        var kind: Kind?
    }

    enum Kind: String, Sendable {
        case string, number, boolean
    }

    /// The columns that a table can have beside those of its rows.
    package enum Predefined: String, Hashable, Sendable, CaseIterable {
        case id, createdBy, createdOn, modifiedBy, modifiedOn
    }

    /// How rows that name a table that is not there want it.
    package struct Wish: Sendable {
        var primaryKeys: [String]
        var predefined: Set<Predefined>

        /// - Parameters:
        ///   - primaryKeys: `Oracle-Mobile-Primary-Keys`, none or up to four columns.
        ///   - predefined: `Oracle-Mobile-Extra-Fields`; all where it says nothing.
        package init(primaryKeys: [String], predefined: Set<Predefined>?) {
            self.primaryKeys = primaryKeys
            // A table has one or the other to tell its rows by.
            self.predefined = (predefined ?? Set(Predefined.allCases)).subtracting(primaryKeys.isEmpty ? [] : [.id])
        }
    }

    /// Characters that a text may have.
    static let longestText = 4000
    private static let mostPrimaryKeys = 4

    init(_ wish: Wish) throws(MobileTableError) {
        guard wish.primaryKeys.count <= Self.mostPrimaryKeys, Set(wish.primaryKeys).count == wish.primaryKeys.count else {
            throw .badPrimaryKeys
        }
        primaryKeys = wish.primaryKeys
        predefined = wish.predefined
        columns = wish.primaryKeys.map { Column(name: $0) }
    }

    /// How many values name a row; none where rows have no key.
    package var keyCount: Int { primaryKeys.isEmpty ? (predefined.contains(.id) ? 1 : 0) : primaryKeys.count }

    /// Whether rows are known by the number that the service gives them.
    package var isNumbered: Bool { primaryKeys.isEmpty && predefined.contains(.id) }

    package func has(column name: String) -> Bool {
        columns.contains { $0.name == name } || Predefined(rawValue: name).map(predefined.contains) == true
    }

    mutating func takeNumber() -> Int64 {
        defer { next += 1 }
        return next
    }

    /// Sees that the columns can hold a row's values, and adds those that are missing.
    /// - Parameter mayChange: whether columns are added.
    mutating func accommodate(_ row: JSONObject, mayChange: Bool) throws(MobileTableError) {
        for (name, value) in row.members where Predefined(rawValue: name).map(predefined.contains) != true {
            guard !name.isEmpty else { throw .badValue(column: name, "a column has a name") }
            let kind = try Self.kind(of: value, in: name)
            if let index = columns.firstIndex(where: { $0.name == name }) {
                guard let kind else { continue }
                guard columns[index].kind == nil || columns[index].kind == kind else {
                    throw .badValue(column: name, "the column holds values of type \(columns[index].kind?.rawValue ?? "")")
                }
                columns[index].kind = kind
            } else {
                guard mayChange else { throw .noSuchColumn(name) }
                columns.append(Column(name: name, kind: kind))
            }
        }
    }

    private static func kind(of value: JSONValue, in name: String) throws(MobileTableError) -> Kind? {
        switch value {
        case .null: return nil
        case .bool: return .boolean
        case .integer, .number: return .number
        case .string(let text):
            guard text.count <= longestText else { throw .badValue(column: name, "a text has at most \(longestText) characters") }
            return .string
        case .array, .object: throw .badValue(column: name, "a value is a text, a number, a truth value or null")
        }
    }

    /// What a row of the table is stored under: its number, or the values of its primary key.
    func key(of row: JSONObject) throws(MobileTableError) -> String {
        var texts: [String] = []
        for name in primaryKeys {
            guard let text = row[name]?.keyText else { throw .missingKey(column: name) }
            texts.append(text)
        }
        return Self.key(texts)
    }

    /// What the row is stored under that these values name.
    func key(named values: [String]) throws(MobileTableError) -> String {
        guard keyCount > 0 else { throw .noKey }
        guard values.count == keyCount else { throw .wrongKeyCount(keyCount) }
        guard isNumbered else { return Self.key(values) }
        guard let number = Int64(digits: values[0]), number > 0 else { throw .badValue(column: "id", "a row's id is a whole number") }
        return Self.key(number: number)
    }

    static func key(number: Int64) -> String {
        let digits = String(number)
        return "/" + String(repeating: "0", count: 19 - digits.utf8.count) + digits
    }

    private static func key(_ texts: [String]) -> String { texts.map { "/" + percentEncoded($0) }.joined() }
}

extension MobileTable {
    init?(json: JSONValue) {
        guard let columns = json["columns"]?.objectValue, let next = json["next"]?.integerValue,
            let primaryKeys = json["primaryKeys"]?.arrayValue, let predefined = json["predefined"]?.arrayValue
        else { return nil }
        self.columns = columns.members.map { Column(name: $0.name, kind: $0.value.stringValue.flatMap(Kind.init)) }
        self.primaryKeys = primaryKeys.compactMap(\.stringValue)
        self.predefined = Set(predefined.compactMap { $0.stringValue.flatMap(Predefined.init) })
        self.next = next
    }

    var json: JSONValue {
        [
            "columns": .object(JSONObject(columns.map { ($0.name, $0.kind.map { .string($0.rawValue) } ?? .null) })),
            "primaryKeys": .array(primaryKeys.map(JSONValue.string)),
            "predefined": .array(predefined.map(\.rawValue).sorted().map(JSONValue.string)), "next": .integer(next),
        ]
    }
}

/// Why rows are not read or written.
package enum MobileTableError: Error, Equatable {
    case noSuchTable
    case noSuchColumn(String)
    case noSuchRow
    /// A row with the same primary key is there already.
    case exists
    /// The rows of one request have different columns.
    case differentColumns
    case badValue(column: String, String)
    case missingKey(column: String)
    /// Too many columns, or one twice.
    case badPrimaryKeys
    /// The number of values that name a row of the table.
    case wrongKeyCount(Int)
    /// The table has neither primary key nor ids.
    case noKey
}

extension JSONValue {
    /// The value as a part of a key, or as a query names it; nothing for what cannot be in one.
    package var keyText: String? {
        switch self {
        case .string(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): number.description
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
