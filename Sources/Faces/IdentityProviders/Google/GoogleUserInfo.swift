import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

/// Google's userinfo endpoint: the current one and version 3 use OpenID Connect's names, versions 1 and 2 Google's own.
struct GoogleUserInfo {
    let visit: Visit
    var isOld = false

    func respond() async throws -> Response {
        try await visit.enter("UserInfo")
        guard let text = try await token(), let token = try await GoogleAccessToken(text, in: visit) else {
            if isOld { return Self.unauthenticated }
            let hasToken = try await token() != nil
            throw OAuthError(
                .invalidRequest, "Invalid Credentials", status: .unauthorized,
                challenge: "Bearer realm=\"https://accounts.google.com/\"\(hasToken ? ", error=\"invalid_token\"" : "")")
        }
        var claims: JSONObject = [isOld ? "id" : "sub": .string(token.subject)]
        for (name, value) in token.claims.members { claims[isOld && name == "email_verified" ? "verified_email" : name] = value }
        return .json(.object(claims), headers: .unstored)
    }

    /// Returns the access token from the header, the query, or the body of a POST (RFC 6750 section 2).
    private func token() async throws -> String? {
        if let token = visit.authorization("bearer") { return token }
        return try await visit.parameters().value("access_token")
    }

    /// The error in the format of Google's APIs. (Google Cloud APIs, "Errors".)
    private static let unauthenticated = Response.json(
        [
            "error": [
                "code": 401, "status": "UNAUTHENTICATED",
                "message": .string(
                    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
                        + "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."),
            ]
        ], status: .unauthorized, headers: [.wwwAuthenticate: "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\""])
}
