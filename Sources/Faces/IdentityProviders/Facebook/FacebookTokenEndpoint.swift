import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `/oauth/access_token`: codes, app tokens, and the exchange for long-lived tokens.
/// (Meta for Developers, "Manually Build a Login Flow", "Access Tokens"; text responses before version 2.3 by the changelog.)
struct FacebookTokenEndpoint {
    let request: GraphRequest

    /// The lifetime of an exchanged token in seconds: 60 days.
    static let longLifetime = 5_184_000

    private var visit: Visit { request.visit }

    func respond() async throws -> Response {
        try await visit.enter("Token")
        switch request.parameters.value("grant_type") {
        case nil, "authorization_code": return try await redeemCode()
        case "client_credentials":
            let client = try authenticate()
            return answer("\(client.id)|\(client.secret ?? "")", expiresIn: nil, for: client)
        case "fb_exchange_token": return try await extend()
        case let other?: throw GraphError(message: "Unsupported grant type: \(other)", code: 100)
        }
    }

    /// The app's id and secret: in parameters, or in an HTTP Basic header, where generic OAuth clients put the secret or both.
    private var credentials: (identifier: String?, secret: String?) {
        let header = visit.call.headers[.authorization].flatMap(ClientAuthentication.basic)
        let parameters = request.parameters
        return (parameters.value("client_id") ?? header?.identifier, parameters.value("client_secret") ?? header?.secret)
    }

    /// Returns the app that the request names.
    private func namedClient() throws -> Client {
        guard let identifier = credentials.identifier else {
            throw GraphError(message: "Missing client_id parameter.", code: 101)
        }
        guard let client = visit.provider.client(identifier) else {
            throw GraphError.unknownApp
        }
        return client
    }

    /// Returns an ID token, if the scope `openid` was granted.
    private func idToken(_ approval: Approval, accessToken: String) async throws -> String? {
        guard approval.scopes.contains(FacebookIDToken.scope) else { return nil }
        return try await FacebookIDToken(visit: visit, approval: approval, version: request.pathVersion).text(accessToken: accessToken)
    }

    private func authenticate() throws -> Client {
        let client = try namedClient()
        guard let secret = credentials.secret else {
            throw GraphError(message: "Missing client_secret parameter.", code: 1)
        }
        guard let expected = client.secret, constantTimeEquals(secret, expected) else { throw GraphError.wrongSecret }
        return client
    }

    private func redeemCode() async throws -> Response {
        guard credentials.identifier != nil else {
            throw GraphError(message: "Missing client_id parameter.", code: 101)
        }
        guard let redirectURI = request.parameters["redirect_uri"], try !redirectURI.isEmpty || isOfSignedRequest() else {
            throw GraphError(message: "Missing redirect_uri parameter.", code: 191)
        }
        let verifier = request.parameters.value("code_verifier")
        // With PKCE, apps redeem codes without their secret. (Meta for Developers, "OIDC Token with Manual Flow".)
        let client = try verifier == nil || credentials.secret != nil ? authenticate() : namedClient()
        guard let text = request.parameters.value("code") else {
            throw GraphError(message: "Missing authorization code", code: 1)
        }
        let code = AuthorizationCode(text: text, visit: visit)
        do {
            let grant = try await code.check(by: client, redirectURI: redirectURI, verifier: verifier)
            guard let approval = Approval(grant, at: visit.provider) else { throw GraphError.notAuthorized(client) }
            visit.call.note(caller: approval.person.name)
            let access = try visit.mint.newAccessToken(approval)
            return try await visit.refusing(app: client) {
                try await code.spend(grant, on: [access])
                return answer(
                    access.token, expiresIn: visit.provider.tokenLifetime, for: client,
                    idToken: try await idToken(approval, accessToken: access.token))
            }
        } catch let fault as AuthorizationCode.Fault {
            throw Self.error(for: fault)
        }
    }

    /// Returns whether the code came in a signed request. Only such codes are redeemed with an empty redirect URI.
    private func isOfSignedRequest() throws -> Bool {
        let code = request.parameters.value("code") ?? ""
        return try visit.cloud.grants.look(up: code, kind: .code, at: visit.provider.name)?.details["redirect_uri"] == ""
    }

    private static func error(for fault: AuthorizationCode.Fault) -> GraphError {
        switch fault {
        case .unknown, .otherClient, .missingVerifier, .unexpectedVerifier, .wrongVerifier:
            GraphError(message: "Invalid verification code format.", code: 100)
        case .expired: GraphError(message: "This authorization code has expired.", code: 100, subcode: 36007)
        case .alreadyUsed: GraphError(message: "This authorization code has been used.", code: 100, subcode: 36009)
        case .otherRedirectURI:
            GraphError(
                message:
                    "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in "
                    + "the OAuth dialog request", code: 100, subcode: 36008)
        }
    }

    private func extend() async throws -> Response {
        let client = try authenticate()
        guard let token = request.parameters.value("fb_exchange_token") else {
            throw GraphError(message: "fb_exchange_token parameter not specified", code: 1)
        }
        guard case .person(_, let approval) = try request.holder(of: token), approval.client.id == client.id else {
            throw GraphError(message: "Error validating access token: it was not issued to application \(client.id).", code: 190)
        }
        visit.call.note(caller: approval.person.name)
        let longLived = try await visit.refusing(app: client) {
            try await visit.mint.accessToken(approval, lifetime: Self.longLifetime)
        }
        return answer(longLived, expiresIn: Self.longLifetime, for: client)
    }

    /// Returns the token response.
    /// - Parameters:
    ///   - expiresIn: seconds; `nil` for app tokens, which do not expire.
    ///   - idToken: the ID token, if there is one.
    private func answer(_ token: String, expiresIn: Int?, for client: Client, idToken: String? = nil) -> Response {
        if request.version(for: client) < GraphVersion(major: 2, minor: 3) {
            let end = expiresIn.map { "&expires=\($0)" } ?? ""
            return Response(
                status: .ok, contentType: "text/plain; charset=UTF-8", headers: .unstored, text: "access_token=\(token)\(end)")
        }
        var body: JSONObject = ["access_token": .string(token), "token_type": "bearer"]
        if let expiresIn { body["expires_in"] = .integer(Int64(expiresIn)) }
        if let idToken { body["id_token"] = .string(idToken) }
        return .json(.object(body), headers: .unstored)
    }
}
