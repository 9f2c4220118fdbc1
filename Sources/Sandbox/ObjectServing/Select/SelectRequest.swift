/// The input and output formats of a query.
package struct SelectRequest: Sendable {
    /// The format of the object.
    package enum Format: Sendable {
        case csv(CSVFormat)
        case json(isDocument: Bool, takesNumbersAsTexts: Bool)
    }

    /// The compression of the object.
    package enum Compression: Sendable {
        case none, gzip, bzip2
    }

    /// The format of the result.
    package enum Output: Sendable {
        /// The format of the object, with each value unchanged.
        case asWritten
        /// CSV.
        /// - Parameters:
        ///   - escape: precedes a quotation mark in a quoted field.
        ///   - quotesEverything: whether all fields are quoted, including those that need not be.
        case csv(quote: UInt8, escape: UInt8, quotesEverything: Bool)
        case json
    }

    /// The format of the object.
    package var format: Format
    /// The compression of the object.
    package var compression = Compression.none
    /// The numbers of the lines to read; `nil` for all lines.
    package var lines: ClosedRange<Int64>?
    /// The format of the result.
    package var output = Output.asWritten
    /// The record delimiter of the result.
    package var recordDelimiter = Array("\n".utf8)
    /// The field delimiter of the result.
    package var fieldDelimiter = Array(",".utf8)
    /// Whether all columns are kept, with those empty that the query does not select (OSS).
    package var keepsAllColumns = false
    /// Whether the result begins with the column names (OSS).
    package var hasHeader = false
    /// Whether a record that lacks a column of the statement is skipped.
    package var skipsPartialRecords = false
    /// The number of invalid records that are skipped before the query fails (OSS).
    package var mostSkipped: Int64 = 0
    /// Whether column names are read from the object's first line even if a range begins after it.
    package var readsHeaderBeforeRange = false
    /// Whether records must be UTF-8.
    package var checksText = false

    package init(_ format: Format) { self.format = format }
}
