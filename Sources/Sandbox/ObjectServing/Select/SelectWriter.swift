import WireFormats

/// Writes selected records in the requested format.
struct SelectWriter: Sendable {
    private let request: SelectRequest
    private let statement: SelectStatement
    private let isJSON: Bool

    init(_ request: SelectRequest, _ statement: SelectStatement) {
        self.request = request
        self.statement = statement
        isJSON = if case .json = request.format { true } else { false }
    }

    /// Writes the column names of CSV.
    func write(_ header: CSVHeader, into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        guard case .columns(let columns) = statement.output, !request.keepsAllColumns else {
            return try write(fields: header.names.map { Array($0.utf8) }, into: &output)
        }
        try write(
            fields: columns.map { column, alias in Array((alias ?? header.index(of: column).map { header.names[$0] } ?? "").utf8) },
            into: &output)
    }

    func write(_ row: CSVRow, into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        guard case .asWritten = request.output else { return try writeValues(of: row, into: &output) }
        let all = row.record.fields.indices
        guard case .columns(let columns) = statement.output else {
            return try write(fields: all.map { row.record.written($0) }, into: &output)
        }
        let chosen = columns.map { row.index(of: $0.column) }
        if request.keepsAllColumns {
            let chosen = Set(chosen)
            try write(fields: all.map { chosen.contains($0) ? row.record.written($0) : [] }, into: &output)
        } else {
            try write(fields: chosen.map { $0.map { row.record.written($0) } ?? [] }, into: &output)
        }
    }

    func write(_ record: JSONRecord, into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        guard case .asWritten = request.output else {
            // In a whole object, numbers keep their digits.
            if case .json = request.output, case .everything = statement.output, let node = record.node, case .object = node.content {
                output += node.written + request.recordDelimiter
                return
            }
            return try writeValues(of: record, into: &output)
        }
        guard case .columns(let columns) = statement.output else {
            output += (record.node?.written ?? []) + request.recordDelimiter
            return
        }
        var members: [[UInt8]] = []
        var size = 0
        for (index, (column, alias)) in columns.enumerated() {
            guard let node = try record.node(of: column) else { continue }
            size += node.length
            try Self.check(size)
            members.append(Self.member(alias ?? Self.name(of: column, index), node.written))
        }
        try write(members: members, into: &output)
    }

    /// Writes the results of a statement's aggregates.
    func write(_ summary: SelectSummary, into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        guard case .summary(let expressions, _) = statement.output else { return }
        let results = try expressions.map { (one) throws(SelectValue.Mismatch) in
            var isMissing = false
            return (alias: one.alias, value: try one.expression.value(in: summary, isMissing: &isMissing))
        }
        switch request.output {
        case .asWritten where isJSON, .json:
            try write(members: results.enumerated().map { Self.member($1.alias ?? "_\($0 + 1)", Self.json($1.value)) }, into: &output)
        case .asWritten: try write(fields: results.map { Array(($0.value.text ?? "").utf8) }, into: &output)
        case .csv: try write(fields: try results.map { (result) throws(SelectValue.Mismatch) in try field(result.value) }, into: &output)
        }
    }
}

// Writing of values, regardless of the input format.
extension SelectWriter {
    private func writeValues(of record: some SelectRecord, into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        var values: [(name: String, value: SelectValue?, written: [UInt8]?)] = []
        var size = 0
        switch statement.output {
        case .everything: values = record.everything.map { (name: $0.name, value: $0.value, written: nil) }
        case .expressions(let expressions):
            for (index, (expression, alias)) in expressions.enumerated() {
                var isMissing = false
                let value = try expression.value(in: record, isMissing: &isMissing)
                size += value.length
                try Self.check(size)
                var name = "_\(index + 1)"
                var (isGone, written) = (false, [UInt8]?.none)
                if case .column(let column) = expression {
                    name = Self.name(of: column, index)
                    isGone = isMissing
                    if let record = record as? JSONRecord { written = try record.node(of: column)?.written }
                }
                values.append((name: alias ?? name, value: isGone ? nil : value, written: written))
            }
        case .columns, .summary: break
        }
        if case .json = request.output {
            try write(
                members: values.compactMap { value in value.value.map { Self.member(value.name, value.written ?? Self.json($0)) } },
                into: &output)
        } else {
            try write(fields: try values.map { (value) throws(SelectValue.Mismatch) in try field(value.value ?? .null) }, into: &output)
        }
    }

    /// Returns the name of a column without an alias: the last name of its path, or its position.
    private static func name(of column: SelectStatement.Column, _ index: Int) -> String { column.path.last?.text ?? "_\(index + 1)" }

    private static func json(_ value: SelectValue) -> [UInt8] {
        switch value {
        case .text(let text): Array(JSONValue.string(text).serialized().utf8)
        case .timestamp: Array(JSONValue.string(value.text ?? "").serialized().utf8)
        case .composite(let node): node.written
        case .null, .integer, .double, .boolean: Array((value.text ?? "null").utf8)
        }
    }

    private static func member(_ name: String, _ value: [UInt8]) -> [UInt8] {
        Array(JSONValue.string(name).serialized().utf8) + [UInt8(ascii: ":")] + value
    }

    /// Refuses a record that is longer than the service allows. (S3 User Guide, "Querying data in place with Amazon S3 Select", limits.)
    private static func check(_ size: Int) throws(SelectValue.Mismatch) {
        guard size <= SelectRun.longestRecord else { throw SelectValue.Mismatch(.length) }
    }

    private func write(members: [[UInt8]], into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        try Self.check(members.reduce(members.count + 1) { $0 + $1.count })
        output += Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8) + request.recordDelimiter
    }

    private func write(fields: [some Collection<UInt8>], into output: inout [UInt8]) throws(SelectValue.Mismatch) {
        try Self.check(fields.reduce(max(0, fields.count - 1) * request.fieldDelimiter.count) { $0 + $1.count })
        for (index, field) in fields.enumerated() {
            if index > 0 { output += request.fieldDelimiter }
            output += field
        }
        output += request.recordDelimiter
    }

    /// Returns a field of CSV, quoted if requested or necessary.
    /// - Throws: a mismatch for an array or object, which CSV cannot contain.
    private func field(_ value: SelectValue) throws(SelectValue.Mismatch) -> [UInt8] {
        if case .composite = value { throw SelectValue.Mismatch(.nestedOutput) }
        let text = Array((value.text ?? "").utf8)
        guard case .csv(let quote, let escape, let quotesEverything) = request.output else { return text }
        guard
            quotesEverything || text.contains(where: { $0 == quote || $0 == 0x0A || $0 == 0x0D || $0 == request.fieldDelimiter.first })
                || request.recordDelimiter.first.map({ text.contains($0) }) == true
        else { return text }
        var field = [quote]
        for byte in text {
            if byte == quote || byte == escape { field.append(escape) }
            field.append(byte)
        }
        return field + [quote]
    }
}
