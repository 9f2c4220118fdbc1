import Cloud
import Directory
import Policy
import WireFormats

// The condition keys of Alibaba Cloud that are common to all services. (RAM User Guide, "Permission policy elements", Condition.)
extension Authorizer {
    /// Returns a key that depends on the caller or on the transport.
    static func alibabaKey(_ key: String, caller: Caller, facts: RequestFacts) -> ConditionValues? {
        switch key {
        case "acs:principalarn":
            // For a session, the ARN is the role's.
            if case .role(let role, _) = caller { return .one(role.arn) }
            return caller.arn.map { .one($0) }
        // A request signed with an access key never used a device.
        case "acs:mfapresent": return caller.account.map { _ in .one("false") }
        default: return alibabaTransportKey(key, facts: facts)
        }
    }

    /// Returns a key that does not depend on the caller.
    static func alibabaTransportKey(_ key: String, facts: RequestFacts) -> ConditionValues? {
        switch key {
        case "acs:currenttime": .one(facts.time.iso8601)
        case "acs:securetransport": .one(facts.isSecure ? "true" : "false")
        case "acs:sourceip": facts.sourceIP().map { .one($0) } ?? .unknown
        case "acs:useragent": facts.userAgent.map { .one($0) }
        default: nil
        }
    }
}
