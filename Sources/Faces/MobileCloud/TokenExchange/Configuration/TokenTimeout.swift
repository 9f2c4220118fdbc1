import Cloud
import Directory
import Federation
import WireFormats

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
        } else {
            self.seconds = try Self.value(of: TokenTimeoutPolicy.secondsName, in: environment, TokenTimeoutPolicy.seconds) ?? 28_800
        }
        if let policy {
            self.policy = policy
        } else {
            let known = try Self.value(of: TokenTimeoutPolicy.policyName, in: environment, TokenTimeoutPolicy.init(parsing:))
            self.policy = known ?? .fromTimeoutSeconds
        }
    }

    private static func value<Value>(
        of name: String, in environment: EnvironmentPolicies, _ parse: (String) throws(ConfigurationFault) -> Value
    ) throws(ExternalTokenError) -> Value? {
        guard let text = environment[name] else { return nil }
        do {
            return try parse(text)
        } catch {
            throw ExternalTokenError("The policy \(error.place) must be \(error.expected), and is \(text).")
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
}
