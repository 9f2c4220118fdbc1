import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// What a browser carries to an identity provider and back, in the parameter `state`: the request of the app, sealed. It is bound to the browser, and
/// used once.
struct HostedState: Sendable {
    /// The name of the provider.
    let provider: String
    /// The query of the app's request.
    let query: String
    /// The value of ``HostedForm/browser``.
    let browser: String
    /// The `nonce` of the provider's ID token, which identifies the state, too.
    let nonce: String
    private let pool: String
    private let issued: Timestamp

    private static let context = Array("user pool federation".utf8)
    /// (Amazon Cognito Developer Guide, "OIDC user pool IdP authentication flow".)
    private static let lifetime = Duration.seconds(300)

    init(provider: String, query: String, browser: String, in visit: HostedVisit) throws {
        (self.provider, self.query, self.browser) = (provider, query, browser)
        (nonce, pool, issued) = (try OpaqueToken.unguessable(), visit.pool.id, visit.cloud.clock.now)
    }

    /// Opens a state; `nil` for one that is not of the pool or too old.
    init?(_ text: String, in visit: HostedVisit) {
        guard let bytes = [UInt8](base64url: text),
            let record = try? SealedRecord.open(bytes, key: visit.cloud.sealingKey, context: Self.context),
            let members = (try? JSONValue(parsing: record))?.arrayValue, members.count == 6, let provider = members[0].stringValue,
            let query = members[1].stringValue, let browser = members[2].stringValue, let nonce = members[3].stringValue,
            let pool = members[4].stringValue, pool == visit.pool.id, let milliseconds = members[5].integerValue
        else { return nil }
        let issued = Timestamp(stored: milliseconds)
        guard !visit.cloud.clock.hasExpired(issued + Self.lifetime, issuedAt: issued) else { return nil }
        (self.provider, self.query, self.browser) = (provider, query, browser)
        (self.nonce, self.pool, self.issued) = (nonce, pool, issued)
    }

    func text(in visit: HostedVisit) throws -> String {
        let record: JSONValue = [
            .string(provider), .string(query), .string(browser), .string(nonce), .string(pool), .integer(issued.milliseconds),
        ]
        return try SealedRecord.sealedBytes(record.serializedBytes(), key: visit.cloud.sealingKey, context: Self.context).base64url
    }

    /// Notes that the state was used.
    /// - Returns: whether it was used for the first time.
    func use(in cloud: Cloud) -> Bool {
        let now = cloud.clock.wall
        let answer = cloud.usedIdentifiers.take(nonce, of: pool, .providerStates, until: now + .seconds(3600), now: now)
        guard case .new = answer else { return false }
        return true
    }
}

/// The sign-in with an identity provider.
enum HostedFederation {
    /// The path of the redirect URI at providers.
    static let path = "/oauth2/idpresponse"

    /// Sends a browser to a provider.
    static func start(_ request: HostedRequest, with provider: UserPoolIdentityProvider, in visit: HostedVisit) throws -> Response {
        let form = try HostedForm(for: visit)
        let state = try HostedState(provider: provider.name, query: visit.call.query, browser: form.browser, in: visit)
        let target: HostedProvider
        do throws(HostedProvider.Fault) {
            target = try HostedProvider(provider, in: visit)
        } catch {
            throw request.refusal("invalid_request", error.message, description: error.message)
        }
        let url = target.authorizationURL(state: try state.text(in: visit), nonce: state.nonce)
        var response = Response.redirect(to: url, headers: .unstored)
        response.headers.append(HostedCookie.form.setting(form.value, in: visit))
        return response
    }

    /// Handles the return of a browser from a provider.
    static func respond(_ visit: HostedVisit) async throws -> Response {
        try await visit.enter("IdpResponse")
        let query = try visit.query()
        let invalid = HostedFault("invalid_state", "Invalid state")
        guard let state = query.value("state").flatMap({ HostedState($0, in: visit) }),
            constantTimeEquals(state.browser, try HostedForm(for: visit).browser), state.use(in: visit.cloud),
            let parameters = FormFields(parsing: state.query)
        else { throw invalid }
        let request = try HostedRequest(parameters, in: visit)
        guard let provider = visit.pools.identityProvider(state.provider, in: visit.pool.id),
            request.client.oauthSettings.providers.contains(provider.name)
        else { throw invalid }
        if let error = query.value("error") {
            let description = query.value("error_description") ?? query.value("error_reason") ?? error
            throw request.refusal(error, "The identity provider returned an error.", description: description)
        }
        guard let code = query.value("code") else { throw invalid }
        let user = try await signedIn(request, provider, code: code, nonce: state.nonce, in: visit)
        let (session, cookie) = try await HostedSession.start(for: user, in: visit)
        var response = try await request.answer(session, in: visit)
        response.headers.append(HostedCookie.session.setting(cookie, in: visit))
        return response
    }

    private static func signedIn(
        _ request: HostedRequest, _ provider: UserPoolIdentityProvider, code: String, nonce: String, in visit: HostedVisit
    ) async throws -> UserPoolUser {
        do {
            let source = try HostedProvider(provider, in: visit)
            let person = try await source.person(redeeming: code, nonce: nonce)
            let signIn = visit.signIn(to: request.client)
            let isKnown = visit.pools.user(linkedTo: provider.name, subject: person.subject, in: visit.pool.id) != nil
            let (sub, now) = (try UserPoolIdentifier.newUUID(), visit.cloud.clock.now)
            var given = try source.attributes(of: person, for: request.client)
            if !isKnown {
                var new = UserPoolUser(
                    pool: visit.pool.id, sub: sub, username: provider.username(of: person.subject), status: .externalProvider, created: now)
                for attribute in given { new[attribute: attribute.name] = attribute.value }
                try await signIn.triggers.preSignUp(&new, "ExternalProvider", validation: [])
                given = new.attributes
            }
            let attributes = given
            let user = try await visit.cloud.edit { directory in
                try directory.signIn(person.subject, at: provider, attributes, newSub: sub, time: now)
            }
            guard user.isEnabled else { throw UserPoolError.disabledUser }
            guard user.canHaveSession else { throw UserPoolError.unconfirmedUser }
            // Public reports: functions before and after a sign-in by password are not called for a new person, and the former for none.
            guard !isKnown else { return try await signIn.conclude(user) }
            try await signIn.triggers.postConfirmation(user, "ConfirmSignUp")
            return try signIn.present(user)
        } catch {
            // Other failures are errors of the process.
            guard let message = (error as? HostedProvider.Fault)?.message ?? HostedSignIn.refusal(error)?.message else { throw error }
            throw request.refusal("invalid_request", message, description: message)
        }
    }
}

extension UserPoolUser {
    /// Whether the person can be signed in at hosted pages without a challenge.
    var canHaveSession: Bool { status == .confirmed || status == .externalProvider }
}
