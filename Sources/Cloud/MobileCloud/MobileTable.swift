package import WireFormats

/// A table of the Database APIs, as its first rows made it or a member of the team.
/// (REST API for Oracle Mobile Cloud Service, "Database Access", "Database Management".)
package struct MobileTable: Hashable, Sendable {
    /// The columns of the primary key, in their order; none for a table whose rows are known by ``Predefined/id``, or not at all.
    package private(set) var primaryKeys: [String]
    /// Kept by the service itself.
    package private(set) var predefined: Set<Predefined>
    /// The others.
    package private(set) var columns: [MobileColumn]
    /// The columns in which every row has a value, beside those of the primary key.
    package private(set) var required: [String] = []
    /// The indexes, without the one of the primary key.
    package private(set) var indexes: [MobileIndex] = []
    /// The number of the next row.
    private(set) var next: Int64 = 1

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

    private static let mostPrimaryKeys = 4

    init(_ wish: Wish) throws(MobileTableError) {
        guard wish.primaryKeys.count <= Self.mostPrimaryKeys, Set(wish.primaryKeys).count == wish.primaryKeys.count else {
            throw .badPrimaryKeys
        }
        primaryKeys = wish.primaryKeys
        predefined = wish.predefined
        columns = wish.primaryKeys.map { MobileColumn(name: $0) }
    }

    /// A table as somebody defines it.
    /// - Throws: ``MobileTableError``
    package init(columns: [MobileColumn], required: [String], as wish: Wish) throws(MobileTableError) {
        try self.init(wish)
        self.columns = columns
        self.required = required
        guard !columns.isEmpty || !predefined.isEmpty else { throw .badDefinition("The table has no column.") }
        guard columns.allSatisfy({ !$0.name.isEmpty }) else { throw .badDefinition("A column has no name.") }
        var names: Set<String> = []
        for column in columns {
            guard Predefined(rawValue: column.name).map(predefined.contains) != true else {
                throw .badDefinition("The service itself adds the column \(column.name), unless Oracle-Mobile-Extra-Fields says otherwise.")
            }
            guard names.insert(column.name).inserted else { throw .badDefinition("There are two columns \(column.name).") }
        }
        for name in wish.primaryKeys + required where !names.contains(name) { throw .noSuchColumn(name) }
    }

    /// Adds an index.
    /// - Throws: ``MobileTableError``
    mutating func add(_ index: MobileIndex) throws(MobileTableError) {
        guard !index.name.isEmpty, !index.columns.isEmpty, Set(index.columns).count == index.columns.count else {
            throw .badDefinition("An index has a name and one or more different columns.")
        }
        if let unknown = index.columns.first(where: { !has(column: $0) }) { throw .noSuchColumn(unknown) }
        guard !indexes.contains(where: { $0.name == index.name }) else { throw .indexExists }
        indexes.append(index)
    }

    /// - Throws: ``MobileTableError/noSuchIndex(_:)``
    mutating func removeIndex(_ name: String) throws(MobileTableError) {
        guard let place = indexes.firstIndex(where: { $0.name == name }) else { throw .noSuchIndex(name) }
        indexes.remove(at: place)
    }

    /// How many values name a row; none where rows have no key.
    package var keyCount: Int { primaryKeys.isEmpty ? (predefined.contains(.id) ? 1 : 0) : primaryKeys.count }

    /// Whether rows are known by the number that the service gives them.
    package var isNumbered: Bool { primaryKeys.isEmpty && predefined.contains(.id) }

    /// Whether the table has a column, by its name without regard to case.
    package func has(column name: String) -> Bool {
        columns.contains { $0.name == name } || Predefined(rawValue: name).map(predefined.contains) == true
    }

    mutating func takeNumber() -> Int64 {
        defer { next += 1 }
        return next
    }

    /// Sees that the columns can hold a row's values, and adds those that are missing.
    /// - Parameter mayChange: whether columns are added, and grow.
    mutating func accommodate(_ row: JSONObject, mayChange: Bool) throws(MobileTableError) {
        for (name, value) in row.members where Predefined(rawValue: name).map(predefined.contains) != true {
            guard !name.isEmpty else { throw .badValue(column: name, "a column has a name") }
            if let index = columns.firstIndex(where: { $0.name == name }) {
                try columns[index].accommodate(value, mayChange: mayChange)
            } else {
                guard mayChange else { throw .noSuchColumn(name) }
                var column = MobileColumn(name: name)
                try column.accommodate(value, mayChange: true)
                columns.append(column)
            }
        }
    }

    /// Sees that a row, as it is to be kept, has what every row has.
    func checkComplete(_ row: JSONObject) throws(MobileTableError) {
        if let name = required.first(where: { (row[$0] ?? .null) == .null }) { throw .missingValue(column: name) }
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
        self.columns = columns.members.map { MobileColumn(name: $0.name, json: $0.value) }
        required = json["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        indexes = (json["indexes"]?.arrayValue ?? []).compactMap { index in
            index["name"]?.stringValue.map { name in
                MobileIndex(name: name, columns: index["columns"]?.arrayValue?.compactMap(\.stringValue) ?? [])
            }
        }
        self.primaryKeys = primaryKeys.compactMap(\.stringValue)
        self.predefined = Set(predefined.compactMap { $0.stringValue.flatMap(Predefined.init) })
        self.next = next
    }

    var json: JSONValue {
        [
            "columns": .object(JSONObject(columns.map { ($0.name, $0.json) })), "required": .array(required.map(JSONValue.string)),
            "indexes": .array(
                indexes.map { ["name": .string($0.name), "columns": .array($0.columns.map(JSONValue.string))] }),
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
    case missingValue(column: String)
    /// Too many columns, or one twice.
    case badPrimaryKeys
    /// The number of values that name a row of the table.
    case wrongKeyCount(Int)
    /// The table has neither primary key nor ids.
    case noKey
    case tableExists
    case indexExists
    case noSuchIndex(String)
    /// What is wrong with the definition of a table or an index, in a sentence.
    case badDefinition(String)
}

extension JSONValue {
    /// The value as a part of a key, or as a query names it; `nil` for what cannot be in one.
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
