import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// Sign-on to service providers (SAML 2.0 Profiles section 4.1), with the same pages and the same session as OpenID Connect.
struct SignOnEndpoint: AuthorizationEndpoint {
    let visit: Visit
    let settings: SAMLIdentityProvider

    /// The path that receives the forms of the login pages.
    static let formPath = "/saml/sign-in"

    /// The parameters with which the provider's own page selects a service provider.
    static let relyingParty = "loginToRp"
    static let relayState = "relayState"

    var signIn: SignIn { SignIn(endpoint: self, formPath: Self.formPath) }

    let unknownClient = FaultPage(
        code: "unknown_service_provider", explanation: "There is no service provider of this name here.")

    private var entityID: String { visit.entityID(settings) }

    func request(_ parameters: FormFields) async throws -> AuthorizationRequest {
        if let entityID = parameters[Self.relyingParty] {
            guard let serviceProvider = settings.serviceProvider(entityID), let consumer = serviceProvider.defaultConsumerService else {
                throw unknownClient
            }
            return authorization(of: SignOnRequest(to: serviceProvider, consumer: consumer, relayState: parameters[Self.relayState]))
        }
        do {
            let message = try ReceivedMessage(parameters)
            let reader = SignOnRequestReader(
                message: message, settings: settings, isEndpoint: { visit.isEndpoint($0, at: [SAMLPaths.signOn]) },
                isConsole: { visit.isConsoleCallback($0, state: message.relayState) })
            return authorization(of: try reader.request())
        } catch let refusal as SignOnRequestReader.Refusal {
            throw try await answer(to: refusal.request, status: refusal.status)
        }
    }

    private func authorization(of signOn: SignOnRequest) -> AuthorizationRequest {
        let serviceProvider = signOn.serviceProvider
        let client = Client(
            id: serviceProvider.entityID, secret: nil, name: serviceProvider.name,
            redirectURIs: [signOn.delivery ?? signOn.consumer.location], applicationID: nil)
        var request = AuthorizationRequest(client: client, redirectURI: signOn.delivery ?? signOn.consumer.location)
        request.signOn = signOn
        request.needsNoConsent = true
        if signOn.isForced { request.prompts.insert(.login) }
        if signOn.isPassive { request.prompts.insert(.none) }
        request.loginHint = signOn.subject?.name
        return request
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        guard let asked = request.signOn else { throw OAuthError.internalError }
        var signOn = SignOn(
            provider: visit.provider, entityID: entityID, serviceProvider: asked.serviceProvider, consumer: asked.consumer,
            person: approval.person, authenticated: approval.authenticated,
            sessionIndex: try approval.sessionID ?? SAMLIdentifier.make(), sessionLifetime: BrowserSession.lifetime)
        (signOn.requestID, signOn.format, signOn.context) = (asked.id, asked.format, asked.context)
        let name: AssertedName
        let response: SignOnResponse
        do {
            name = try signOn.name()
            try check(asked.subject, of: signOn)
            response = visit.mint.response(to: signOn, naming: name)
            try response.content?.check()
        } catch let status as SAMLStatus {
            throw try await answer(to: asked, status: status)
        }
        var answer = try await answer(response, to: asked)
        // After the key was read: a new provider of the same name has another key.
        try visit.grantIssuer.check(provider: visit.provider.name, person: approval.person.name)
        answer.participant = .serviceProvider(
            entityID: asked.serviceProvider.entityID, nameID: String(decoding: name.element.serialized(), as: UTF8.self))
        return answer
    }

    /// Checks that the user is the one that the service provider requested (SAML 2.0 Core section 3.4.1.4).
    private func check(_ subject: SignOnRequest.Subject?, of signOn: SignOn) throws {
        guard let subject else { return }
        var signOn = signOn
        signOn.format = subject.format ?? signOn.format
        guard try signOn.name().value == subject.name else {
            throw SAMLStatus(.responder, .unknownPrincipal, "Another user is logged in.")
        }
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) async throws -> AuthorizationAnswer {
        guard let asked = request.signOn else { throw OAuthError.internalError }
        let status =
            switch reason {
            case .accessDenied: SAMLStatus(.responder, .authnFailed, "The user denied access.")
            case .loginRequired, .consentRequired:
                SAMLStatus(.responder, .noPassive, "A page would have to be shown, and the request does not allow it.")
            }
        return try await answer(to: asked, status: status)
    }

    private func answer(to asked: SignOnRequest, status: SAMLStatus) async throws -> AuthorizationAnswer {
        var response = SignOnResponse(
            issuer: entityID, serviceProvider: asked.serviceProvider, consumer: asked.consumer, inResponseTo: asked.id,
            issued: visit.cloud.clock.now)
        response.status = status
        var answer = try await answer(response, to: asked)
        answer.errorCode = status.name
        return answer
    }

    private func answer(_ response: SignOnResponse, to asked: SignOnRequest) async throws -> AuthorizationAnswer {
        let relayState = asked.relayState
        let signer = try await SAMLSigner(of: visit.provider, hash: response.serviceProvider.signatureHash, in: visit.cloud)
        if let delivery = asked.delivery {
            let message = try response.element(signedBy: signer).serialized().base64
            return AuthorizationAnswer(to: delivery, mode: .query, fields: ["SAMLResponse": message, "RelayState": relayState])
        }
        switch try response.encoded(relayState: relayState, signedBy: signer) {
        case .form(let message):
            return AuthorizationAnswer(
                to: response.consumer.location, mode: .formPost, fields: ["SAMLResponse": message, "RelayState": relayState])
        case .query(let query):
            // The signature covers the query as it is, so it must not be encoded again.
            return AuthorizationAnswer(to: SAMLFace.url(response.consumer.location, with: query), mode: .query, fields: [:])
        }
    }

    func meaning(ofScope scope: String) -> String { scope }
}
