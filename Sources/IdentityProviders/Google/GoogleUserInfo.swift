import Cloud
import Exchange
import Federation
import HTTPTypes
import WireFormats

/// Google's userinfo endpoint, current and version 3.
struct GoogleUserInfo {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("UserInfo")
        let token = try visit.authorization("bearer") ?? visit.query().value("access_token")
        guard let token, let grant = try visit.cloud.grants.find(token, kind: .accessToken, at: visit.provider.name),
            let approval = Approval(grant, at: visit.provider)
        else {
            let error = token == nil ? "" : ", error=\"invalid_token\""
            throw OAuthError(
                .invalidRequest, "Invalid Credentials", status: .unauthorized,
                challenge: "Bearer realm=\"https://accounts.google.com/\"\(error)")
        }
        visit.exchange.note(caller: approval.person.name)
        var claims: JSONObject = ["sub": .string(approval.person.subject)]
        for (name, value) in approval.person.claims(for: approval.scopes).members { claims[name] = value }
        return .json(.object(claims), headers: .unstored)
    }
}
