import Cloud
import ObjectServing
import WireFormats

extension S3Error {
    init(_ refusal: SelectRefusal) {
        switch refusal.detail {
        case .grammar(let grammar)?: self.init(SelectErrorCode(grammar))
        case .evaluation(let mismatch)?: self.init(SelectErrorCode(mismatch.cause))
        case .notCompressed?:
            let name = refusal.message.contains("GZIP") ? "GZIP" : "BZIP2"
            self.init(
                .invalidCompressionFormat, "\(name) is not applicable to the queried object. Please correct the request and try again.")
        case .quotedRecordDelimiter?: self.init(.csvEscapingRecordDelimiter)
        case .unescapedQuote?: self.init(.csvUnescapedQuote)
        case .invalidText?: self.init(.invalidTextEncoding)
        case .unsupportedRange?: self.init(.unsupportedScanRangeInput)
        case .tooLong?: self.init(.expressionTooLong)
        case .ambiguousColumn?: self.init(.ambiguousFieldName)
        case .recordTooLong?: self.init(.overMaxRecordSize)
        case nil where refusal.code == .busy: self.init(Code.serviceUnavailable)
        case nil: self.init(SelectErrorCode(refusal.code))
        }
    }
}

extension SelectErrorCode {
    fileprivate init(_ code: SelectRefusal.Code) {
        self =
            switch code {
            case .busy, .sqlExceedsMaxConditionDepth, .sqlExceedsMaxInCount: .maxOperatorsExceeded
            case .csvExceedsMaxRowLength: .overMaxRecordSize
            case .decompressFailure: .truncatedInput
            case .invalidCSVLine: .csvParsingError
            case .invalidJSONData: .jsonParsingError
            case .invalidRange: .invalidScanRange
            case .invalidSQLParameter: .expressionTooLong
            case .nestedColumnNotSupportedInCSV: .invalidKeyPath
            case .sqlExceedsMaxWildCardCount: .likeInvalidInputs
            case .sqlInvalidColumnIndex: .invalidColumnIndex
            case .sqlInvalidColumnName: .missingHeaders
            case .sqlInvalidEscapeCharacter: .evaluatorLikePatternInvalidEscapeSequence
            case .sqlInvalidLimitValue: .parseExpectedNumber
            case .sqlSyntaxError: .parseUnexpectedToken
            case .tableRootNodeOnlySupportedInJSON: .unsupportedSQLStructure
            case .unsupportedCompressionFormat: .invalidCompressionFormat
            case .wildCardNotAllowed: .parseInvalidContextForWildcard
            case .invalidCommentCharacter, .invalidInputFieldDelimiter, .invalidInputQuote, .invalidInputRecordDelimiter,
                .invalidMaxSkippedRecordsAllowed, .invalidOSSSelectParameters, .invalidOutputFieldDelimiter, .invalidOutputRecordDelimiter:
                .invalidRequestParameter
            }
    }

    fileprivate init(_ grammar: SelectRefusal.Grammar) {
        self =
            switch grammar {
            case .invalidCharacter: .lexerInvalidChar
            case .invalidLiteral: .lexerInvalidLiteral
            case .invalidIonLiteral: .lexerInvalidIONLiteral
            case .notSelect: .unsupportedSQLOperation
            case .emptySelect: .parseEmptySelect
            case .missingFrom: .parseSelectMissingFrom
            case .unsupportedTable: .invalidTableAlias
            case .asteriskNotAlone: .parseAsteriskIsNotAlone
            case .wildcardInSelectList: .parseInvalidContextForWildcard
            case .starInCall: .parseUnsupportedCallWithStar
            case .aggregateArity: .parseNonUnaryAggregateFunctionCall
            case .misplacedAggregate: .unsupportedSQLStructure
            case .tooManyColumns: .overMaxColumn
            case .keyword: .parseExpectedKeyword
            case .tokenType: .parseExpectedTokenType
            case .typeName: .parseExpectedTypeName
            case .expression: .parseExpectedExpression
            case .alias: .parseExpectedIdentForAlias
            case .datePart: .parseExpectedDatePart
            case .member: .parseInvalidPathComponent
            case .number: .parseExpectedNumber
            case .whenClause: .parseExpectedWhenClause
            case .leftParenthesisOfCast: .parseExpectedLeftParenAfterCast
            case .leftParenthesis: .parseExpectedLeftParenBuiltinFunctionCall
            case .rightParenthesis: .parseExpectedRightParenBuiltinFunctionCall
            case .argumentDelimiter: .parseExpectedArgumentDelimiter
            case .castArity: .parseCastArity
            case .token: .parseUnexpectedToken
            case .unexpectedKeyword: .parseUnexpectedKeyword
            case .operator: .parseUnexpectedOperator
            case .term: .parseUnexpectedTerm
            case .groupBy: .parseExpectedIdentForGroupName
            case .join: .parseMalformedJoin
            case .multipleSources: .multipleDataSourcesUnsupported
            case .likePattern: .likeInvalidInputs
            case .function: .unsupportedFunction
            case .functionArity: .evaluatorInvalidArguments
            case .negativeLimit: .evaluatorNegativeLimit
            }
    }

    fileprivate init(_ cause: SelectValue.Mismatch.Cause) {
        self =
            switch cause {
            case .type: .invalidDataType
            case .cast: .castFailed
            case .division, .nestedOutput: .externalEvalException
            case .argument: .incorrectSQLFunctionArgumentType
            case .illegalArgument: .illegalSQLFunctionArgument
            case .ambiguousColumn: .ambiguousFieldName
            case .timestamp: .valueParseFailure
            case .timestampPattern: .evaluatorInvalidTimestampFormatPatternSymbol
            case .timestampPatternToken: .evaluatorUnterminatedTimestampFormatPatternToken
            case .length: .overMaxRecordSize
            case .complexity, .stopped: .maxOperatorsExceeded
            }
    }
}
