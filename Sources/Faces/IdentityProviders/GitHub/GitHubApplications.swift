import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `/applications/{client_id}/token` and `…/grant`, with which an application checks, resets and revokes its tokens. It authenticates with
/// its secret. (GitHub Docs, "REST API endpoints for OAuth authorizations".)
struct GitHubApplications {
    let visit: Visit

    /// The beginning of the paths.
    static let path = "/applications/"

    private static let documentation = "/rest/apps/oauth-applications#"

    func respond() async throws -> Response {
        let parts = visit.path.dropFirst(Self.path.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = percentDecoded(parts[0]) else { throw GitHubError.notFound() }
        switch (String(parts[1]), visit.method) {
        case ("token", .post):
            try await visit.enter("CheckToken")
            let access = try await access(of: id, "check-a-token")
            return answer(access.approval, access.grant, token: access.token)
        case ("token", .patch):
            try await visit.enter("ResetToken")
            return try await reset(access(of: id, "reset-a-token"))
        case ("token", .delete):
            try await visit.enter("DeleteToken")
            try await visit.cloud.grants.revoke(access(of: id, "delete-an-app-token").token)
            return Response(status: .noContent)
        case ("grant", .delete):
            try await visit.enter("DeleteGrant")
            let approval = try await access(of: id, "delete-an-app-authorization").approval
            try await visit.cloud.grants.revokeAll(
                provider: visit.provider.name, client: approval.client.id, person: approval.person.name)
            return Response(status: .noContent)
        default: throw GitHubError.notFound()
        }
    }

    private struct Access {
        var token: String
        var grant: Grant
        var approval: Approval
    }

    /// Returns the token that the body names.
    /// - Parameters:
    ///   - id: the client ID in the path, which must be the caller's.
    ///   - section: the section of the documentation.
    private func access(of id: String, _ section: String) async throws -> Access {
        let page = Self.documentation + section
        guard let header = visit.call.headers.value(of: .authorization) else { throw GitHubError.requiresAuthentication(page) }
        guard let (identifier, secret) = ClientAuthentication.basic(header), let client = visit.provider.client(identifier),
            let expected = client.secret, constantTimeEquals(secret, expected)
        else { throw GitHubError.badCredentials }
        guard client.id == id else { throw GitHubError.notFound(page) }
        guard let body = try await visit.jsonBody() else { throw GitHubError.malformedBody(page) }
        guard let token = body["access_token"]?.stringValue else { throw GitHubError.missing("access_token", page) }
        guard let grant = try await visit.grant(ofAccessToken: token), grant.client == client.id,
            let approval = Approval(grant, at: visit.provider)
        else { throw GitHubError.notFound(page) }
        visit.call.note(caller: approval.person.name)
        return Access(token: token, grant: grant, approval: approval)
    }

    /// Replaces a token by another one with the same scopes. Of several concurrent requests, only one gets it.
    private func reset(_ access: Access) async throws -> Response {
        var issued = try visit.mint.newAccessToken(access.approval)
        issued.grant.family = access.grant.family
        guard try await visit.grantIssuer.keep([issued], spending: access.token) else {
            throw GitHubError.notFound(Self.documentation + "reset-a-token")
        }
        try await visit.cloud.grants.revoke(access.token)
        return answer(access.approval, issued.grant, token: issued.token)
    }

    private func answer(_ approval: Approval, _ grant: Grant, token: String) -> Response {
        let hash = SHA256.hash(token)
        let id = hash.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let issued = JSONValue.string(visit.cloud.clock.effective(grant.issued).iso8601)
        let document: JSONValue = [
            "id": .integer(id), "url": .string("\(visit.gitHubAPI)/authorizations/\(id)"),
            "app": [
                "name": .string(approval.client.name), "url": .string(approval.client.metadata.clientURI ?? ""),
                "client_id": .string(approval.client.id),
            ],
            "token": .string(token), "hashed_token": .string(hash.hex), "token_last_eight": .string(String(token.suffix(8))),
            "note": .null, "note_url": .null, "created_at": issued, "updated_at": issued,
            "scopes": .array(approval.scopes.map { .string($0) }), "fingerprint": .null, "expires_at": .null,
            "user": .object(GitHubUser(visit: visit, person: approval.person).summary),
        ]
        return Response(status: .ok, contentType: GitHubAPICall.contentType, headers: .unstored, body: document.serializedBytes())
    }
}
