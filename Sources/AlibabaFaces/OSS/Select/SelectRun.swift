import WireFormats

/// A query on its way through an object: takes the object's bytes piece by piece and gives out what they answer.
struct SelectRun: Sendable {
    /// Bytes of a document, which is looked at as a whole, and of one of several values.
    private static let longestDocument = 64 << 20
    static let longestLine = 1 << 20

    private enum Reader: Sendable {
        case csv(CSVReader)
        case json(JSONReader, takesNumbersAsTexts: Bool)
    }

    private let statement: SelectStatement
    /// Of CSV from the middle of an object: where the last record begins, and whether the first one is cut off.
    private var (lastStart, isCutOff): (Int64, Bool)
    private let request: SelectRequest
    private var reader: Reader
    private var accumulators: [SelectAccumulator] = []
    /// Of CSV, from its first line.
    private var header: CSVHeader?
    private var line: Int64 = 0
    private var found = 0
    private var skipped: Int64 = 0
    /// What has been selected and not yet been taken.
    private(set) var output: [UInt8] = []
    /// Whether no record can add anything any more.
    private(set) var isComplete = false

    /// - Throws: ``SelectRefusal`` for a statement that does not fit the format.
    /// - Parameters:
    ///   - lastStart: the byte at which the last record may begin, from the first byte that is taken.
    ///   - isCutOff: whether what comes first is the end of a record, to be passed over.
    init(
        _ statement: SelectStatement, _ request: SelectRequest, lastStart: Int64 = .max, isCutOff: Bool = false
    ) throws(SelectRefusal) {
        self.statement = statement
        (self.lastStart, self.isCutOff) = (lastStart, isCutOff)
        self.request = request
        switch request.format {
        case .csv(let format):
            guard statement.source.isEmpty else { throw SelectRefusal(.tableRootNodeOnlySupportedInJSON, "The table of CSV is ossobject.") }
            guard statement.columns.allSatisfy({ $0.path.count == 1 }) else {
                throw SelectRefusal(.nestedColumnNotSupportedInCSV, "CSV has no columns within columns.")
            }
            reader = .csv(CSVReader(format))
            if format.header != .use { try CSVHeader([]).check(statement) }
        case .json(let isDocument, let takesNumbersAsTexts):
            reader = .json(
                JSONReader(longest: isDocument ? Self.longestDocument : Self.longestLine), takesNumbersAsTexts: takesNumbersAsTexts)
        }
        if case .aggregates(let aggregates) = statement.output { accumulators = aggregates.map { SelectAccumulator($0) } }
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Looks through the next bytes of the object.
    /// - Parameter isLast: whether nothing follows them.
    /// - Throws: ``SelectRefusal``.
    mutating func take(_ bytes: some Sequence<UInt8>, isLast: Bool) throws(SelectRefusal) {
        switch reader {
        case .csv(var csv):
            csv.append(bytes)
            while !isComplete {
                // The end of an earlier record begins where that began.
                if csv.offset > lastStart { isComplete = true }
                guard !isComplete, let record = try csv.next(isLast: isLast) else { break }
                if isCutOff { isCutOff = false } else { try take(record, csv.format) }
            }
            reader = .csv(csv)
        case .json(var json, let takesNumbersAsTexts):
            json.append(bytes)
            while !isComplete, let node = try json.next(isLast: isLast) {
                defer { line += 1 }
                guard isWanted() else { continue }
                for record in node.nodes(statement.source[...]) where !isComplete {
                    try take(JSONRecord(node: record, takesNumbersAsTexts: takesNumbersAsTexts)) { $0.write($1) }
                }
            }
            reader = .json(json, takesNumbersAsTexts: takesNumbersAsTexts)
        }
        guard isLast, !accumulators.isEmpty else { return }
        write(accumulators.map { (alias: $0.aggregate.alias, value: $0.result) })
        accumulators = []
    }

    private mutating func take(_ record: CSVRecord, _ format: CSVFormat) throws(SelectRefusal) {
        defer { line += 1 }
        if line == 0, format.header != .none {
            guard format.header == .use else { return }
            let header = CSVHeader((0..<record.fields.count).map { record.text($0) })
            try header.check(statement)
            self.header = header
            if request.hasHeader, accumulators.isEmpty { writeHeader(header) }
            return
        }
        guard isWanted() else { return }
        try take(CSVRow(record: record, header: header)) { $0.write($1) }
    }

    /// Whether the line is one of those that are asked for.
    private mutating func isWanted() -> Bool {
        guard let lines = request.lines else { return true }
        if line > lines.upperBound { isComplete = true }
        return lines.contains(line)
    }

    /// Weighs one record, and gives it out or counts it.
    private mutating func take<Record: SelectRecord>(
        _ record: Record, _ write: (inout SelectRun, Record) -> Void
    ) throws(SelectRefusal) {
        var isMissing = false
        do {
            let isWanted = try statement.condition?.value(in: record, isMissing: &isMissing).truth() ?? (statement.condition == nil)
            guard isWanted else {
                if isMissing, request.skipsPartialRecords { throw SelectValue.Mismatch() }
                return
            }
            if accumulators.isEmpty {
                if case .columns(let columns) = statement.output {
                    for (column, _) in columns { _ = record.value(of: column, isMissing: &isMissing) }
                }
            } else {
                var accumulators = accumulators
                for index in accumulators.indices { try accumulators[index].add(record, isMissing: &isMissing) }
                if !isMissing || !request.skipsPartialRecords { self.accumulators = accumulators }
            }
            if isMissing, request.skipsPartialRecords { throw SelectValue.Mismatch() }
        } catch {
            skipped += 1
            guard skipped <= request.mostSkipped else {
                throw SelectRefusal(.invalidCSVLine, "Line \(line) does not fit the statement, and no more records may be skipped.")
            }
            return
        }
        if accumulators.isEmpty { write(&self, record) }
        found += 1
        if found == statement.limit { isComplete = accumulators.isEmpty }
    }
}

// What is given out.
extension SelectRun {
    private mutating func writeHeader(_ header: CSVHeader) {
        guard case .columns(let columns) = statement.output, !request.keepsAllColumns else {
            return write(fields: header.names.map { Array($0.utf8) })
        }
        write(fields: columns.map { column, alias in Array((alias ?? header.index(of: column).map { header.names[$0] } ?? "").utf8) })
    }

