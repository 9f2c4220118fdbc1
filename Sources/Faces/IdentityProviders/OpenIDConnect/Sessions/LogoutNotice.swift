import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// Notifies applications that a session has ended (OpenID Connect Back-Channel Logout 1.0).
struct LogoutNotice {
    var session: BrowserSession
    let visit: Visit
    /// The ID token hint of the logout request, which shows how one of the applications spells the issuer.
    var hint: IDTokenHint?

    /// The lifetime of a logout token in seconds (section 2.4 recommends at most two minutes).
    private static let lifetime: Int64 = 120
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Posts to all applications concurrently. The journal records failures, and the logout continues (section 2.5).
    func send() async {
        let clients = session.participants.compactMap { participant -> Client? in
            guard case .client(let id) = participant, let client = visit.provider.client(id) else { return nil }
            return client.metadata.backchannelLogoutURI == nil ? nil : client
        }
        let hasFailed = await withTaskGroup(of: Bool.self) { group in
            for client in clients { group.addTask { await self.send(to: client) } }
            return await group.contains(false)
        }
        if hasFailed { visit.call.note(errorCode: "backchannel_logout_failed") }
    }

    private func send(to client: Client) async -> Bool {
        guard let url = client.metadata.backchannelLogoutURI, let token = try? await token(for: client) else { return false }
        let form: FormFields = ["logout_token": token]
        return await visit.applications.post(form.encoded, to: url)
    }

    /// Returns the logout token for a client (section 2.4).
    private func token(for client: Client) async throws -> String {
        let now = visit.cloud.clock.now.seconds
        let issuer = hint.flatMap { $0.audiences.contains(client.id) ? $0.issuer : nil } ?? visit.issuer
        let claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(visit.provider.subject(of: session.person, for: client)), "aud": .string(client.id),
            "iat": .integer(now),
            "exp": .integer(now + Self.lifetime), "jti": .string(try randomBytes(16).base64url),
            "events": .object([Self.event: [:]]), "sid": .string(session.id),
        ]
        return try await visit.mint.signed(claims, at: visit.provider, for: client, person: session.person, type: "logout+jwt")
    }
}
