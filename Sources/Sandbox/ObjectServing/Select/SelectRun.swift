import WireFormats

/// Runs a query over the bytes of an object, which arrive in chunks, and collects the output.
struct SelectRun: Sendable {
    /// The maximum size of a JSON value in the object, and of a record in the result, in bytes. (S3 User Guide, "Querying data in place with
    /// Amazon S3 Select", limits.)
    static let longestRecord = 1 << 20
    /// The size of the output in bytes at which a step ends.
    private static let fullOutput = 1 << 20

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
    /// Whether the appended bytes are the last ones.
    private var isLast = false
    /// A JSON value whose records have not all been evaluated, and the index of the next one. It is kept as text, because its nodes need
    /// much more memory.
    private var unfinished: (text: [UInt8], next: Int)?
    private let meter: SelectMeter
    /// The selected records that have not been taken yet.
    private(set) var output: [UInt8] = []
    /// Whether no further record can be selected.
    private(set) var isComplete = false

    /// Creates a run.
    /// - Parameters:
    ///   - lastStart: the last position at which a record may begin, relative to the first byte.
    ///   - isCutOff: whether the first bytes are the end of a record, which is skipped.
    ///   - header: the column names, if the bytes do not begin with them.
    ///   - meter: limits the evaluation of each record.
    /// - Throws: ``SelectRefusal`` for a statement that the format does not support.
    init(
        _ statement: SelectStatement, _ request: SelectRequest, lastStart: Int64 = .max, isCutOff: Bool = false,
        header: CSVHeader? = nil, meter: SelectMeter = SelectMeter()
    ) throws(SelectRefusal) {
        self.statement = statement
        self.meter = meter
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
            if format.header != .use { try CSVHeader([], for: statement).check(statement) }
            if let header { try header.check(statement) }
            // The header line was read separately, or is not in the range.
            if isCutOff, request.readsHeaderBeforeRange { line = 1 }
        case .json(_, let takesNumbersAsTexts):
            reader = .json(JSONReader(longest: Self.longestRecord, isCutOff: isCutOff), takesNumbersAsTexts: takesNumbersAsTexts)
        }
        if case .summary(_, let aggregates) = statement.output { accumulators = aggregates.map { SelectAccumulator($0) } }
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Evaluates the next bytes of the object completely.
    /// - Parameter isLast: whether these are the last bytes.
    /// - Throws: ``SelectRefusal``.
    mutating func take(_ bytes: some Sequence<UInt8>, isLast: Bool) throws(SelectRefusal) {
        append(bytes, isLast: isLast)
        while try !evaluate() {}
    }

    /// Adds the next bytes of the object.
    /// - Parameter isLast: whether these are the last bytes.
    mutating func append(_ bytes: some Sequence<UInt8>, isLast: Bool) {
        self.isLast = isLast
        switch reader {
        case .csv(var csv):
            csv.append(bytes)
            reader = .csv(csv)
        case .json(var json, let takesNumbersAsTexts):
            json.append(bytes)
            reader = .json(json, takesNumbersAsTexts: takesNumbersAsTexts)
        }
    }

    /// Evaluates records for a turn, or until there is much output.
    /// - Returns: whether all complete records of the appended bytes have been evaluated.
    /// - Throws: ``SelectRefusal``.
    mutating func evaluate() throws(SelectRefusal) -> Bool {
        let isDone: Bool
        switch reader {
        case .csv(var csv):
            defer { reader = .csv(csv) }
            isDone = try evaluate(&csv)
        case .json(var json, let takesNumbersAsTexts):
            defer { reader = .json(json, takesNumbersAsTexts: takesNumbersAsTexts) }
            isDone = try evaluate(&json, takesNumbersAsTexts: takesNumbersAsTexts)
        }
        guard isDone, isLast, !accumulators.isEmpty else { return isDone }
        meter.restart()
        do {
            try writer.write(SelectSummary(results: accumulators.map(\.result), meter: meter), into: &output)
        } catch {
            throw SelectRefusal(error, "The results cannot be written.")
        }
        accumulators = []
        return true
    }

