import WireFormats

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

    /// The maximum number of ``mappings``.
    package static let mostMappings = 10
    /// The maximum length of a key and of a type, in characters.
    package static let longest = 128

    /// Whether the type is given twice, as a value and as a claim.
    package var hasTwoSubjectTypes: Bool { subjectTypeSourceKey != nil && subjectTypeValue?.isEmpty == false }

    /// Returns whether a text can be the name of a claim or of a key, in length and form.
    package static func isKey(_ text: String) -> Bool { (1...longest).contains(text.utf8.count) && hasFormOfKey(text) }

    /// Returns whether a text has the form of a key: letters, digits, single spaces and some punctuation.
    package static func hasFormOfKey(_ text: String) -> Bool {
        text.utf8.split(separator: 0x20, omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    default: "_.:/=+-@#".utf8.contains(byte)
                    }
                }
        }
    }

    /// Returns whether a text can be the type of all subjects.
    package static func isSubjectType(_ text: String) -> Bool { text.unicodeScalars.count <= longest }
}
