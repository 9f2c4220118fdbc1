/// What a query reads and how its results are written.
package struct SelectRequest: Sendable {
    /// The format of the object.
    package enum Format: Sendable {
        case csv(CSVFormat)
        case json(isDocument: Bool, takesNumbersAsTexts: Bool)
    }

    /// How the object is compressed.
    package enum Compression: Sendable {
        case none, gzip, bzip2
    }

    /// The format of the result.
    package enum Output: Sendable {
        /// In the format of the object, each value as it is written there.
        case asWritten
        /// - Parameters:
        ///   - escape: stands before a quotation mark within a quoted field.
        ///   - quotesEverything: whether fields are quoted that need not be.
        case csv(quote: UInt8, escape: UInt8, quotesEverything: Bool)
        case json
    }

    /// The format of the object.
    package var format: Format
    /// How the object is compressed.
    package var compression = Compression.none
    /// The numbers of the lines that are wanted; all without.
    package var lines: ClosedRange<Int64>?
    /// The format of the result.
    package var output = Output.asWritten
    /// What ends a record of the result.
    package var recordDelimiter = Array("\n".utf8)
    /// What stands between the fields of the result.
    package var fieldDelimiter = Array(",".utf8)
    /// Whether all columns stay, empty where the query does not ask for them (OSS).
    package var keepsAllColumns = false
    /// Whether the result begins with the names of the columns (OSS).
    package var hasHeader = false
    /// Whether a record counts as skipped that lacks a column of the statement.
    package var skipsPartialRecords = false
    /// How many records that cannot be read are left out before the query fails (OSS).
    package var mostSkipped: Int64 = 0
    /// Whether the names of columns come from the object's first line, although a range begins behind it.
    package var readsHeaderBeforeRange = false
    /// Whether records must be UTF-8.
    package var checksText = false

    package init(_ format: Format) { self.format = format }
}
