import WireFormats

/// How the lifetime of an exchanged token is determined; the raw values are those of `tokenTimeoutPolicy`.
package enum TokenTimeoutPolicy: String, Sendable, CaseIterable {
    case fromTimeoutSeconds = "FromTimeoutSecs"
    /// The token expires with the external token.
    case fromExternalToken = "FromExternalToken"
    case fromExternalTokenLimited = "FromExternalTokenLimitedByTimeoutSecs"

    /// The name of the environment policy with the lifetime in seconds.
    package static let secondsName = "Security_TokenExchangeTimeoutSecs"
    /// The name of the environment policy with a raw value.
    package static let policyName = "Security_TokenExchangeTimeoutPolicy"

    /// Parses the value of the environment policy ``secondsName``.
    package static func seconds(parsing text: String) throws(ConfigurationFault) -> Int {
        guard let seconds = Int(digits: text), (1...Int(ConfigurationReader.longest)).contains(seconds) else {
            throw ConfigurationFault(place: secondsName, expected: "a number of seconds")
        }
        return seconds
    }

    /// Parses the value of the environment policy ``policyName``.
    package init(parsing text: String) throws(ConfigurationFault) {
        guard let policy = TokenTimeoutPolicy(rawValue: text) else {
            throw ConfigurationFault(
                place: Self.policyName, expected: "one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = policy
    }
}
