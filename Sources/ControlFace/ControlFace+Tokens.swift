import Cloud
import Exchange
import Federation
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `POST /_virga/tokens` with `{"provider":"company","user":"alice"}`, optionally `client`, `claims` and `lifetime` in
    /// seconds: the token that an application would hold after this person's login, without the login.
    func issueToken(_ exchange: Exchange, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["provider", "user", "client", "claims", "lifetime"])
        guard let provider = try body.text("provider"), let user = try body.text("user") else {
            throw ControlError(.badRequest, "missing_member", "Say for whom: {\"provider\":\"facebook\",\"user\":\"alice\"}.")
        }
        let claims = try body["claims"].map { value in
            guard let claims = value.objectValue else {
                throw ControlError(.badRequest, "malformed_member", "'claims' must be an object.")
            }
            return claims
        }
        let lifetime = try body["lifetime"].map { value in
            guard let seconds = value.integerValue, let lifetime = Int(exactly: seconds) else {
                throw ControlError(.badRequest, "malformed_member", "'lifetime' must be a whole number of seconds.")
            }
            return lifetime
        }
        do {
            let minted = try await TokenMint(cloud: exchange.cloud).token(
                provider: provider, user: user, client: try body.text("client"), claims: claims ?? [:], lifetime: lifetime,
                issuerOrigin: exchange.origin)
            return .json([
                "token": .string(minted.token), "subject": .string(minted.subject), "client": .string(minted.client),
                "expires_in": .integer(Int64(minted.expiresIn)),
            ])
        } catch let error as MintingError {
            throw ControlError(error, cloud: exchange.cloud)
        }
    }
}

extension ControlError {
    init(_ error: MintingError, cloud: Cloud) {
        let providers = cloud.directory.providers.keys.sorted().joined(separator: ", ")
        self =
            switch error {
            case .unknownProvider(let name):
                ControlError(.notFound, "unknown_provider", "There is no provider '\(name)'; there are \(providers).")
            case .unknownUser(let name): ControlError(.notFound, "unknown_user", "The provider has no person '\(name)'.")
            case .unknownClient(let id): ControlError(.notFound, "unknown_client", "The provider has no client '\(id)'.")
            case .claimsNotPossible:
                ControlError(.badRequest, "claims_not_possible", "The provider's tokens are opaque and carry no claims.")
            case .invalidLifetime:
                ControlError(.badRequest, "malformed_member", "'lifetime' must be from 1 second to ten years.")
            }
    }
}
