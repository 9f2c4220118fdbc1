import WireFormats

/// A function that a user pool calls at one point of its flows. (Amazon Cognito User Pools API Reference, `LambdaConfigType`.)
package struct UserPoolTrigger: Sendable, Codable {
    /// The points. The raw value is the member of `LambdaConfig`.
    package enum Point: String, Sendable, Codable, CaseIterable {
        case preSignUp = "PreSignUp"
        case customMessage = "CustomMessage"
        case postConfirmation = "PostConfirmation"
        case preAuthentication = "PreAuthentication"
        case postAuthentication = "PostAuthentication"
        case defineAuthChallenge = "DefineAuthChallenge"
        case createAuthChallenge = "CreateAuthChallenge"
        case verifyAuthChallengeResponse = "VerifyAuthChallengeResponse"
        case preTokenGeneration = "PreTokenGeneration"
        case userMigration = "UserMigration"
    }

    /// The versions of events. The raw value is that of `PreTokenGenerationLambdaVersionType`.
    package enum Version: String, Sendable, Codable, CaseIterable {
        case first = "V1_0"
        case second = "V2_0"
        /// As the second one, also for tokens that apps get for themselves.
        case third = "V3_0"

        /// Whether the function also changes access tokens.
        package var changesAccessTokens: Bool { self != .first }

        /// The member `version` of events.
        package var ofEvents: String {
            switch self {
            case .first: "1"
            case .second: "2"
            case .third: "3"
            }
        }
    }

    /// When the function is called.
    package var point: Point
    /// The ARN of the function.
    package var function: String
    /// The URL that is called in place of the function; `nil` if the targets of events have one for the ARN.
    package var url: String?
    /// The version of events, if `PreTokenGenerationConfig` sets it.
    package var version: Version?

    package init(_ point: Point, function: String, url: String? = nil, version: Version? = nil) {
        self.point = point
        self.function = function
        self.url = url
        self.version = version
    }

    /// Returns whether a text is an ARN. (Service model, `ArnType`.)
    package static func isARN(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (6...8).contains(parts.count), parts[0] == "arn", (20...2048).contains(text.utf8.count) else { return false }
        let isFilled = parts.enumerated().allSatisfy { $0.offset == 3 || !$0.element.isEmpty }
        return isFilled && parts[4].utf8.allSatisfy { 0x30...0x39 ~= $0 } && text.utf8.allSatisfy { isAllowed($0) }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_+=/,.@-:".utf8.contains(byte)
        }
    }
}
