import Exchange

/// Why a query cannot be answered: told by the answer's status, or in its last frame where part of the answer has left.
/// (OSS API Reference, "SelectObject", error codes.)
struct SelectRefusal: Error, Equatable {
    enum Code: String {
        case csvExceedsMaxRowLength = "CsvExceedsMaxRowLength"
        case decompressFailure = "DecompressFailure"
        case invalidCommentCharacter = "InvalidCommentCharacter"
        case invalidCSVLine = "InvalidCsvLine"
        case invalidInputFieldDelimiter = "InvalidInputFieldDelimiter"
        case invalidInputQuote = "InvalidInputQuote"
        case invalidInputRecordDelimiter = "InvalidInputRecordDelimiter"
        case invalidJSONData = "InvalidJsonData"
        case invalidMaxSkippedRecordsAllowed = "InvalidMaxSkippedRecordsAllowed"
        case invalidOSSSelectParameters = "InvalidOSSSelectParameters"
        case invalidOutputFieldDelimiter = "InvalidOutputFieldDelimiter"
        case invalidOutputRecordDelimiter = "InvalidOutputRecordDelimiter"
        case invalidRange = "InvalidRange"
        case invalidSQLParameter = "InvalidSqlParameter"
        case nestedColumnNotSupportedInCSV = "NestedColumnNotSupportInCsv"
        case sqlExceedsMaxConditionDepth = "SqlExceedsMaxConditionDepth"
        case sqlExceedsMaxInCount = "SqlExceedsMaxInCount"
        case sqlExceedsMaxWildCardCount = "SqlExceedsMaxWildCardCount"
        case sqlInvalidColumnIndex = "SqlInvalidColumnIndex"
        case sqlInvalidColumnName = "SqlInvalidColumnName"
        case sqlInvalidEscapeCharacter = "SqlInvalidEscapeChar"
        case sqlInvalidLimitValue = "SqlInvalidLimitValue"
        case sqlSyntaxError = "SqlSyntaxError"
        case tableRootNodeOnlySupportedInJSON = "TableRootNodeOnlySupportInJson"
        case unsupportedCompressionFormat = "UnsupportedCompressionFormat"
        case wildCardNotAllowed = "WildCardNotAllowed"
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func syntax(_ message: String) -> SelectRefusal { SelectRefusal(.sqlSyntaxError, message) }
}

extension OSSError {
    init(_ refusal: SelectRefusal) {
        // The numbers of the causes: processing, a wrong statement, none, skipped records. (OSS User Guide, 0016-00000801 to 0016-00000836.)
        let subcode =
            switch refusal.code {
            case .invalidSQLParameter: "0016-00000823"
            case .invalidMaxSkippedRecordsAllowed: "0016-00000834"
            case _ where refusal.code.rawValue.hasPrefix("Sql"): "0016-00000803"
            default: "0016-00000801"
            }
        self.init(.invalidRequest, refusal.message, subcode: subcode)
        code = refusal.code.rawValue
    }
}
