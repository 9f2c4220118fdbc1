/// A call of this library that failed: a code to compare, and a message that says what to change.
public struct CloudError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed.
    public enum Code: Sendable {
        /// No cloud belongs to the current task.
        case noCurrentCloud
        /// The seed is not valid.
        case invalidSeed
        /// The server has stopped, or the sandbox was removed.
        case stopped
        /// An argument is not valid.
        case invalidArgument
        /// There is no snapshot of this name.
        case unknownSnapshot
        /// There is no rule for errors with this identifier.
        case unknownFault
        /// The cloud has no such identity provider.
        case unknownProvider
        /// The provider or the account has no such user.
        case unknownUser
        /// The provider has no such client.
        case unknownClient
        /// The provider does not issue such a token.
        case tokenNotPossible
        /// The cloud has no such access key.
        case noAccessKey
        /// The journal has dropped requests that an expectation is about.
        case incompleteJournal
        /// The machine denied a port, a file or a folder.
        case system
    }

    /// What failed.
    public let code: Code
    /// What failed, where, and what to do.
    public let message: String

    /// The message.
    public var description: String { message }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
