import Cloud
import Exchange
import Federation
import WireFormats

/// `/debug_token`: what is the matter with a token, told to the app that it was made for (Graph API Reference, "Debug-Token").
struct GraphDebugToken {
    let request: GraphRequest

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

    private func data(of input: String, viewer: Client) throws -> JSONObject {
        let holder: GraphRequest.Holder
        do {
            holder = try request.holder(of: input)
        } catch let error as GraphError {
            return try fault(error, of: input, viewer: viewer)
        }
        try check(holder.client, viewer)
        var data: JSONObject = ["app_id": .string(viewer.id), "type": "APP", "application": .string(viewer.name)]
        guard case .person(let grant, let approval) = holder else {
            data["is_valid"] = true
            data["scopes"] = []
            return data
        }
        data["type"] = "USER"
        data["expires_at"] = .integer(request.expiry(of: grant).seconds)
        data["is_valid"] = true
        data["issued_at"] = .integer(request.visit.cloud.clock.effective(grant.issued).seconds)
        data["scopes"] = .array(approval.scopes.map { .string($0) })
        data["user_id"] = .string(approval.person.subject)
        return data
    }

    private func fault(_ error: GraphError, of input: String, viewer: Client) throws -> JSONObject {
        var details: JSONObject = ["code": .integer(Int64(error.code)), "message": .string(error.message)]
        if let subcode = error.subcode { details["subcode"] = .integer(Int64(subcode)) }
        var data: JSONObject = [:]
        if let grant = try request.visit.cloud.grants.look(up: input, kind: .accessToken, at: request.visit.provider.name),
            let approval = Approval(grant, at: request.visit.provider)
        {
            try check(approval.client, viewer)
            data["app_id"] = .string(viewer.id)
            data["type"] = "USER"
            data["application"] = .string(viewer.name)
            data["expires_at"] = .integer(request.expiry(of: grant).seconds)
            data["user_id"] = .string(approval.person.subject)
        }
        data["error"] = .object(details)
        data["is_valid"] = false
        data["scopes"] = []
        return data
    }

    private func check(_ client: Client, _ viewer: Client) throws {
        guard client.id == viewer.id else {
            throw GraphError(message: "(#100) The App_id in the input_token did not match the Viewing App", code: 100)
        }
    }
}
