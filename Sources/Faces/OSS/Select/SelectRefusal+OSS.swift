import Cloud
import HTTPTypes
import ObjectServing
import WireFormats

extension SelectRefusal.Code {
    /// The error code of OSS. (OSS API Reference, "SelectObject", error codes.)
    var wireCode: String {
        switch self {
        case .busy: "ActiveRequestLimitExceeded"
        case .csvExceedsMaxRowLength: "CsvExceedsMaxRowLength"
        case .decompressFailure: "DecompressFailure"
        case .invalidCommentCharacter: "InvalidCommentCharacter"
        case .invalidCSVLine: "InvalidCsvLine"
        case .invalidInputFieldDelimiter: "InvalidInputFieldDelimiter"
        case .invalidInputQuote: "InvalidInputQuote"
        case .invalidInputRecordDelimiter: "InvalidInputRecordDelimiter"
        case .invalidJSONData: "InvalidJsonData"
        case .invalidMaxSkippedRecordsAllowed: "InvalidMaxSkippedRecordsAllowed"
        case .invalidOSSSelectParameters: "InvalidOSSSelectParameters"
        case .invalidOutputFieldDelimiter: "InvalidOutputFieldDelimiter"
        case .invalidOutputRecordDelimiter: "InvalidOutputRecordDelimiter"
        case .invalidRange: "InvalidRange"
        case .invalidSQLParameter: "InvalidSqlParameter"
        case .nestedColumnNotSupportedInCSV: "NestedColumnNotSupportInCsv"
        case .sqlExceedsMaxConditionDepth: "SqlExceedsMaxConditionDepth"
        case .sqlExceedsMaxInCount: "SqlExceedsMaxInCount"
        case .sqlExceedsMaxWildCardCount: "SqlExceedsMaxWildCardCount"
        case .sqlInvalidColumnIndex: "SqlInvalidColumnIndex"
        case .sqlInvalidColumnName: "SqlInvalidColumnName"
        case .sqlInvalidEscapeCharacter: "SqlInvalidEscapeChar"
        case .sqlInvalidLimitValue: "SqlInvalidLimitValue"
        case .sqlSyntaxError: "SqlSyntaxError"
        case .tableRootNodeOnlySupportedInJSON: "TableRootNodeOnlySupportInJson"
        case .unsupportedCompressionFormat: "UnsupportedCompressionFormat"
        case .wildCardNotAllowed: "WildCardNotAllowed"
        }
    }
}

extension OSSError {
    init(_ refusal: SelectRefusal) {
        // `EC` numbers by cause. (OSS User Guide, 0016-00000801 to 0016-00000836.)
        let subcode =
            switch refusal.code {
            case .busy: "0004-00000601"
            case .invalidSQLParameter: "0016-00000823"
            case .invalidMaxSkippedRecordsAllowed: "0016-00000834"
            case _ where refusal.code.wireCode.hasPrefix("Sql"): "0016-00000803"
            default: "0016-00000801"
            }
        self.init(.invalidRequest, refusal.message, subcode: subcode)
        code = refusal.code.wireCode
        if refusal.code == .busy { (status, message) = (.serviceUnavailable, "Max active request limit is exceeded") }
    }
}
