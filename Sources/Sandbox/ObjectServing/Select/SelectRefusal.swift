import WireFormats

/// The error of a query. Each face has its own codes for it.
package struct SelectRefusal: Error, Equatable {
    /// The kind of error.
    package enum Code: Sendable {
        /// There are too many queries at the same time.
        case busy
        case csvExceedsMaxRowLength
        case decompressFailure
        case invalidCommentCharacter
        case invalidCSVLine
        case invalidInputFieldDelimiter
        case invalidInputQuote
        case invalidInputRecordDelimiter
        case invalidJSONData
        case invalidMaxSkippedRecordsAllowed
        case invalidOSSSelectParameters
        case invalidOutputFieldDelimiter
        case invalidOutputRecordDelimiter
        case invalidRange
        case invalidSQLParameter
        case nestedColumnNotSupportedInCSV
        case sqlExceedsMaxConditionDepth
        case sqlExceedsMaxInCount
        case sqlExceedsMaxWildCardCount
        case sqlInvalidColumnIndex
        case sqlInvalidColumnName
        case sqlInvalidEscapeCharacter
        case sqlInvalidLimitValue
        case sqlSyntaxError
        case tableRootNodeOnlySupportedInJSON
        case unsupportedCompressionFormat
        case wildCardNotAllowed
    }

    /// The exact cause, for faces that distinguish it.
    package enum Detail: Hashable, Sendable {
        /// The object is not compressed in the specified format.
        case notCompressed
        case quotedRecordDelimiter
        case unescapedQuote
        /// The record that begins at this byte is not valid UTF-8.
        case invalidText(near: Int64)
        /// Scan ranges are only supported for formats whose records can be found from the middle of an object.
        case unsupportedRange
        /// The statement is longer than the service allows.
        case tooLong
        case ambiguousColumn
        /// A record of the object or of the result is longer than the service allows.
        case recordTooLong
        case evaluation(SelectValue.Mismatch)
        case grammar(Grammar)
    }

    /// The rule of the statement's grammar that is violated.
    package enum Grammar: Hashable, Sendable {
        case invalidCharacter, invalidLiteral, invalidIonLiteral
        case notSelect, emptySelect, missingFrom, unsupportedTable
        case asteriskNotAlone, wildcardInSelectList, starInCall, aggregateArity, misplacedAggregate, tooManyColumns
        case keyword, tokenType, typeName, expression, alias, datePart, member, number, whenClause, leftParenthesisOfCast
        case leftParenthesis, rightParenthesis, argumentDelimiter, castArity
        case token, unexpectedKeyword, `operator`, term, groupBy, join, multipleSources, likePattern, function, functionArity, negativeLimit
    }

    /// The kind of error.
    package var code: Code
    /// The human-readable message.
    package var message: String
    /// The exact cause, if it is known.
    package var detail: Detail?

    package init(_ code: Code, _ message: String, _ detail: Detail? = nil) {
        self.code = code
        self.message = message
        self.detail = detail
    }

    /// Creates the error for a record that cannot be evaluated.
    init(_ mismatch: SelectValue.Mismatch, _ message: String) {
        switch mismatch.cause {
        case .complexity: self.init(.sqlExceedsMaxConditionDepth, "The statement takes too many steps for one record.")
        default: self.init(.invalidCSVLine, message, .evaluation(mismatch))
        }
    }

    static func syntax(_ message: String, _ grammar: Grammar = .token) -> SelectRefusal {
        SelectRefusal(.sqlSyntaxError, message, .grammar(grammar))
    }
}
