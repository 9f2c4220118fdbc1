package import WireFormats

/// A table of the Database APIs, created by its first rows or by a member of the team.
/// (REST API for Oracle Mobile Cloud Service, "Database Access", "Database Management".)
package struct MobileTable: Hashable, Sendable {
    /// The columns of the primary key, in order; empty for a table whose rows are identified by ``Predefined/id``, or not at all.
    package private(set) var primaryKeys: [String]
    /// The columns that the service itself maintains.
    package private(set) var predefined: Set<Predefined>
    /// The other columns.
    package private(set) var columns: [MobileColumn]
    /// The columns that must have a value in every row, other than those of the primary key.
    package private(set) var required: [String] = []
    /// The indexes, without that of the primary key.
    package private(set) var indexes: [MobileIndex] = []
    /// The number that the next row gets.
    private(set) var next: Int64 = 1

    /// The predefined columns of a table, which the service maintains.
    package enum Predefined: String, Hashable, Sendable, CaseIterable {
        case id, createdBy, createdOn, modifiedBy, modifiedOn
    }

    /// The options for creating a table when rows are inserted into one that does not exist.
    package struct Options: Sendable {
        var primaryKeys: [String]
        var predefined: Set<Predefined>

        /// - Parameters:
        ///   - primaryKeys: the columns in `Oracle-Mobile-Primary-Keys`, at most four.
        ///   - predefined: the columns in `Oracle-Mobile-Extra-Fields`; `nil` for all.
        package init(primaryKeys: [String], predefined: Set<Predefined>?) {
            self.primaryKeys = primaryKeys
            // Rows are identified by a primary key or by an id, not by both.
            self.predefined = (predefined ?? Set(Predefined.allCases)).subtracting(primaryKeys.isEmpty ? [] : [.id])
        }
    }

    private static let mostPrimaryKeys = 4

    init(_ options: Options) throws(MobileTableError) {
        guard options.primaryKeys.count <= Self.mostPrimaryKeys, Set(options.primaryKeys).count == options.primaryKeys.count else {
            throw .badPrimaryKeys
        }
        primaryKeys = options.primaryKeys
        predefined = options.predefined
        columns = options.primaryKeys.map { MobileColumn(name: $0) }
    }

    /// Creates a table from a definition.
    /// - Throws: ``MobileTableError``
    package init(columns: [MobileColumn], required: [String], as options: Options) throws(MobileTableError) {
        try self.init(options)
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
        for name in options.primaryKeys + required where !names.contains(name) { throw .noSuchColumn(name) }
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

    /// Removes an index.
    /// - Throws: ``MobileTableError/noSuchIndex(_:)``
    mutating func removeIndex(_ name: String) throws(MobileTableError) {
        guard let place = indexes.firstIndex(where: { $0.name == name }) else { throw .noSuchIndex(name) }
        indexes.remove(at: place)
    }

    /// The number of values that identify a row; 0 if rows have no key.
    package var keyCount: Int { primaryKeys.isEmpty ? (predefined.contains(.id) ? 1 : 0) : primaryKeys.count }

    /// Whether rows are identified by the number that the service assigns.
    package var isNumbered: Bool { primaryKeys.isEmpty && predefined.contains(.id) }

    /// Returns whether the table has a column with this exact name.
    package func has(column name: String) -> Bool {
        columns.contains { $0.name == name } || Predefined(rawValue: name).map(predefined.contains) == true
    }

    mutating func takeNumber() -> Int64 {
        defer { next += 1 }
        return next
    }

    /// Checks that the columns can store a row's values, and adds missing columns if this is allowed.
    /// - Parameter mayChange: whether columns can be added and enlarged.
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

    /// Checks that a row has values in all required columns.
    func checkComplete(_ row: JSONObject) throws(MobileTableError) {
        if let name = required.first(where: { (row[$0] ?? .null) == .null }) { throw .missingValue(column: name) }
    }

    /// Returns the storage key of a row: the values of its primary key.
    func key(of row: JSONObject) throws(MobileTableError) -> String {
        var texts: [String] = []
        for name in primaryKeys {
            guard let text = row[name]?.keyText else { throw .missingKey(column: name) }
            texts.append(text)
        }
        return Self.key(texts)
    }

    /// Returns the storage key of the row with these key values.
    func key(named values: [String]) throws(MobileTableError) -> String {
        guard keyCount > 0 else { throw .noKey }
        guard values.count == keyCount else { throw .wrongKeyCount(keyCount) }
        guard isNumbered else { return Self.key(values) }
        guard let number = Int64(digits: values[0]), number > 0 else { throw .badValue(column: "id", "an id must be a whole number") }
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

/// The reason why a request for rows or tables failed.
package enum MobileTableError: Error, Equatable {
    case noSuchTable
    case noSuchColumn(String)
    case noSuchRow
    /// There is already a row with the same primary key.
    case exists
    /// The rows of one request have different columns.
    case differentColumns
    case badValue(column: String, String)
    case missingKey(column: String)
    case missingValue(column: String)
    /// There are too many columns, or one occurs twice.
    case badPrimaryKeys
    /// A row is identified by this number of values, and the request has another number.
    case wrongKeyCount(Int)
    /// The table has neither a primary key nor ids.
    case noKey
    case tableExists
    case indexExists
    case noSuchIndex(String)
    /// The error in the definition of a table or an index, as a sentence.
    case badDefinition(String)
}

extension JSONValue {
    /// The value as a part of a key or of a query; `nil` for values that cannot be.
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
