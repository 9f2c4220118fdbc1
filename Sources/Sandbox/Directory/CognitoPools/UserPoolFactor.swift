/// The second factors of user pools, in the order in which the service lists them. The raw value is the name of the challenge.
package enum UserPoolFactor: String, Sendable, Codable, CaseIterable {
    /// A code by SMS.
    case sms = "SMS_MFA"
    /// A time-based one-time password.
    case softwareToken = "SOFTWARE_TOKEN_MFA"
    /// A code by e-mail.
    case mail = "EMAIL_OTP"

    /// The attribute with the address of a code; `nil` if none is sent.
    package var attribute: String? {
        switch self {
        case .sms: "phone_number"
        case .softwareToken: nil
        case .mail: "email"
        }
    }
}

extension UserPool {
    /// The second factors that the pool accepts.
    package var factors: [UserPoolFactor] {
        UserPoolFactor.allCases.filter { $0 == .softwareToken ? acceptsSoftwareTokens : messageFactors.contains($0) }
    }
}

extension UserPoolUser {
    /// Whether a person uses a second factor whose codes are sent.
    package struct FactorChoice: Sendable, Codable, Hashable {
        /// Whether sign-in asks for a code.
        package var isEnabled: Bool
        /// Whether it comes before other second factors.
        package var isPreferred: Bool

        package init(isEnabled: Bool, isPreferred: Bool) {
            self.isEnabled = isEnabled
            self.isPreferred = isPreferred
        }
    }

    /// The choice of a second factor whose codes are sent.
    package subscript(choice factor: UserPoolFactor) -> FactorChoice? {
        get {
            switch factor {
            case .sms: smsFactor
            case .softwareToken: softwareToken.map { FactorChoice(isEnabled: $0.isEnabled, isPreferred: $0.isPreferred) }
            case .mail: mailFactor
            }
        }
        set {
            switch factor {
            case .sms: smsFactor = newValue
            case .softwareToken:
                softwareToken?.isEnabled = newValue?.isEnabled ?? false
                softwareToken?.isPreferred = newValue?.isPreferred ?? false
            case .mail: mailFactor = newValue
            }
        }
    }

    /// Returns whether the person can be asked for a second factor.
    package func has(_ factor: UserPoolFactor) -> Bool {
        guard let attribute = factor.attribute else { return softwareToken?.isVerified ?? false }
        return self[attribute: attribute] != nil
    }

    /// The second factors that the person has and chose.
    package var enabledFactors: [UserPoolFactor] { UserPoolFactor.allCases.filter { has($0) && self[choice: $0]?.isEnabled ?? false } }

    /// The second factor that the person prefers; `nil` if there is none.
    package var preferredFactor: UserPoolFactor? { enabledFactors.first { self[choice: $0]?.isPreferred ?? false } }

    /// Returns the second factors with which the person signs in: those that the person chose, or, where one is needed, those that the person
    /// has.
    package func factors(in pool: UserPool) -> [UserPoolFactor] {
        let chosen = enabledFactors.filter { pool.factors.contains($0) }
        guard chosen.isEmpty, pool.multiFactor == .on else { return chosen }
        return pool.factors.filter { has($0) }
    }
}
