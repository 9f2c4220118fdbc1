import WireFormats

/// Runs a query over the bytes of an object, which arrive in chunks, and collects the output.
struct SelectRun: Sendable {
    /// The maximum size of a document in bytes. Documents are parsed as a whole.
    private static let longestDocument = 64 << 20
    static let longestLine = 1 << 20

    private enum Reader: Sendable {
        case csv(CSVReader)
        case json(JSONReader, takesNumbersAsTexts: Bool)
    }

    private let statement: SelectStatement
    /// For CSV from the middle of an object: the last position at which a record may begin, and whether the first record is incomplete.
    private var (lastStart, isCutOff): (Int64, Bool)
    private let request: SelectRequest
    private var reader: Reader
    private var accumulators: [SelectAccumulator] = []
    /// The column names from the first line of CSV.
    private var header: CSVHeader?
    private let writer: SelectWriter
    private var line: Int64 = 0
    /// The number of bytes before the next CSV record.
    private var scanned: Int64 = 0
    private var found = 0
    private var skipped: Int64 = 0
    /// The selected records that have not been taken yet.
    private(set) var output: [UInt8] = []
    /// Whether no further record can be selected.
    private(set) var isComplete = false

    /// Creates a run.
    /// - Parameters:
    ///   - lastStart: the last position at which a record may begin, relative to the first byte.
    ///   - isCutOff: whether the first bytes are the end of a record, which is skipped.
    ///   - header: the column names, if the bytes do not begin with them.
    /// - Throws: ``SelectRefusal`` for a statement that the format does not support.
    init(
        _ statement: SelectStatement, _ request: SelectRequest, lastStart: Int64 = .max, isCutOff: Bool = false,
        header: CSVHeader? = nil
    ) throws(SelectRefusal) {
        self.statement = statement
        (self.lastStart, self.isCutOff) = (lastStart, isCutOff)
        self.request = request
        self.header = header
        writer = SelectWriter(request, statement)
        switch request.format {
        case .csv(let format):
            guard statement.source.isEmpty else { throw SelectRefusal(.tableRootNodeOnlySupportedInJSON, "The table of CSV is ossobject.") }
            guard statement.columns.allSatisfy({ $0.path.count == 1 }) else {
                throw SelectRefusal(.nestedColumnNotSupportedInCSV, "CSV has no nested columns.")
            }
            reader = .csv(CSVReader(format))
            if format.header != .use { try CSVHeader([]).check(statement) }
            if let header { try header.check(statement) }
            // The header line was read separately, or is not in the range.
            if isCutOff, request.readsHeaderBeforeRange { line = 1 }
        case .json(let isDocument, let takesNumbersAsTexts):
            reader = .json(
                JSONReader(longest: isDocument ? Self.longestDocument : Self.longestLine, isCutOff: isCutOff),
                takesNumbersAsTexts: takesNumbersAsTexts)
        }
        if case .summary(_, let aggregates) = statement.output { accumulators = aggregates.map { SelectAccumulator($0) } }
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Processes the next bytes of the object.
    /// - Parameter isLast: whether these are the last bytes.
    /// - Throws: ``SelectRefusal``.
    mutating func take(_ bytes: some Sequence<UInt8>, isLast: Bool) throws(SelectRefusal) {
        switch reader {
        case .csv(var csv):
            csv.append(bytes)
            while !isComplete {
                // The end of a record outside the range belongs to the record's beginning.
                if csv.offset > lastStart { isComplete = true }
                guard !isComplete, let record = try csv.next(isLast: isLast) else { break }
                scanned = csv.offset
                if isCutOff { isCutOff = false } else { try take(record, csv.format) }
            }
            reader = .csv(csv)
        case .json(var json, let takesNumbersAsTexts):
            json.append(bytes)
            while !isComplete, let node = try json.next(isLast: isLast) {
                guard json.beginning <= lastStart else {
                    isComplete = true
                    break
                }
                defer { line += 1 }
                guard isWanted() else { continue }
                let source = statement.source[...]
                let records: [JSONNode?] = statement.emitsMissing ? node.records(source) : node.nodes(source)
                for record in records where !isComplete {
                    let record = JSONRecord(node: record, takesNumbersAsTexts: takesNumbersAsTexts)
                    try take(record) { (run, record) throws(SelectValue.Mismatch) in try run.writer.write(record, into: &run.output) }
                }
            }
            reader = .json(json, takesNumbersAsTexts: takesNumbersAsTexts)
        }
        guard isLast, !accumulators.isEmpty else { return }
        do { try writer.write(SelectSummary(results: accumulators.map(\.result)), into: &output) } catch {
            throw SelectRefusal(.invalidCSVLine, "The results cannot be written.", .evaluation(error))
        }
        accumulators = []
    }

    private mutating func take(_ record: CSVRecord, _ format: CSVFormat) throws(SelectRefusal) {
        defer { line += 1 }
        if line == 0, format.header != .none {
            guard format.header == .use else { return }
            let header = CSVHeader((0..<record.fields.count).map { record.text($0) })
            try header.check(statement)
            self.header = header
            if request.hasHeader, accumulators.isEmpty { writer.write(header, into: &output) }
            return
        }
        guard isWanted() else { return }
        if request.checksText, String(validating: record.bytes, as: UTF8.self) == nil {
            let start = scanned - Int64(record.bytes.count)
            throw SelectRefusal(.invalidCSVLine, "The record is not UTF-8.", .invalidText(near: max(0, start)))
        }
        try take(CSVRow(record: record, header: header)) { (run, row) throws(SelectValue.Mismatch) in
            try run.writer.write(row, into: &run.output)
        }
    }

    /// Whether the current line is requested.
    private mutating func isWanted() -> Bool {
        guard let lines = request.lines else { return true }
        if line > lines.upperBound { isComplete = true }
        return lines.contains(line)
    }

    /// Evaluates the condition for one record, and outputs or aggregates the record.
    private mutating func take<Record: SelectRecord>(
        _ record: Record, _ write: (inout SelectRun, Record) throws(SelectValue.Mismatch) -> Void
    ) throws(SelectRefusal) {
        guard found != statement.limit || !accumulators.isEmpty else { return isComplete = true }
        var isMissing = false
        do throws(SelectValue.Mismatch) {
            let isWanted = try statement.condition?.value(in: record, isMissing: &isMissing).truth() ?? (statement.condition == nil)
            guard isWanted else {
                if isMissing, request.skipsPartialRecords { throw SelectValue.Mismatch() }
                return
            }
            if accumulators.isEmpty {
                if case .columns(let columns) = statement.output {
                    for (column, _) in columns { _ = try record.value(of: column, isMissing: &isMissing) }
                }
            } else {
                var accumulators = accumulators
                for index in accumulators.indices { try accumulators[index].add(record, isMissing: &isMissing) }
                if !isMissing || !request.skipsPartialRecords { self.accumulators = accumulators }
            }
            if isMissing, request.skipsPartialRecords { throw SelectValue.Mismatch() }
            if accumulators.isEmpty { try write(&self, record) }
        } catch {
            skipped += 1
            guard skipped <= request.mostSkipped else {
                throw SelectRefusal(
                    .invalidCSVLine, "Line \(line) does not fit the statement, and no more records may be skipped.", .evaluation(error))
            }
            return
        }
        found += 1
        if found == statement.limit { isComplete = accumulators.isEmpty }
    }
}
