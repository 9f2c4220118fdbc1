import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/platform/database/objects/{table}[/{key}…]`: reads and writes the rows of tables, for custom code only.
/// (REST API for Oracle Mobile Cloud Service, "Database Access".)
struct DatabaseAccess {
    let call: MobileCall

    /// The longest body of a request in bytes.
    private static let longestBody = 10 << 20

    func respond() async throws -> Response {
        guard call.path.count >= 5, call.path[3] == "objects" else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        let (table, key) = (call.path[4], Array(call.path.dropFirst(5)))
        do {
            switch (call.method, key.isEmpty) {
            case (.get, true):
                _ = try await call.enter(customCode: "GetRows")
                return try await rows(of: table)
            case (.get, false):
                _ = try await call.enter(customCode: "GetRow")
                return try row(of: table, key: key)
            case (.delete, false):
                _ = try await call.enter(customCode: "DeleteRow")
                return Self.response(try await call.cloud.mobileTables.delete(from: table, key: key))
            case (.post, true): return try await write(to: table, try await call.enter(customCode: "AddRows"))
            case (.put, true): return try await write(to: table, try await call.enter(customCode: "MergeRows"))
            case (_, true): throw MobileError.methodNotAllowed(.get, .post, .put)
            case (_, false): throw MobileError.methodNotAllowed(.get, .delete)
            }
        } catch let error as MobileTableError {
            throw MobileError(error, table: table)
        }
    }

    /// Returns the matching rows. Each parameter of the query except `fields` is a column with the required value.
    private func rows(of table: String) async throws -> Response {
        let filters = call.query.fields.filter { $0.name != "fields" }
        let fields = fields
        let limit = call.mobile.environment.policies["Database_MaxRows"].flatMap { UInt16(digits: $0) }.map(Int.init) ?? 1000
        let rows = try await call.cloud.mobileTables.rows(
            of: table, limit: limit, check: { try Self.check((fields ?? []) + filters.map(\.name), of: $0) },
            where: { row in filters.allSatisfy { Self.matches(row[$0.name] ?? .null, $0.value) } })
        return .json(["items": .array(rows.map { .object(Self.part(of: $0, fields)) })])
    }

    /// Returns an array with the row, or an empty one.
    private func row(of table: String, key: [String]) throws -> Response {
        let fields = fields
        let row = try call.cloud.mobileTables.row(of: table, key: key) { try Self.check(fields ?? [], of: $0) }
        return .json(["items": .array(row.map { [.object(Self.part(of: $0, fields))] } ?? [])])
    }

    private func write(to table: String, _ caller: MobileCaller) async throws -> Response {
        let rows = try await bodyRows()
        let policy = call.mobile.environment.policies["Database_CreateTablesPolicy"]
        let mayChange = policy == "allow" || policy == "implicitOnly"
        let author = MobileTables.Author(name: caller.name, time: call.http.received)
        let tables = call.cloud.mobileTables
        let options = MobileTable.Options(primaryKeys: try call.names(in: .primaryKeys) ?? [], predefined: try call.extraFields())
        let change =
            call.method == .post
            ? try await tables.insert(rows, into: table, mayChange: mayChange, as: options, by: author)
            : try await tables.merge(rows, into: table, mayChange: mayChange, as: options, by: author)
        return Self.response(change, status: call.method == .post ? .created : .ok)
    }

    /// Returns the rows of the body: one object, or an array of objects.
    private func bodyRows() async throws -> [JSONObject] {
        let bytes = try await call.http.collectBody(upTo: Self.longestBody)
        guard let value = try? JSONValue(parsing: bytes) else { throw MobileError(.malformedRequest, "The body must be JSON.") }
        let rows = (value.arrayValue ?? [value]).compactMap(\.objectValue)
        guard !rows.isEmpty, rows.count == value.arrayValue?.count ?? 1, rows.allSatisfy({ !$0.isEmpty }) else {
            throw MobileError(.malformedRequest, "The body must be a row (an object with a member for each column), or an array of rows.")
        }
        return rows
    }

    private var fields: [String]? { call.query.value("fields").map { $0.split(separator: ",").map(String.init) } }

    private static func check(_ columns: [String], of table: MobileTable) throws {
        if let unknown = columns.first(where: { !table.has(column: $0) }) { throw MobileTableError.noSuchColumn(unknown) }
    }

    private static func matches(_ value: JSONValue, _ wanted: String) -> Bool {
        if let number = value.numberValue { return number == Double(wanted) }
        return value.keyText == wanted
    }

    private static func part(of row: JSONObject, _ fields: [String]?) -> JSONObject {
        guard let fields else { return row }
        return JSONObject(fields.map { ($0, row[$0] ?? .null) })
    }

    private static func response(_ change: MobileTables.Change, status: HTTPResponse.Status = .ok) -> Response {
        switch change {
        case .numbered(let numbers): .json(["items": .array(numbers.map { ["id": .integer($0)] })], status: status)
        case .counted(let count): .json(["rowCount": .integer(Int64(count))], status: status)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let primaryKeys = HTTPField.Name(literal: "Oracle-Mobile-Primary-Keys")
}
