import Cloud
import Directory
import WireFormats

/// When a token that is given for another ends; the raw values are those of `tokenTimeoutPolicy`.
enum TokenTimeoutPolicy: String, Sendable, CaseIterable {
    case fromTimeoutSeconds = "FromTimeoutSecs"
    /// With the other token.
    case fromExternalToken = "FromExternalToken"
    case fromExternalTokenLimited = "FromExternalTokenLimitedByTimeoutSecs"
}

/// How long tokens last that are given for those of others: what an issuer's configuration says, else the environment's policies, else
/// eight hours.
struct TokenTimeout: Sendable {
    private var seconds: Int
    private var policy: TokenTimeoutPolicy

    /// - Parameters:
    ///   - seconds: what the issuer's configuration says.
    ///   - policy: what the issuer's configuration says.
    /// - Throws: ``ExternalTokenError`` where a policy of the environment has a value that it cannot have.
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

    /// Seconds that a token lasts.
    /// - Parameter external: seconds that the other token still lasts.
    func lifetime(external: Int64) -> Int64 {
        switch policy {
        case .fromTimeoutSeconds: Int64(seconds)
        case .fromExternalToken: external
        case .fromExternalTokenLimited: min(Int64(seconds), external)
        }
    }

    /// A hundred years.
    private static let longest = 3_155_760_000
}
