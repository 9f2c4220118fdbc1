import Cloud
import Directory
import Policy
import WireFormats

// The keys that policies of Alibaba Cloud can ask of every service. (RAM User Guide, "Permission policy elements", Condition.)
extension Authorizer {
    /// A key that depends on who asks, or on the transport.
    static func alibabaKey(_ key: String, caller: Caller, facts: RequestFacts) -> ConditionValues? {
        switch key {
        case "acs:principalarn":
            // For a session it is the role's.
            if case .role(let role, _) = caller { return .one(role.arn) }
            return caller.arn.map { .one($0) }
        // Whoever calls with an access key has shown no device.
        case "acs:mfapresent": return caller.account.map { _ in .one("false") }
        default: return alibabaTransportKey(key, facts: facts)
        }
    }

    /// A key that every request has, whoever asks.
    static func alibabaTransportKey(_ key: String, facts: RequestFacts) -> ConditionValues? {
        switch key {
        case "acs:currenttime": .one(facts.time.iso8601)
        case "acs:securetransport": .one(facts.isSecure ? "true" : "false")
        case "acs:sourceip": .one(facts.sourceIP())
        case "acs:useragent": facts.userAgent.map { .one($0) }
        default: nil
        }
    }
}