    private mutating func evaluate(_ csv: inout CSVReader) throws(SelectRefusal) -> Bool {
        let end = ContinuousClock.now + SelectThreads.turn
        while !isComplete {
            // The end of a record outside the range belongs to the record's beginning.
            if csv.offset > lastStart { isComplete = true }
            guard !isComplete, let record = try csv.next(isLast: isLast) else { break }
            scanned = csv.offset
            if isCutOff { isCutOff = false } else { try take(record, csv.format) }
            if mustPause(at: end) { return false }
        }
        return true
    }

    private mutating func evaluate(_ json: inout JSONReader, takesNumbersAsTexts: Bool) throws(SelectRefusal) -> Bool {
        let end = ContinuousClock.now + SelectThreads.turn
        while !isComplete {
            if let (text, next) = unfinished {
                unfinished = nil
                try take(try JSONNode(parsing: text[...]), from: next, takesNumbersAsTexts: takesNumbersAsTexts)
            } else {
                guard let node = try json.next(isLast: isLast) else { break }
                guard json.beginning <= lastStart else {
                    isComplete = true
                    break
                }
                defer { line += 1 }
                if isWanted() { try take(node, from: 0, takesNumbersAsTexts: takesNumbersAsTexts) }
            }
            if unfinished != nil || mustPause(at: end) { return false }
        }
        return true
    }

    /// Evaluates the records of a JSON value for a turn.
    /// - Parameter first: the index of the first record that has not been evaluated.
    private mutating func take(_ node: JSONNode, from first: Int, takesNumbersAsTexts: Bool) throws(SelectRefusal) {
        let source = statement.source[...]
        let records: [JSONNode?] = statement.emitsMissing ? node.records(source) : node.nodes(source)
        // The turn begins after the parsing, so that each one makes progress.
        let end = ContinuousClock.now + SelectThreads.turn
        for index in first..<max(first, records.count) where !isComplete {
            let record = JSONRecord(node: records[index], takesNumbersAsTexts: takesNumbersAsTexts, meter: meter)
            try take(record) { (run, record) throws(SelectValue.Mismatch) in try run.writer.write(record, into: &run.output) }
            if index + 1 < records.count, mustPause(at: end) {
                unfinished = (node.written, index + 1)
                return
            }
        }
    }

    private func mustPause(at end: ContinuousClock.Instant) -> Bool { output.count >= Self.fullOutput || ContinuousClock.now >= end }

    private mutating func take(_ record: CSVRecord, _ format: CSVFormat) throws(SelectRefusal) {
        defer { line += 1 }
        if line == 0, format.header != .none {
            guard format.header == .use else { return }
            let header = CSVHeader((0..<record.fields.count).map { record.text($0) }, for: statement)
            try header.check(statement)
            self.header = header
            guard request.hasHeader, accumulators.isEmpty else { return }
            do { try writer.write(header, into: &output) } catch { throw SelectRefusal(error, "The column names are too long.") }
            return
        }
        guard isWanted() else { return }
        if request.checksText, String(validating: record.bytes, as: UTF8.self) == nil {
            let start = scanned - Int64(record.bytes.count)
            throw SelectRefusal(.invalidCSVLine, "The record is not UTF-8.", .invalidText(near: max(0, start)))
        }
        try take(CSVRow(record: record, header: header, meter: meter)) { (run, row) throws(SelectValue.Mismatch) in
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
        meter.restart()
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
            if error.cause == .complexity || error.cause == .stopped { throw SelectRefusal(error, "") }
            skipped += 1
            guard skipped <= request.mostSkipped else {
                throw SelectRefusal(error, "Line \(line) does not fit the statement, and no more records may be skipped.")
            }
            return
        }
        found += 1
        if found == statement.limit { isComplete = accumulators.isEmpty }
    }
}
