import Calls
import Cloud
import HTTPTypes
import WireFormats

// Shared by the two Database APIs.

extension MobileCall {
    /// Returns the columns that the service maintains in a new table (`Oracle-Mobile-Extra-Fields`); `nil` if the header is missing.
    func extraFields() throws(MobileError) -> Set<MobileTable.Predefined>? {
        guard let names = try names(in: .extraFields) else { return nil }
        var predefined: Set<MobileTable.Predefined> = []
        for name in names where name != "none" {
            guard let column = MobileTable.Predefined(rawValue: name), !names.contains("none") else {
                throw MobileError(
                    .malformedRequest,
                    "Oracle-Mobile-Extra-Fields names some of \(MobileTable.Predefined.allCases.map(\.rawValue).joined(separator: ", "))"
                        + ", or none.")
            }
            predefined.insert(column)
        }
        return predefined
    }

    /// Returns the names that a header lists. They may be percent-encoded.
    func names(in header: HTTPField.Name) throws(MobileError) -> [String]? {
        guard let value = http.headers[header] else { return nil }
        guard let text = percentDecoded(value) else { throw MobileError(.malformedRequest, "\(header.rawName) is not well encoded.") }
        return text.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
}

extension MobileError {
    init(_ error: MobileTableError, table: String) {
        self =
            switch error {
            case .noSuchTable: MobileError(.unknownResource, "There is no table \(table).")
            case .noSuchColumn(let name): MobileError(.malformedRequest, "The table \(table) has no column \(name).")
            case .noSuchRow: MobileError(.unknownResource, "The table \(table) has no row with this id.")
            case .exists: MobileError(.conflict, "The table \(table) has a row with this primary key.")
            case .differentColumns: MobileError(.malformedRequest, "The rows have different columns.")
            case .badValue(let column, let reason): MobileError(.malformedRequest, "The value of \(column): \(reason).")
            case .missingKey(let column): MobileError(.malformedRequest, "A row has no value of \(column), which is a primary key.")
            case .missingValue(let column): MobileError(.malformedRequest, "A row has no value of \(column), which is required.")
            case .badPrimaryKeys: MobileError(.malformedRequest, "A primary key has one to four different columns.")
            case .wrongKeyCount(let count): MobileError(.malformedRequest, "The key of a row of \(table) has \(count) values.")
            case .noKey: MobileError(.malformedRequest, "The table \(table) has no key.")
            case .tableExists: MobileError(.conflict, "The table \(table) already exists.")
            // The text of the reference.
            case .indexExists: MobileError(.conflict, "The index already exists. To modify the index, delete it and then create it again.")
            case .noSuchIndex(let name): MobileError(.unknownResource, "The table \(table) has no index \(name).")
            case .badDefinition(let reason): MobileError(.malformedRequest, reason)
            }
    }
}

extension HTTPField.Name {
    fileprivate static let extraFields = HTTPField.Name(literal: "Oracle-Mobile-Extra-Fields")
}
