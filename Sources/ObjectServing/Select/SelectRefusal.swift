/// Why a query cannot be answered. Each face has codes of its own for it.
package struct SelectRefusal: Error, Equatable {
    /// Why a query is refused.
    package enum Code: Sendable {
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

    /// What exactly is wrong, for faces that distinguish it.
    package enum Detail: Hashable, Sendable {
        /// The object is not compressed in the format that the request names.
        case notCompressed
        case quotedRecordDelimiter
        case unescapedQuote
        /// Bytes that are not UTF-8, in a record that begins at this byte.
        case invalidText(near: Int64)
        /// Scan ranges need records that can be found from the middle of an object.
        case unsupportedRange
        /// The statement is too long for the service.
        case tooLong
        case ambiguousColumn
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

    /// Why the query is refused.
    package var code: Code
    /// The message, for people.
    package var message: String
    /// What the refusal is about, if there is something to name.
    package var detail: Detail?

    package init(_ code: Code, _ message: String, _ detail: Detail? = nil) {
        self.code = code
        self.message = message
        self.detail = detail
    }

    static func syntax(_ message: String, _ grammar: Grammar = .token) -> SelectRefusal {
        SelectRefusal(.sqlSyntaxError, message, .grammar(grammar))
    }
}
