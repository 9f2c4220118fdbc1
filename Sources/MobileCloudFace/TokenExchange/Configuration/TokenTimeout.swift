import Cloud
import Directory
import WireFormats

/// How the lifetime of an exchanged token is determined; the raw values are those of `tokenTimeoutPolicy`.
enum TokenTimeoutPolicy: String, Sendable, CaseIterable {
    case fromTimeoutSeconds = "FromTimeoutSecs"
    /// The token expires with the external token.
    case fromExternalToken = "FromExternalToken"
    case fromExternalTokenLimited = "FromExternalTokenLimitedByTimeoutSecs"
}

/// The lifetime of exchanged tokens, from the issuer's configuration, else the environment's policies, else eight hours.
struct TokenTimeout: Sendable {
    private var seconds: Int
    private var policy: TokenTimeoutPolicy

    /// - Parameters:
    ///   - seconds: the lifetime in the issuer's configuration.
    ///   - policy: the policy in the issuer's configuration.
    /// - Throws: ``ExternalTokenError`` if a policy of the environment has an invalid value.
    init(seconds: Int? = nil, policy: TokenTimeoutPolicy? = nil, environment: EnvironmentPolicies) throws(ExternalTokenError) {
        if let seconds {
            self.seconds = seconds
        } else if let text = environment["Security_TokenExchangeTimeoutSecs"] {
            guard let seconds = Int(digits: text), (1...Self.longest).contains(seconds) else {
                throw ExternalTokenError("The policy Security_TokenExchangeTimeoutSecs must be a number of seconds, and is \(text).")
            }
            self.seconds = seconds
        } else {
            self.seconds = 28_800
        }
        if let policy {
            self.policy = policy
        } else if let text = environment["Security_TokenExchangeTimeoutPolicy"] {
            guard let policy = TokenTimeoutPolicy(rawValue: text) else {
                let known = TokenTimeoutPolicy.allCases.map(\.rawValue).joined(separator: ", ")
                throw ExternalTokenError("The policy Security_TokenExchangeTimeoutPolicy must be one of \(known), and is \(text).")
            }
            self.policy = policy
        } else {
            self.policy = .fromTimeoutSeconds
        }
    }

    /// Returns the lifetime of a token in seconds.
    /// - Parameter external: the remaining lifetime of the external token in seconds.
    func lifetime(external: Int64) -> Int64 {
        switch policy {
        case .fromTimeoutSeconds: Int64(seconds)
        case .fromExternalToken: external
        case .fromExternalTokenLimited: min(Int64(seconds), external)
        }
    }

    /// A hundred years, in seconds.
    private static let longest = 3_155_760_000
}
