/// How the tokens of an identity provider fill the trusted context of sessions. (IAM API Reference, "ContextProvider".)
package struct ContextProvider: Sendable, Codable, Equatable {
    /// A claim that becomes a key of the context.
    package struct Mapping: Sendable, Codable, Equatable {
        /// The claim.
        package var source: String
        /// The key; `nil` for the name of the claim.
        package var target: String?

        package init(source: String, target: String?) {
            self.source = source
            self.target = target
        }
    }

    /// Further claims.
    package var mappings: [Mapping]
    /// The claim with the subject.
    package var subjectSourceKey: String
    /// The type of all subjects.
    package var subjectTypeValue: String?
    /// The claim with the type of the subject.
    package var subjectTypeSourceKey: String?

    package init(mappings: [Mapping], subjectSourceKey: String, subjectTypeValue: String?, subjectTypeSourceKey: String?) {
        self.mappings = mappings
        self.subjectSourceKey = subjectSourceKey
        self.subjectTypeValue = subjectTypeValue
        self.subjectTypeSourceKey = subjectTypeSourceKey
    }
}
