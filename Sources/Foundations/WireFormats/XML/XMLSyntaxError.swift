/// Why and where ``XMLElement/init(parsing:)`` rejected a document.
package struct XMLSyntaxError: Error, Hashable, Sendable {
    /// The kinds of syntax errors.
    package enum Reason: Hashable, Sendable {
        /// The bytes are not UTF-8, or the declaration names another encoding.
        case encoding
        /// The document ends inside an element or a tag.
        case unexpectedEnd
        /// A byte that is not allowed at this place, or a character that XML does not allow.
        case unexpectedCharacter
        /// A document type declaration, which this reader rejects.
        case documentType
        /// A processing instruction other than the XML declaration at the very start.
        case processingInstruction
        /// An entity reference that is incomplete, or neither numeric nor one of the five predefined ones.
        case unknownEntity
        /// An end tag that does not match its start tag.
        case mismatchedTag
        /// Two attributes of one element with the same name and namespace.
        case duplicateAttribute
        /// A prefix that is not declared, or a declaration that is not allowed.
        case namespace
        /// The document exceeds a limit of ``XMLLimits``.
        case tooComplex
    }

    /// What is wrong.
    package var reason: Reason
    /// The offset, in bytes from the start of the document, at which parsing stopped.
    package var offset: Int
}
