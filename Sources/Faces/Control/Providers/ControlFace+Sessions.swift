import Calls
import Cloud
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
                return .json(["sessions": .array(sessions.map { $0.sessionJSON(by: cloud.clock) })])
            }
            return .json(session.sessionJSON(by: cloud.clock))
        }
        for session in sessions {
            _ = try await cloud.grants.redeem(session: session.sessionID, provider: name, person: session.person)
            try await cloud.grants.revokeAll(
                ofSession: session.sessionID, provider: name, clients: session.participants("client"), person: session.person)
        }
        return .json(["status": "ok", "ended": Self.number(sessions.count)])
    }
}

extension Grant {
    /// The `sid` of a browser session.
    fileprivate var sessionID: String { details["sid"]?.stringValue ?? "" }

    /// The clients or service providers that the user signed on to.
    fileprivate func participants(_ kind: String) -> [String] {
        details["participants"]?.arrayValue?.compactMap { $0[kind]?.stringValue } ?? []
    }

    fileprivate func sessionJSON(by clock: SandboxClock) -> JSONValue {
        [
            "id": .string(sessionID), "person": .string(person), "issued": .string(clock.effective(issued).iso8601Milliseconds),
            "expires": .string(clock.effectiveExpiry(expires, issuedAt: issued).iso8601Milliseconds),
            "clients": .array(participants("client").map(JSONValue.string)),
            "serviceProviders": .array(participants("service_provider").map(JSONValue.string)),
        ]
    }
}
