import Cloud
import Federation
import WireFormats

extension SessionCredentials {
    /// Returns a readable description of the session in one line.
    func line(by clock: SandboxClock) -> String {
        let time = effectiveIssue(by: clock).iso8601Milliseconds.dropFirst("2026-11-23T".count).prefix("12:05:39".count)
        var line = "session issued \(time)"
        if !claims.isEmpty {
            line += " with claims " + claims.map { "\($0.key)=\($0.values.joined(separator: ","))" }.joined(separator: ", ")
        }
        if let sourceIdentity { line += ", source identity \(sourceIdentity)" }
        if deviceUsed != nil { line += ", with MFA" }
        let policies = sessionPolicies.count + sessionPolicyARNs.count + scopes.count
        if policies > 0 { line += ", limited by \(policies) session \(policies == 1 ? "policy" : "policies")" }
        return line
    }

    /// Returns the session as JSON, without its secrets.
    func description(of caller: Caller, by clock: SandboxClock) -> JSONValue {
        let claims = claims.map { ($0.key, JSONValue.array($0.values.map(JSONValue.string))) }
        return [
            "arn": caller.arn.map(JSONValue.string) ?? .null, "access_key_id": .string(accessKeyID),
            "issued": .string(effectiveIssue(by: clock).iso8601Milliseconds),
            "expires": .string(effectiveExpiry(by: clock).iso8601Milliseconds),
            "claims": .object(claims.reduce(into: [:]) { $0[$1.0] = $1.1 }),
            "source_identity": sourceIdentity.map(JSONValue.string) ?? .null, "mfa": .bool(deviceUsed != nil),
            "session_policies": .array((sessionPolicies + sessionPolicyARNs + scopes).map(JSONValue.string)),
        ]
    }
}
