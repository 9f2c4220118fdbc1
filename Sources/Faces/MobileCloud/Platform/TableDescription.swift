import Cloud
import WireFormats

/// The JSON of tables and indexes that team members read and write.
enum TableDescription {
    /// - Parameter inOrder: whether the columns of the primary key are in key order, as in a definition. Readers get alphabetical order.
    static func json(_ table: MobileTable, named name: String, inOrder: Bool = false) -> JSONValue {
        let keys = table.isNumbered ? ["id"] : table.primaryKeys
        let columns = self.columns(of: table)
        let required = Set(keys + table.required)
        var json: JSONObject = [
            "name": .string(name), "primaryKeys": .array((inOrder ? keys : keys.sorted()).map(JSONValue.string)),
            "requiredColumns": .array(columns.map(\.name).filter(required.contains).map(JSONValue.string)),
            "columns": .array(columns.map { .object($0.json) }),
        ]
        if !table.indexes.isEmpty { json["indexes"] = .array(table.indexes.map { self.json($0) }) }
        return .object(json)
    }

    static func json(_ index: MobileIndex) -> JSONValue {
        ["name": .string(index.name), "columns": .array(index.columns.map(JSONValue.string))]
    }

    /// - Throws: `MobileTableError`, ``MobileError``
    static func table(_ json: JSONValue, predefined: Set<MobileTable.Predefined>?) throws -> MobileTable {
        guard json.objectValue != nil else { throw MobileError(.malformedRequest, "The body must be an object.") }
        let columns = try (list(json["columns"], "columns") { $0.objectValue }).map(column)
        let keys = try list(json["primaryKeys"], "primaryKeys") { $0.stringValue }
        let required = try list(json["requiredColumns"], "requiredColumns") { $0.stringValue }
        return try MobileTable(columns: columns, required: required, as: .init(primaryKeys: keys, predefined: predefined))
    }

    /// - Throws: ``MobileError``
    static func index(_ json: JSONValue) throws -> MobileIndex {
        guard let name = json["name"]?.stringValue else {
            throw MobileError(.malformedRequest, "The body must be an index: an object with its name and columns.")
        }
        return MobileIndex(name: name, columns: try list(json["columns"], "columns") { $0.stringValue })
    }

    private struct Column {
        var name: String
        var json: JSONObject

        init(_ name: String, _ type: MobileColumn.Kind, size: Int? = nil, subSize: Int? = nil) {
            self.name = name
            json = ["name": .string(name)]
            if let size { json["size"] = .integer(Int64(size)) }
            if let subSize { json["subSize"] = .integer(Int64(subSize)) }
            json["type"] = .string(type.rawValue)
        }
    }

    /// Returns the columns of a table. The row ID is first, the user who last changed the row is last.
    private static func columns(of table: MobileTable) -> [Column] {
        let own = table.columns.map { Column($0.name, $0.type ?? .string, size: $0.size, subSize: $0.subSize) }
        let kept = MobileTable.Predefined.allCases.filter(table.predefined.contains)
        return kept.filter { $0 == .id }.map { Column($0.rawValue, .decimal) } + own
            + kept.filter { $0 != .id }.map { Column($0.rawValue, $0.isTime ? .dateTime : .string) }
    }

    private static func column(_ json: JSONObject) throws -> MobileColumn {
        guard let name = json["name"]?.stringValue else { throw MobileError(.malformedRequest, "A column has no name.") }
        guard let type = json["type"]?.stringValue.flatMap(MobileColumn.Kind.init) else {
            let known = MobileColumn.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw MobileError(.malformedRequest, "The type of the column \(name) must be one of \(known).")
        }
        func number(_ member: String) throws -> Int? {
            guard let value = json[member], value != .null else { return nil }
            guard let number = value.integerValue else {
                throw MobileError(.malformedRequest, "The \(member) of the column \(name) must be an integer.")
            }
            return Int(number)
        }
        return try MobileColumn(name: name, type: type, size: try number("size"), subSize: try number("subSize"))
    }

    /// Returns the elements of a list member; `nil` if there is none.
    private static func list<Element>(
        _ value: JSONValue?, _ member: String, _ read: (JSONValue) -> Element?
    ) throws -> [Element] {
        guard let value, value != .null else { return [] }
        let elements = value.arrayValue?.compactMap(read)
        guard let elements, elements.count == value.arrayValue?.count else {
            throw MobileError(.malformedRequest, "The member \(member) must be a list of values of its type.")
        }
        return elements
    }
}

extension MobileTable.Predefined {
    fileprivate var isTime: Bool { self == .createdOn || self == .modifiedOn }
}
