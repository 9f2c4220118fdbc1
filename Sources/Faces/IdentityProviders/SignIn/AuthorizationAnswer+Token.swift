import Calls
import Cloud
import Directory
import Tokens
import WireFormats

extension AuthorizationAnswer {
    /// The number of seconds for which a response token is valid (JARM section 2.1 recommends at most ten minutes).
    private static let lifetime: Int64 = 600

    /// Returns the response to the browser. In the response modes of JARM, its only field is a token with all fields.
    /// - Throws: `GrantRefusal`, `OAuthError` if the client publishes no key for its encryption, or an error of the storage.
    func response(in visit: Visit) async throws -> Response {
        guard let client = tokenReceiver else { return response(of: visit.provider) }
        var claims: JSONObject = [
            "iss": .string(visit.issuer), "aud": .string(client.id),
            "exp": .integer(visit.cloud.clock.now.seconds + Self.lifetime),
        ]
        for field in fields.fields { claims[field.name] = .string(field.value) }
        let token = try await visit.signed(
            claims, for: client, algorithm: client.metadata.authorizationSignedResponseAlg, .authorization)
        var answer = self
        answer.tokenReceiver = nil
        answer.fields = ["response": token]
        return answer.response(of: visit.provider)
    }
}
