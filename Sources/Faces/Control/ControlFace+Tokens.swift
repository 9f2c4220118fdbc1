import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension ControlFace {
    private static let orderMembers = [
        "provider", "user", "client", "type", "format", "issuer", "claims", "missingClaims", "lifetime", "scope", "nonce", "redirect_uri",
        "code_challenge", "code_challenge_method", "algorithm", "header", "fault",
    ]

    /// `POST /_virga/tokens` with `{"provider":"company","user":"alice"}` and optional fields: issues the token that an application would
    /// get after this user's login, or an intentionally invalid one.
    func issueToken(_ call: Call, _ body: JSONObject) async throws -> Response {
        let order = try Self.order(in: body)
        if let issuer = order.issuer {
            guard let provider = call.cloud.directory.provider(issuer: issuer, names: call.names), provider.name == order.provider else {
                throw ControlError(
                    .badRequest, "unknown_issuer",
                    "'\(issuer)' is not an issuer of '\(order.provider)', such as \(call.origin)\(IssuerPaths.own)\(order.provider).")
            }
        }
        do {
            let minted = try await TokenMint(cloud: call.cloud).token(order, issuerOrigin: call.origin)
            return .json(
                Document<IssuedTokenMembers> {
                    [
                        $0.token(minted.token), $0.type(minted.kind.rawValue), $0.subject(minted.subject), $0.client(minted.client),
                        $0.lifetime(minted.expiresIn),
                    ]
                }.json)
        } catch let error as MintingError {
            throw ControlError(error, provider: order.provider, cloud: call.cloud)
        }
    }

    private static func order(in body: JSONObject) throws(ControlError) -> TokenOrder {
        try body.expect(only: orderMembers)
        guard let provider = try body.text("provider"), let user = try body.text("user") else {
            throw ControlError(.badRequest, "missing_member", "Send {\"provider\":\"facebook\",\"user\":\"alice\"}.")
        }
        var order = TokenOrder(provider: provider, user: user)
        order.client = try body.text("client")
        order.kind = try body.choice("type", of: TokenOrder.Kind.allCases)
        if let format = try body.text("format") {
            guard format == "jwt" else { throw malformedMember("'format' must be jwt; access tokens are opaque without it.") }
            order.isSigned = true
        }
        order.issuer = try body.text("issuer")
        order.claims = try body.object("claims") ?? [:]
        if let value = body["missingClaims"] {
            guard let names = value.arrayValue?.map(\.stringValue), !names.contains(nil) else {
                throw malformedMember("'missingClaims' must be an array of names.")
            }
            order.missingClaims = names.compactMap { $0 }
        }
        order.lifetime = try body["lifetime"].map { value throws(ControlError) in
            guard let seconds = value.integerValue, let lifetime = Int(exactly: seconds) else {
                throw malformedMember("'lifetime' must be a whole number of seconds.")
            }
            return lifetime
        }
        order.scopes = try body.text("scope").map { $0.split(separator: " ").map(String.init) }
        order.nonce = try body.text("nonce")
        order.redirectURI = try body.text("redirect_uri")
        order.codeChallenge = try body.text("code_challenge")
        if let method = try body.text("code_challenge_method") {
            guard method == "S256" || method == "plain" else { throw malformedMember("'code_challenge_method' must be S256 or plain.") }
            order.codeChallengeMethod = method
        }
        order.algorithm = try body.choice("algorithm", of: SignatureAlgorithm.published)
        order.header = try body.object("header") ?? [:]
        order.fault = try body.choice("fault", of: TokenFault.allCases)
        return order
    }

    static func malformedMember(_ message: String) -> ControlError { ControlError(.badRequest, "malformed_member", message) }
}

extension JSONObject {
    /// Returns the object at `name`, if it is present.
    fileprivate func object(_ name: String) throws(ControlError) -> JSONObject? {
        guard let value = self[name] else { return nil }
        guard let object = value.objectValue else { throw ControlFace.malformedMember("'\(name)' must be an object.") }
        return object
    }

    /// Returns the case that the string at `name` selects, if it is present.
    func choice<Value: RawRepresentable<String>>(_ name: String, of values: [Value]) throws(ControlError) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = values.first(where: { $0.rawValue == text }) else {
            throw ControlFace.malformedMember("'\(name)' must be one of \(values.map(\.rawValue).joined(separator: ", ")).")
        }
        return value
    }
}

extension ControlError {
    /// The number of names that an error lists: a provider can have any number of people and clients.
    private static let listedNames = 20

    /// Creates the error of a token or an assertion that was not issued.
    /// - Parameter name: the name of the provider in the request.
    init(_ error: MintingError, provider name: String, cloud: Cloud) {
        func oneOf(_ names: some Collection<String>) -> String {
            let more = names.count > Self.listedNames ? ", …" : ""
            return names.isEmpty ? "it has none" : "expected one of \(names.prefix(Self.listedNames).joined(separator: ", "))\(more)"
        }
        let directory = cloud.directory
        let provider = directory.providers[name]
        self =
            switch error {
            case .unknownProvider(let name):
                ControlError(
                    .notFound, "unknown_provider",
                    "There is no provider '\(name)'; expected one of \(directory.providers.keys.sorted().joined(separator: ", ")).")
            case .unknownUser(let user):
                ControlError(
                    .notFound, "unknown_user",
                    "The provider '\(name)' has no user '\(user)'; \(oneOf(provider?.people.map(\.name) ?? [])).")
            case .unknownClient(let id):
                ControlError(
                    .notFound, "unknown_client",
                    "The provider '\(name)' has no client '\(id)'; \(oneOf(provider?.clients.map(\.id) ?? [])).")
            case .kindNotPossible(let kind):
                ControlError(.badRequest, "type_not_possible", "The provider issues no \(kind.rawValue) of this kind.")
            case .opaque(let kind):
                ControlError(
                    .badRequest, "claims_not_possible",
                    "This \(kind.rawValue) is opaque: it has no claims, header or signature, so the only possible fault is expired.")
            case .missingRedirectURI:
                ControlError(.badRequest, "missing_member", "Add the 'redirect_uri' of the code: the client has not registered one.")
            case .invalidLifetime: ControlFace.malformedMember("'lifetime' must be from 1 second to ten years.")
            }
    }
}
