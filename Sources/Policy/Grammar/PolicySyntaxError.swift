/// Why a document is not a policy.
package struct PolicySyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The service's own text, for the error document.
    package var message: String
    /// The place in the document, `Statement[0].Condition.StringEquals`; empty for the document itself.
    package var place: String
    /// What stands there and what was expected, for whoever has to mend it; may be empty.
    package var detail: String
    /// When IAM looks for faults of the kind.
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

    /// The kinds of faults in the order in which IAM looks for them.
    enum Stage: Int, Comparable, Sendable {
        case shape, literals, identifiers, principals, missingActions, resources, actions, missingResources

        static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whether the document has not the shape of a policy, which is found before anything else.
    package var isOfShape: Bool { stage == .shape }

    package var description: String {
        message + (place.isEmpty ? "" : " [\(place)]") + (detail.isEmpty ? "" : " \(detail)")
    }
}

extension PolicySyntaxError {
    /// The text for every fault of shape that has none of its own.
    static let syntax = "Syntax errors in policy."
    /// The text for literals that their operator cannot read.
    static let legacyParsing = "The policy failed legacy parsing"
    /// RAM's one text, whatever the fault.
    static let malformed = "The policy document is malformed."
    /// The text for a trust policy that is no JSON.
    static let trustJSON = "This policy contains invalid Json"

    /// The refusal of a policy that names a user or role who is not there.
    /// - Parameter name: the ARN or unique identifier.
    package static func unknownPrincipal(_ name: String) -> PolicySyntaxError {
        PolicySyntaxError(PolicyParser.invalidPrincipal("AWS", name), "There is no such user or role.")
    }
}
