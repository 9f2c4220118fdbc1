import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `/_virga/providers/<name>/sessions[/<id>]`: GET lists the browser sessions in which people are logged in. DELETE ends one or all, and
    /// revokes what clients received in them, except offline access. Clients are not notified.
    /// - Parameter id: the `sid` of a session; `nil` for all.
    func answerSessions(_ call: Call, of name: String, id: String?) async throws -> Response {
        let cloud = call.cloud
        _ = try cloud.directory.provider(called: name)
        var sessions = try await cloud.grants.sessions(at: name)
        if let id { sessions = sessions.filter { $0.sessionID == id } }
        guard id == nil || !sessions.isEmpty else {
            throw ControlError(.notFound, "unknown_session", "The provider has no session '\(id ?? "")'.")
        }
        guard call.method == .delete else {
            guard id != nil, let session = sessions.first else {
                return .json(Document<LoginListMembers> { [$0.sessions(sessions.map { $0.login(by: cloud.clock) })] }.json)
            }
            return .json(session.login(by: cloud.clock).json)
        }
        for session in sessions {
            _ = try await cloud.grants.redeem(session: session.sessionID, provider: name, person: session.person)
            try await cloud.grants.revokeAll(
                ofSession: session.sessionID, provider: name, clients: session.participants("client"), person: session.person)
        }
        return .json(Document<EndedLoginsMembers> { [$0.status("ok"), $0.ended(sessions.count)] }.json)
    }
}

extension Grant {
    /// The `sid` of a browser session.
    fileprivate var sessionID: String { details["sid"]?.stringValue ?? "" }

    /// The clients or service providers that the user signed on to.
    fileprivate func participants(_ kind: String) -> [String] {
        details["participants"]?.arrayValue?.compactMap { $0[kind]?.stringValue } ?? []
    }

    fileprivate func login(by clock: SandboxClock) -> Document<LoginMembers> {
        Document {
            [
                $0.id(sessionID), $0.person(person), $0.issued(clock.effective(issued).iso8601Milliseconds),
                $0.expires(clock.effectiveExpiry(expires, issuedAt: issued).iso8601Milliseconds), $0.clients(participants("client")),
                $0.serviceProviders(participants("service_provider")),
            ]
        }
    }
}