    private mutating func write(fields: [some Sequence<UInt8>]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { output += request.fieldDelimiter }
            output += field
        }
        output += request.recordDelimiter
    }

    fileprivate mutating func write(_ row: CSVRow) {
        let all = row.record.fields.indices
        guard case .columns(let columns) = statement.output else { return write(fields: all.map { row.record.written($0) }) }
        let chosen = columns.map { row.index(of: $0.column) }
        if request.keepsAllColumns {
            write(fields: all.map { chosen.contains($0) ? row.record.written($0) : [] })
        } else {
            write(fields: chosen.map { $0.map { row.record.written($0) } ?? [] })
        }
    }

    fileprivate mutating func write(_ record: JSONRecord) {
        guard case .columns(let columns) = statement.output else {
            output += record.node.written + request.recordDelimiter
            return
        }
        var members: [[UInt8]] = []
        for (index, (column, alias)) in columns.enumerated() {
            guard let node = record.node.nodes(column.path[...]).first else { continue }
            var name = "_\(index + 1)"
            if case .name(let last)? = column.path.last { name = last }
            members.append(Array(JSONValue.string(alias ?? name).serialized().utf8) + [UInt8(ascii: ":")] + node.written)
        }
        output += Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8) + request.recordDelimiter
    }

    /// The results of aggregates.
    private mutating func write(_ results: [(alias: String?, value: SelectValue)]) {
        guard case .json = reader else { return write(fields: results.map { Array(($0.value.text ?? "").utf8) }) }
        let members = results.enumerated().map { index, result in
            let text =
                if case .timestamp = result.value { JSONValue.string(result.value.text ?? "").serialized() } else {
                    result.value.text ?? "null"
                }
            return "\(JSONValue.string(result.alias ?? "_\(index + 1)").serialized()):\(text)"
        }
        output += Array("{\(members.joined(separator: ","))}".utf8) + request.recordDelimiter
    }
}

/// The names of the columns of CSV.
struct CSVHeader: Sendable {
    let names: [String]
    private let indices: [String: Int]

    init(_ names: [String]) {
        self.names = names
        indices = Dictionary(names.enumerated().map { ($1.lowercased(), $0) }) { first, _ in first }
    }

    /// Which column is meant, in whatever case; also by its number.
    func index(of column: SelectStatement.Column) -> Int? {
        if case .name(let name)? = column.path.first, let index = indices[name.lowercased()] { return index }
        return column.number.map { $0 - 1 }
    }

    /// - Throws: `SqlInvalidColumnName` where the statement names a column that is not there.
    func check(_ statement: SelectStatement) throws(SelectRefusal) {
        for column in statement.columns where index(of: column) == nil {
            guard case .name(let name)? = column.path.first else { continue }
            throw SelectRefusal(.sqlInvalidColumnName, "The object has no column '\(name)'.")
        }
    }
}

/// A record of CSV with what its columns are called.
struct CSVRow: SelectRecord {
    let record: CSVRecord
    let header: CSVHeader?

    /// Which field is meant; nothing where the record has fewer.
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
}
