import Cloud
import Directory
import Federation
import WireFormats

/// A pushed authorization request, which the browser later references (RFC 9126).
struct PushedRequest {
    /// The number of seconds for which the reference is valid.
    static let lifetime = 60
    private static let prefix = "urn:ietf:params:oauth:request_uri:"

    static func isReference(_ uri: String) -> Bool { uri.hasPrefix(prefix) }

    /// Stores a request.
    /// - Returns: the `request_uri`.
    static func keep(_ parameters: FormFields, of client: Client, in visit: Visit) async throws -> String {
        let reference = prefix + (try OpaqueToken.unguessable())
        let now = visit.cloud.clock.now
        let grant = Grant(
            kind: .pushedRequest, provider: visit.provider.name, client: client.id, person: "", issued: now,
            expires: now + .seconds(lifetime), details: ["request": .string(parameters.encoded)])
        try await visit.grantIssuer.keep(grant, under: reference)
        return reference
    }

    /// Removes and returns a request, which can be used once (section 4); `nil` if it is unknown, used, expired, or another client's.
    static func take(_ reference: String, of client: Client, in visit: Visit) async throws -> FormFields? {
        let grants = visit.cloud.grants
        guard let grant = try grants.find(reference, kind: .pushedRequest, at: visit.provider.name), grant.client == client.id,
            try await grants.redeem(reference, kind: .pushedRequest, at: visit.provider.name) != nil
        else { return nil }
        return FormFields(parsing: grant.details["request"]?.stringValue ?? "")
    }
}
