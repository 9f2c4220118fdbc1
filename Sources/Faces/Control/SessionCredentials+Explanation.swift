import Cloud
import ControlDocuments
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
    func description(of caller: Caller, by clock: SandboxClock) -> Document<SessionMembers> {
        let claims = claims.map { ($0.key, JSONValue.array($0.values.map(JSONValue.string))) }
        return Document {
            [
                $0.arn(caller.arn), $0.accessKeyID(accessKeyID), $0.issued(effectiveIssue(by: clock).iso8601Milliseconds),
                $0.expires(effectiveExpiry(by: clock).iso8601Milliseconds), $0.claims(.object(JSONObject(claims))),
                $0.sourceIdentity(sourceIdentity), $0.mfa(deviceUsed != nil),
                $0.sessionPolicies(sessionPolicies + sessionPolicyARNs + scopes),
            ]
        }
    }
}
