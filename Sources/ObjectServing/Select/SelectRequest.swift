/// What a query reads and how its results are written.
package struct SelectRequest: Sendable {
    package enum Format: Sendable {
        case csv(CSVFormat)
        case json(isDocument: Bool, takesNumbersAsTexts: Bool)
    }

    package enum Compression: Sendable {
        case none, gzip, bzip2
    }

    package enum Output: Sendable {
        /// In the format of the object, each value as it is written there.
        case asWritten
        /// - Parameters:
        ///   - escape: stands before a quotation mark within a quoted field.
        ///   - quotesEverything: whether fields are quoted that need not be.
        case csv(quote: UInt8, escape: UInt8, quotesEverything: Bool)
        case json
    }

    package var format: Format
    package var compression = Compression.none
    /// The numbers of the lines that are wanted; all without.
    package var lines: ClosedRange<Int64>?
    package var output = Output.asWritten
    package var recordDelimiter = Array("\n".utf8)
    package var fieldDelimiter = Array(",".utf8)
    package var keepsAllColumns = false
    package var hasHeader = false
    /// Whether a record counts as skipped that lacks a column of the statement.
    package var skipsPartialRecords = false
    package var mostSkipped: Int64 = 0
    /// Whether the names of columns come from the object's first line, although a range begins behind it.
    package var readsHeaderBeforeRange = false
    /// Whether records must be UTF-8.
    package var checksText = false

    package init(_ format: Format) { self.format = format }
}
