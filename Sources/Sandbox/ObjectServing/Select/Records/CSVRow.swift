import WireFormats

/// The column names of CSV.
struct CSVHeader: Sendable {
    let names: [String]
    private let indices: [String: Int]
    private let exactIndices: [String: Int]
    /// Lowercase names that several columns have with different case.
    private let ambiguous: Set<String>

    /// - Parameter statement: the statement whose columns can be found; others need no place in memory.
    init(_ names: [String], for statement: SelectStatement) {
        self.names = names
        let wanted = Set(statement.columns.compactMap { $0.path.first?.text?.lowercased() })
        var (indices, exactIndices, spellings): ([String: Int], [String: Int], [String: Set<String>]) = ([:], [:], [:])
        for (index, name) in names.enumerated() {
            let key = name.lowercased()
            guard wanted.contains(key) else { continue }
            if indices[key] == nil { indices[key] = index }
            if exactIndices[name] == nil { exactIndices[name] = index }
            spellings[key, default: []].insert(name)
        }
        (self.indices, self.exactIndices) = (indices, exactIndices)
        ambiguous = Set(spellings.filter { $1.count > 1 }.keys)
    }

    /// Returns the index of a column by its case-insensitive name or by its number.
    func index(of column: SelectStatement.Column) -> Int? {
        switch column.path.first {
        case .name(let name)?, .anyCaseName(let name)?: if let index = indices[name.lowercased()] { return index }
        case .exactName(let name)?: if let index = exactIndices[name] { return index }
        default: return nil
        }
        return column.number.map { $0 - 1 }
    }

    /// Checks that the statement's columns exist.
    /// - Throws: `SqlInvalidColumnName` for a missing or ambiguous column.
    func check(_ statement: SelectStatement) throws(SelectRefusal) {
        for column in statement.columns {
            if case .anyCaseName(let name)? = column.path.first, ambiguous.contains(name.lowercased()) {
                throw SelectRefusal(.sqlInvalidColumnName, "The object has several columns '\(name)'.", .ambiguousColumn)
            }
            guard index(of: column) == nil, let name = column.path.first?.text else { continue }
            throw SelectRefusal(.sqlInvalidColumnName, "The object has no column '\(name)'.")
        }
    }
}

/// A record of CSV with its column names.
struct CSVRow: SelectRecord {
    let record: CSVRecord
    let header: CSVHeader?
    let meter: SelectMeter

    /// Returns the index of the field of a column; `nil` if the record has fewer fields.
    func index(of column: SelectStatement.Column) -> Int? {
        let index = header?.index(of: column) ?? column.number.map { $0 - 1 }
        return index.flatMap { record.fields.indices.contains($0) ? $0 : nil }
    }

    func value(of column: SelectStatement.Column, isMissing: inout Bool) -> SelectValue {
        guard let index = index(of: column) else {
            isMissing = true
            return .null
        }
        return .text(record.text(index))
    }

    var everything: [(name: String, value: SelectValue)] {
        record.fields.indices.map { index in
            (
                name: header.flatMap { $0.names.indices.contains(index) ? $0.names[index] : nil } ?? "_\(index + 1)",
                value: .text(record.text(index))
            )
        }
    }
}
