import WireFormats

/// Why a document is not a policy.
package struct PolicySyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The service's own message, for the error document.
    package var message: String
    /// The path of the faulty element, such as `Statement[0].Condition.StringEquals`; empty for the document itself.
    package var place: String
    /// What was found and what was expected, for the author of the policy; may be empty.
    package var detail: String
    /// The stage at which IAM finds this kind of error.
    var stage: Stage

    init(_ message: String, at place: String = "", _ detail: String = "", stage: Stage? = nil) {
        self.message = message
        self.place = place
        self.detail = detail
        self.stage =
            switch message {
            case Self.syntax: .shape
            case Self.legacyParsing: .literals
            default: stage ?? .missingResources
            }
    }

    /// The kinds of errors in the order in which IAM checks for them.
    enum Stage: Int, Comparable, Sendable {
        case shape, literals, identifiers, principals, missingActions, resources, actions, missingResources

        static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whether the document does not have the structure of a policy, which is checked first.
    package var isOfShape: Bool { stage == .shape }

    package var description: String {
        message + (place.isEmpty ? "" : " [\(place)]") + (detail.isEmpty ? "" : " \(detail)")
    }
}

extension PolicySyntaxError {
    /// The message for structural errors that have no message of their own.
    static let syntax = "Syntax errors in policy."
    /// The message for values that are invalid for their operator.
    static let legacyParsing = "The policy failed legacy parsing"
    /// RAM's only message, for every error.
    static let malformed = "The policy document is malformed."
    /// The message for a trust policy or bucket policy that is not JSON.
    static let invalidJSON = "This policy contains invalid Json"
    /// The message for a trust policy that does not begin with a brace, with the two spaces of AWS.
    static let leadingSpaces = "JSON strings must not have leading  spaces"

    /// Returns the error for a policy that names a user or role that does not exist.
    /// - Parameter name: the ARN or unique identifier.
    package static func unknownPrincipal(_ name: String) -> PolicySyntaxError {
        PolicySyntaxError(PolicyParser.invalidPrincipal("AWS", name), "The user or role does not exist.")
    }
}
