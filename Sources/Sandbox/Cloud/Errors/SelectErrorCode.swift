import HTTPTypes
import WireFormats

/// The error codes that only SelectObjectContent has.
/// (S3 API Reference, "Error responses", "List of SELECT Object Content error codes".)
package enum SelectErrorCode: ServiceErrorCode {
    case ambiguousFieldName
    case castFailed
    case csvEscapingRecordDelimiter
    case csvParsingError
    case csvUnescapedQuote
    case emptyRequestBody
    case evaluatorInvalidArguments
    case evaluatorInvalidTimestampFormatPatternSymbol
    case evaluatorLikePatternInvalidEscapeSequence
    case evaluatorNegativeLimit
    case evaluatorUnterminatedTimestampFormatPatternToken
    case expressionTooLong
    case externalEvalException
    case illegalSQLFunctionArgument
    case incorrectSQLFunctionArgumentType
    case invalidColumnIndex
    case invalidCompressionFormat
    case invalidDataType
    case invalidExpressionType
    case invalidFileHeaderInfo
    case invalidJSONType
    case invalidKeyPath
    case invalidQuoteFields
    case invalidRequestParameter
    case invalidScanRange
    case invalidTableAlias
    case invalidTextEncoding
    case jsonParsingError
    case lexerInvalidChar
    case lexerInvalidIONLiteral
    case lexerInvalidLiteral
    case likeInvalidInputs
    case maxOperatorsExceeded
    case missingHeaders
    case missingRequiredParameter
    case multipleDataSourcesUnsupported
    case objectSerializationConflict
    case overMaxColumn
    case overMaxRecordSize
    case parseAsteriskIsNotAlone
    case parseCastArity
    case parseEmptySelect
    case parseExpectedArgumentDelimiter
    case parseExpectedDatePart
    case parseExpectedExpression
    case parseExpectedIdentForAlias
    case parseExpectedIdentForGroupName
    case parseExpectedKeyword
    case parseExpectedLeftParenAfterCast
    case parseExpectedLeftParenBuiltinFunctionCall
    case parseExpectedNumber
    case parseExpectedRightParenBuiltinFunctionCall
    case parseExpectedTokenType
    case parseExpectedTypeName
    case parseExpectedWhenClause
    case parseInvalidContextForWildcard
    case parseInvalidPathComponent
    case parseMalformedJoin
    case parseNonUnaryAggregateFunctionCall
    case parseSelectMissingFrom
    case parseUnexpectedKeyword
    case parseUnexpectedOperator
    case parseUnexpectedTerm
    case parseUnexpectedToken
    case parseUnsupportedCallWithStar
    case truncatedInput
    case unsupportedFunction
    case unsupportedRangeHeader
    case unsupportedScanRangeInput
    case unsupportedSQLOperation
    case unsupportedSQLStructure
    case unsupportedStorageClass
    case valueParseFailure

    package var row: ServiceErrorRow {
        switch self {
        case .ambiguousFieldName:
            .init(
                "AmbiguousFieldName", .badRequest,
                "The field name matches to multiple fields in the file. Check the SQL expression and the file, and try again.")
        case .castFailed:
            .init("CastFailed", .badRequest, "An attempt to convert from one data type to another using CAST failed in the SQL expression.")
        case .csvEscapingRecordDelimiter:
            .init(
                "CSVEscapingRecordDelimiter", .badRequest,
                "A quoted record delimiter was found in the file. To allow quoted record delimiters, set AllowQuotedRecordDelimiter to 'TRUE'."
            )
        case .csvParsingError:
            .init("CSVParsingError", .badRequest, "An error occurred while parsing the CSV file. Check the file and try again.")
        case .csvUnescapedQuote:
            .init(
                "CSVUnescapedQuote", .badRequest,
                "An unescaped quote was found while parsing the CSV file. To allow quoted record delimiters, set AllowQuotedRecordDelimiter to 'TRUE'."
            )
        case .emptyRequestBody: .init("EmptyRequestBody", .badRequest, "The request body cannot be empty.")
        case .evaluatorInvalidArguments:
            .init(
                "EvaluatorInvalidArguments", .badRequest,
                "There is an incorrect number of arguments in the function call in the SQL expression.")
        case .evaluatorInvalidTimestampFormatPatternSymbol:
            .init(
                "EvaluatorInvalidTimestampFormatPatternSymbol", .badRequest,
                "The timestamp format pattern contains a symbol in the SQL expression that is not valid.")
        case .evaluatorLikePatternInvalidEscapeSequence:
            .init("EvaluatorLikePatternInvalidEscapeSequence", .badRequest, "An argument given to the LIKE expression was not valid.")
        case .evaluatorNegativeLimit: .init("EvaluatorNegativeLimit", .badRequest, "LIMIT must not be negative.")
        case .evaluatorUnterminatedTimestampFormatPatternToken:
            .init(
                "EvaluatorUnterminatedTimestampFormatPatternToken", .badRequest,
                "The timestamp format pattern contains an unterminated token in the SQL expression.")
        case .expressionTooLong:
            .init(
                "ExpressionTooLong", .badRequest, "The SQL expression is too long. The maximum byte-length for an SQL expression is 256 KB."
            )
        case .externalEvalException:
            .init("ExternalEvalException", .badRequest, "The query cannot be evaluated. Check the file and try again.")
        case .illegalSQLFunctionArgument:
            .init("IllegalSqlFunctionArgument", .badRequest, "An illegal argument was used in the SQL function.")
        case .incorrectSQLFunctionArgumentType:
            .init(
                "IncorrectSqlFunctionArgumentType", .badRequest,
                "An incorrect argument type was specified in a function call in the SQL expression.")
        case .invalidColumnIndex: .init("InvalidColumnIndex", .badRequest, "The column index in the SQL expression is not valid.")
        case .invalidCompressionFormat:
            .init(
                "InvalidCompressionFormat", .badRequest,
                "The file is not in a supported compression format. Only GZIP and BZIP2 are supported.")
        case .invalidDataType: .init("InvalidDataType", .badRequest, "The SQL expression contains a data type that is not valid.")
        case .invalidExpressionType:
            .init("InvalidExpressionType", .badRequest, "The ExpressionType value is not valid. Only SQL expressions are supported.")
        case .invalidFileHeaderInfo:
            .init("InvalidFileHeaderInfo", .badRequest, "The FileHeaderInfo value is not valid. Only NONE, USE, and IGNORE are supported.")
        case .invalidJSONType:
            .init("InvalidJsonType", .badRequest, "The JsonType value is not valid. Only DOCUMENT and LINES are supported.")
        case .invalidKeyPath: .init("InvalidKeyPath", .badRequest, "The key path in the SQL expression is not valid.")
        case .invalidQuoteFields:
            .init("InvalidQuoteFields", .badRequest, "The QuoteFields value is not valid. Only ALWAYS and ASNEEDED are supported.")
        case .invalidRequestParameter:
            .init(
                "InvalidRequestParameter", .badRequest,
                "The value of a parameter in the SelectRequest element is not valid. Check the service API documentation and try again.")
        case .invalidScanRange: .init("InvalidScanRange", .badRequest, "The provided scan range is not valid.")
        case .invalidTableAlias: .init("InvalidTableAlias", .badRequest, "The SQL expression contains a table alias that is not valid.")
        case .invalidTextEncoding:
            .init("InvalidTextEncoding", .badRequest, "The encoding type is not valid. Only UTF-8 encoding is supported.")
        case .jsonParsingError:
            .init("JSONParsingError", .badRequest, "An error occurred while parsing the JSON file. Check the file and try again.")
        case .lexerInvalidChar: .init("LexerInvalidChar", .badRequest, "The SQL expression contains a character that is not valid.")
        case .lexerInvalidIONLiteral:
            .init("LexerInvalidIONLiteral", .badRequest, "The SQL expression contains an operator that is not valid.")
        case .lexerInvalidLiteral: .init("LexerInvalidLiteral", .badRequest, "The SQL expression contains an operator that is not valid.")
        case .likeInvalidInputs:
            .init("LikeInvalidInputs", .badRequest, "The argument given to the LIKE clause in the SQL expression is not valid.")
        case .maxOperatorsExceeded:
            .init(
                "MaxOperatorsExceeded", .badRequest,
                "Failed to parse SQL expression, try reducing complexity. For example, reduce number of operators used.")
        // The message as observed in S3.
        case .missingHeaders:
            .init(
                "MissingHeaders", .badRequest, "Some headers in the query are missing from the file. Please check the file and try again.")
        case .missingRequiredParameter:
            .init(
                "MissingRequiredParameter", .badRequest,
                "The SelectRequest entity is missing a required parameter. Check the service documentation and try again.")
        case .multipleDataSourcesUnsupported:
            .init("MultipleDataSourcesUnsupported", .badRequest, "Multiple data sources are not supported.")
        case .objectSerializationConflict:
            .init(
                "ObjectSerializationConflict", .badRequest,
                "InputSerialization specifies more than one format (CSV, JSON, or Parquet), or OutputSerialization specifies more than one format (CSV or JSON). For InputSerialization and OutputSerialization, you can specify only one format for each."
            )
        case .overMaxColumn:
            .init(
                "OverMaxColumn", .badRequest, "The number of columns in the result is greater than the maximum allowable number of columns."
            )
        case .overMaxRecordSize:
            .init(
                "OverMaxRecordSize", .badRequest,
                "The length of a record in the input or result is greater than the maxCharsPerRecord limit of 1 MB.")
        case .parseAsteriskIsNotAlone:
            .init(
                "ParseAsteriskIsNotAloneInSelectList", .badRequest,
                "Other expressions are not allowed in the SELECT list when * is used without dot notation in the SQL expression.")
        case .parseCastArity: .init("ParseCastArity", .badRequest, "The SQL expression CAST has incorrect arity.")
        case .parseEmptySelect: .init("ParseEmptySelect", .badRequest, "The SQL expression contains an empty SELECT clause.")
        case .parseExpectedArgumentDelimiter:
            .init("ParseExpectedArgumentDelimiter", .badRequest, "The expected argument delimiter in the SQL expression was not found.")
        case .parseExpectedDatePart:
            .init("ParseExpectedDatePart", .badRequest, "The expected date part in the SQL expression was not found.")
        case .parseExpectedExpression: .init("ParseExpectedExpression", .badRequest, "The expected SQL expression was not found.")
        case .parseExpectedIdentForAlias:
            .init("ParseExpectedIdentForAlias", .badRequest, "The expected identifier for the alias in the SQL expression was not found.")
        case .parseExpectedIdentForGroupName:
            .init("ParseExpectedIdentForGroupName", .badRequest, "GROUP is not supported in the SQL expression.")
        case .parseExpectedKeyword: .init("ParseExpectedKeyword", .badRequest, "The expected keyword in the SQL expression was not found.")
        case .parseExpectedLeftParenAfterCast:
            .init(
                "ParseExpectedLeftParenAfterCast", .badRequest,
                "The expected left parenthesis after CAST in the SQL expression was not found.")
        case .parseExpectedLeftParenBuiltinFunctionCall:
            .init(
                "ParseExpectedLeftParenBuiltinFunctionCall", .badRequest,
                "The expected left parenthesis in the SQL expression was not found.")
        case .parseExpectedNumber: .init("ParseExpectedNumber", .badRequest, "The expected number in the SQL expression was not found.")
        case .parseExpectedRightParenBuiltinFunctionCall:
            .init(
                "ParseExpectedRightParenBuiltinFunctionCall", .badRequest,
                "The expected right parenthesis character in the SQL expression was not found.")
        case .parseExpectedTokenType:
            .init("ParseExpectedTokenType", .badRequest, "The expected token in the SQL expression was not found.")
        case .parseExpectedTypeName:
            .init("ParseExpectedTypeName", .badRequest, "The expected type name in the SQL expression was not found.")
        case .parseExpectedWhenClause:
            .init(
                "ParseExpectedWhenClause", .badRequest,
                "The expected WHEN clause in the SQL expression was not found. CASE is not supported.")
        case .parseInvalidContextForWildcard:
            .init(
                "ParseInvalidContextForWildcardInSelectList", .badRequest,
                "The use of * in the SELECT list in the SQL expression is not valid.")
        case .parseInvalidPathComponent:
            .init("ParseInvalidPathComponent", .badRequest, "The SQL expression contains a path component that is not valid.")
        case .parseMalformedJoin: .init("ParseMalformedJoin", .badRequest, "JOIN is not supported in the SQL expression.")
        case .parseNonUnaryAggregateFunctionCall:
            .init(
                "ParseNonUnaryAgregateFunctionCall", .badRequest,
                "Only one argument is supported for aggregate functions in the SQL expression.")
        case .parseSelectMissingFrom:
            .init("ParseSelectMissingFrom", .badRequest, "The SQL expression contains a missing FROM after the SELECT list.")
        case .parseUnexpectedKeyword: .init("ParseUnExpectedKeyword", .badRequest, "The SQL expression contains an unexpected keyword.")
        case .parseUnexpectedOperator: .init("ParseUnexpectedOperator", .badRequest, "The SQL expression contains an unexpected operator.")
        case .parseUnexpectedTerm: .init("ParseUnexpectedTerm", .badRequest, "The SQL expression contains an unexpected term.")
        case .parseUnexpectedToken: .init("ParseUnexpectedToken", .badRequest, "The SQL expression contains an unexpected token.")
        case .parseUnsupportedCallWithStar:
            .init("ParseUnsupportedCallWithStar", .badRequest, "Only COUNT with (*) as a parameter is supported in the SQL expression.")
        case .truncatedInput:
            .init(
                "TruncatedInput", .badRequest,
                "Object decompression failed. Check that the object is properly compressed using the format specified in the request.")
        case .unsupportedFunction: .init("UnsupportedFunction", .badRequest, "S3 encountered an unsupported SQL function.")
        case .unsupportedRangeHeader: .init("UnsupportedRangeHeader", .badRequest, "A range header is not supported for this operation.")
        case .unsupportedScanRangeInput:
            .init("UnsupportedScanRangeInput", .badRequest, "Scan range queries are not supported on this type of object.")
        case .unsupportedSQLOperation: .init("UnsupportedSqlOperation", .badRequest, "S3 encountered an unsupported SQL operation.")
        case .unsupportedSQLStructure:
            .init("UnsupportedSqlStructure", .badRequest, "S3 encountered an unsupported SQL structure. Check the SQL Reference.")
        case .unsupportedStorageClass:
            .init(
                "UnsupportedStorageClass", .badRequest,
                "The storage class is not supported. Only STANDARD, STANDARD_IA, and ONEZONE_IA storage classes are supported.")
        case .valueParseFailure: .init("ValueParseFailure", .badRequest, "A timestamp parse failure occurred in the SQL expression.")
        }
    }
}
