import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The userinfo endpoint of a user pool. (Amazon Cognito Developer Guide, "UserInfo endpoint".)
struct HostedUserInfoEndpoint: Sendable {
    let visit: HostedVisit

    func respond() async throws -> Response {
        try await visit.enter("UserInfo")
        guard let text = bearerToken else { throw Self.badRequest }
        let (token, user) = try await holder(of: text)
        visit.call.note(caller: "\(visit.pool.arn)/\(user.username)")
        // Tokens of the API have another scope.
        guard token.scopes.contains(UserPoolScope.openID), let client = visit.client(token.client) else { throw Self.invalidToken }
        var claims: JSONObject = ["sub": .string(user.sub)]
        for attribute in user.attributes where client.reads(attribute.name) && UserPoolScope.open(attribute.name, in: token.scopes) {
            // All values are texts here, also those of Boolean attributes.
            claims[attribute.name] = .string(attribute.value)
        }
        claims["username"] = .string(user.username)
        return .json(.object(claims), headers: .unstored)
    }

    private var bearerToken: String? {
        let parts = visit.call.headers.value(of: .authorization)?.split(separator: " ") ?? []
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    private func holder(of text: String) async throws -> (token: VerifiedUserPoolToken, user: UserPoolUser) {
        do {
            let token = try await VerifiedUserPoolToken(text, use: .access, pool: visit.pool.id, in: visit.cloud)
            return (token, try token.currentUser(in: visit.cloud))
        } catch is UserPoolTokenFault {
            throw Self.invalidToken
        }
    }

    private static func error(_ code: String, _ description: String, _ status: HTTPResponse.Status) -> HostedTokenError {
        var error = HostedTokenError(code, description)
        error.status = status
        error.description = description
        error.challenge = "error=\"\(code)\", error_description=\"\(description)\""
        return error
    }

    private static let badRequest = error("invalid_request", "Bad OAuth2 request at UserInfo Endpoint", .badRequest)

    private static let invalidToken = error(
        "invalid_token", "Access token is expired, disabled, or deleted, or the user has globally signed out.", .unauthorized)
}
