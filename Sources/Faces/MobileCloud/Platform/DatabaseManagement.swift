import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/system/databaseManagement/tables[/{table}[/indexes[/{index}]]]`: lets team members create and delete tables.
/// (REST API for Oracle Mobile Cloud Service, "Database Management".)
struct DatabaseManagement {
    let call: MobileCall

    /// The longest definition in bytes.
    private static let longestBody = 1 << 20

    func respond() async throws -> Response {
        guard call.path.count >= 4, call.path[3] == "tables" else { throw unknownPath }
        let tables = call.cloud.mobileTables
        let name = call.path.dropFirst(4).first ?? ""
        do {
            switch (call.path.count, call.method) {
            case (4, .get):
                try await enter("GetTables")
                return .json(.array(try await tables.all().map { TableDescription.json($0.table, named: $0.name) }))
            case (4, .post):
                try await enter("CreateTable", makesTables: true)
                let (given, table) = try await definition()
                do {
                    try await tables.create(table, named: given)
                } catch let error as MobileTableError {
                    throw MobileError(error, table: given)
                }
                return .json(TableDescription.json(table, named: given, inOrder: true), status: .created)
            case (4, _): throw MobileError.methodNotAllowed(.get, .post)
            case (5, .get):
                try await enter("GetTable")
                return .json(TableDescription.json(try tables.table(name), named: name))
            case (5, .put):
                try await enter("ReplaceTable", makesTables: true)
                let (given, table) = try await definition(in: name)
                guard given == name else {
                    throw MobileError(.malformedRequest, "The body describes the table \(given), and the path names \(name).")
                }
                try await tables.replace(name, with: table)
                return .json(TableDescription.json(table, named: name, inOrder: true))
            case (5, .delete):
                try await enter("DeleteTable", makesTables: true)
                try await tables.drop(name)
                return Response(status: .noContent)
            case (5, _): throw MobileError.methodNotAllowed(.get, .put, .delete)
            case (6, .post) where call.path[5] == "indexes":
                try await enter("CreateIndex")
                let index = try TableDescription.index(try await call.json(upTo: Self.longestBody))
                try await tables.add(index, to: name)
                return .json(TableDescription.json(index), status: .created)
            case (6, _) where call.path[5] == "indexes": throw MobileError.methodNotAllowed(.post)
            case (7, .delete) where call.path[5] == "indexes":
                try await enter("DeleteIndex")
                try await tables.removeIndex(call.path[6], of: name)
                return Response(status: .noContent)
            case (7, _) where call.path[5] == "indexes": throw MobileError.methodNotAllowed(.delete)
            default: throw unknownPath
            }
        } catch let error as MobileTableError {
            throw MobileError(error, table: name)
        }
    }

    private var unknownPath: MobileError { MobileError(.unknownPath, "There is no API at \(call.http.path).") }

    /// - Parameter makesTables: whether the operation requires the environment's policy to allow creating and deleting tables.
    private func enter(_ operation: String, makesTables: Bool = false) async throws {
        try await call.enter(teamMemberWith: MobileTeamMember.databaseManagement, operation)
        guard makesTables else { return }
        let policy = call.mobile.environment.policies["Database_CreateTablesPolicy"]
        guard policy == "allow" || policy == "explicitOnly" else {
            throw MobileError(.forbidden, "The environment policy Database_CreateTablesPolicy is neither allow nor explicitOnly.")
        }
    }

    /// Returns the table that the body describes, and its name.
    /// - Parameter path: the name in the path, which the body may omit.
    private func definition(in path: String? = nil) async throws -> (String, MobileTable) {
        let predefined = try call.extraFields()
        let body = try await call.json(upTo: Self.longestBody)
        guard let name = body["name"] == nil ? path : body["name"]?.stringValue, !name.isEmpty else {
            throw MobileError(.malformedRequest, "The body must be a table: an object with its name and columns.")
        }
        do {
            return (name, try TableDescription.table(body, predefined: predefined))
        } catch let error as MobileTableError {
            throw MobileError(error, table: name)
        }
    }
}
