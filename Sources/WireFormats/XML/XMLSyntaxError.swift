/// Why a document was refused by ``XMLElement/init(parsing:)`` and where.
package struct XMLSyntaxError: Error, Hashable, Sendable {
    /// What can be wrong.
    package enum Reason: Hashable, Sendable {
        /// The bytes are not UTF-8, or the declaration names another encoding.
        case encoding
        /// The document ends inside an element or a tag.
        case unexpectedEnd
        /// A byte that cannot stand there, or a character that XML does not have.
        case unexpectedCharacter
        /// A document type declaration, which this reader refuses to act on.
        case documentType
        /// A processing instruction other than the declaration at the very start.
        case processingInstruction
        /// An entity reference that is unfinished or neither numeric nor one of the five predefined ones.
        case unknownEntity
        /// An end tag that does not match its start tag.
        case mismatchedTag
        /// Two attributes of one element with the same name and namespace.
        case duplicateAttribute
        /// A prefix that is not declared, or a declaration that is not allowed.
        case namespace
        /// More of something than ``XMLLimits`` allows.
        case tooComplex
    }

    /// What is wrong.
    package var reason: Reason
    /// Bytes from the start of the document to the place where reading stopped.
    package var offset: Int
}
