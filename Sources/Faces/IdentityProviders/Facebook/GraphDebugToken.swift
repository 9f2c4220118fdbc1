import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// `/debug_token`: the properties of a token, for the app that it was issued to (Graph API Reference, "Debug-Token").
struct GraphDebugToken {
    let request: GraphRequest

    /// The first version with the expiry of data access (from memory of the changelog).
    static let dataAccessSince = GraphVersion(major: 3, minor: 1)
    /// The duration of data access in seconds: 90 days.
    static let dataAccessLifetime: Int64 = 7_776_000

    func respond() async throws -> Response {
        try await request.visit.enter("DebugToken")
        guard let input = request.parameters.value("input_token") else {
            throw GraphError(message: "(#100) The parameter input_token is required", code: 100)
        }
        guard request.accessToken != nil else {
            throw GraphError(
                message: "(#100) You must provide an app access token, or a user access token that is an owner or developer of "
                    + "the app", code: 100)
        }
        let viewer = try request.holder().client
        return .json(["data": .object(try data(of: input, viewer: viewer))], headers: .unstored)
    }

    /// Returns the properties of a token.
    /// - Parameter viewer: the calling app; `nil` for the tool on Facebook's own site, which shows every token.
    func data(of input: String, viewer: Client?) throws -> JSONObject {
        let holder: GraphRequest.Holder
        do {
            holder = try request.holder(of: input)
        } catch let error as GraphError {
            return try fault(error, of: input, viewer: viewer)
        }
        let client = holder.client
        try check(client, viewer)
        guard case .person(let grant, let approval) = holder else {
            return ["app_id": .string(client.id), "type": "APP", "application": .string(client.name), "is_valid": true, "scopes": []]
        }
        var data = start(of: grant, client)
        data["is_valid"] = true
        if Self.isLongLived(grant) {
            data["issued_at"] = .integer(request.visit.cloud.clock.effective(grant.issued).seconds)
        }
        if let nonce = approval.nonce, !approval.scopes.contains(FacebookIDToken.scope) {
            data["metadata"] = ["auth_nonce": .string(nonce)]
        }
        data["scopes"] = .array(try request.permissions(approval).granted.map { .string($0) })
        data["user_id"] = .string(id(of: approval))
        return data
    }

    private func start(of grant: Grant, _ client: Client) -> JSONObject {
        var data: JSONObject = ["app_id": .string(client.id), "type": "USER", "application": .string(client.name)]
        if request.version(for: client) >= Self.dataAccessSince {
            let issued = request.visit.cloud.clock.effective(grant.issued)
            data["data_access_expires_at"] = .integer(issued.seconds + Self.dataAccessLifetime)
        }
        data["expires_at"] = .integer(request.expiry(of: grant).seconds)
        return data
    }

    /// Returns whether a token is long-lived. Tokens of the dialog are valid for hours, extended ones for weeks.
    private static func isLongLived(_ grant: Grant) -> Bool { grant.expires.seconds - grant.issued.seconds > 7 * 86_400 }

    private func id(of approval: Approval) -> String {
        approval.client.facebookID(of: approval.person, version: request.version(for: approval.client))
    }

    private func fault(_ error: GraphError, of input: String, viewer: Client?) throws -> JSONObject {
        var details: JSONObject = ["code": .integer(Int64(error.code)), "message": .string(error.message)]
        if let subcode = error.subcode { details["subcode"] = .integer(Int64(subcode)) }
        var data: JSONObject = [:]
        let provider = request.visit.provider
        if let grant = try request.visit.cloud.grants.look(up: input, kind: .accessToken, at: provider.name),
            let approval = Approval(grant, at: provider)
        {
            try check(approval.client, viewer)
            data = start(of: grant, approval.client)
            data["user_id"] = .string(id(of: approval))
        } else if let client = OpaqueToken.facebookClient(of: input, among: provider.clients) {
            try check(client, viewer)
            data = ["app_id": .string(client.id), "type": "USER", "application": .string(client.name)]
        }
        data["error"] = .object(details)
        data["is_valid"] = false
        data["scopes"] = []
        return data
    }

    private func check(_ client: Client, _ viewer: Client?) throws {
        guard let viewer, client.id != viewer.id else { return }
        throw GraphError(message: "(#100) The App_id in the input_token did not match the Viewing App", code: 100)
    }
}
