import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// An identity provider of a pool: an application of one of the sandbox's own identity providers. (Amazon Cognito Developer Guide, "Adding user
/// pool sign-in through a third party".)
struct HostedProvider: Sendable {
    let visit: HostedVisit
    let provider: UserPoolIdentityProvider
    /// The identity provider of the sandbox.
    private let own: IdentityProvider
    private let send: Outbound

    /// Why nobody is signed in. The message reaches the app.
    struct Fault: Error, Equatable {
        let message: String
    }

    /// A person as the provider describes one.
    struct Person: Sendable {
        let subject: String
        let claims: JSONObject
    }

    /// - Throws: ``Fault`` if the sandbox does not have the provider.
    init(_ provider: UserPoolIdentityProvider, in visit: HostedVisit) throws(Fault) {
        let directory = visit.cloud.directory
        let known: IdentityProvider? =
            if let kind = provider.kind.social {
                directory.provider(ofKind: kind)
            } else {
                provider["oidc_issuer"].flatMap { directory.provider(issuer: $0, names: visit.call.names) }
            }
        guard let found = known, let send = visit.outbound else {
            throw Fault(message: "\(provider.name) Error - the sandbox has no such identity provider")
        }
        (self.visit, self.provider, own, self.send) = (visit, provider, found, send)
    }

    private var descriptor: ProviderDescriptor { own.kind.descriptor }

    /// The canonical issuer, without a slash at its end.
    private var issuer: String {
        let issuer = own.issuer ?? ""
        return issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    }

    /// The redirect URI at the provider.
    private var callback: String { visit.url(HostedFederation.path) }

    /// Returns the URL of the provider's authorization endpoint, to which the browser goes. Beside the name of the pool's domain, it has the
    /// provider's own name; otherwise, it is on the same host as the pages.
    func authorizationURL(state: String, nonce: String) -> String {
        let base: String
        if !visit.basePath.isEmpty {
            base = visit.call.origin + IssuerPaths.own + own.name
        } else {
            base =
                switch provider.kind {
                case .facebook: "https://www.facebook.com"
                case .google: "https://accounts.google.com"
                case .amazon: "https://www.amazon.com"
                case .openIDConnect, .saml, .apple: issuer
                }
        }
        var fields: FormFields = [
            "response_type": "code", "client_id": provider["client_id"] ?? "", "redirect_uri": callback,
            "scope": provider["authorize_scopes"] ?? descriptor.loginScope, "state": state,
        ]
        if descriptor.signsIDTokens { fields.fields.append(.init(name: "nonce", value: nonce)) }
        return base + descriptor.authorizationPath + "?" + fields.encoded
    }

    /// The URLs for calls of the pool itself, which never leave this process.
    private func url(of path: String, isProfile: Bool = false) -> String {
        switch provider.kind {
        case .facebook: "https://graph.facebook.com" + path
        case .google: (isProfile ? "https://openidconnect.googleapis.com" : "https://oauth2.googleapis.com") + path
        case .amazon: "https://api.amazon.com" + path
        case .openIDConnect, .saml, .apple: issuer + path
        }
    }

    /// Redeems the provider's code, and returns the person.
    /// - Throws: ``Fault``, or an error of the storage.
    func person(redeeming code: String, nonce: String) async throws -> Person {
        var form: FormFields = [
            "code": code, "redirect_uri": callback, "client_id": provider["client_id"] ?? "",
            "client_secret": provider["client_secret"] ?? "",
        ]
        if provider.kind != .facebook { form.fields.append(.init(name: "grant_type", value: "authorization_code")) }
        if provider["client_secret"] == nil { form.fields.removeAll { $0.name == "client_secret" } }
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let tokens = try await document(
            OutboundRequest(
                method: .post, url: url(of: descriptor.tokenPath), headers: headers, body: Array(form.encoded.utf8)), "error getting token")
        guard let accessToken = tokens["access_token"]?.stringValue else { throw fault("the token response has no access token") }
        var claims: JSONObject = [:]
        if descriptor.signsIDTokens {
            guard let text = tokens["id_token"]?.stringValue else { throw fault("the token response has no ID token") }
            claims = try await verified(text, nonce: nonce)
        }
        headers = [.authorization: "Bearer " + accessToken]
        let profile = try await document(
            OutboundRequest(url: profileURL(accessToken), headers: provider.kind == .facebook ? [:] : headers), "error getting user info")
        // Userinfo is about the person of the ID token (OpenID Connect Core 1.0 section 5.3.2).
        let subjectName = provider.kind.subjectClaim
        if let known = claims[subjectName], profile[subjectName] != known { throw fault("user info is about another user") }
        for (name, value) in profile.objectValue?.members ?? [] { claims[name] = value }
        guard let subject = claims[subjectName].flatMap(Self.text), !subject.isEmpty, subject.utf8.count <= 128 else {
            throw fault("user info has no \(subjectName)")
        }
        return Person(subject: subject, claims: claims)
    }

    private func profileURL(_ accessToken: String) -> String {
        let url = url(of: descriptor.profilePath, isProfile: true)
        guard provider.kind == .facebook else { return url }
        let names = [provider.kind.subjectClaim] + provider.mapping.filter { $0.name != "username" }.map(\.value)
        let fields: FormFields = ["fields": names.joined(separator: ","), "access_token": accessToken]
        return url + "?" + fields.encoded
    }

    private func fault(_ what: String) -> Fault { Fault(message: "\(provider.name) Error - \(what)") }

    private func document(_ request: OutboundRequest, _ what: String) async throws -> JSONValue {
        let response: OutboundResponse
        do { response = try await send(request) } catch { throw fault("no response, \(what)") }
        guard response.status == 200, let document = try? JSONValue(parsing: response.body), document.objectValue != nil else {
            throw fault("\(response.status) \(what)")
        }
        return document
    }

    /// Verifies an ID token with the keys of the provider, and returns its claims (OpenID Connect Core 1.0 section 3.1.3.7).
    private func verified(_ text: String, nonce: String) async throws -> JSONObject {
        guard let token = try await visit.cloud.token(text, signedBy: own.name) else { throw fault("the ID token is not verified") }
        let audiences = token.claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [token.claims["aud"]?.stringValue ?? ""]
        guard audiences.count == 1, audiences[0] == provider["client_id"] ?? "" else { throw fault("the ID token is for another client") }
        guard let given = token.claims["nonce"]?.stringValue, constantTimeEquals(given, nonce) else {
            throw fault("the ID token has another nonce")
        }
        guard let issued = token.claims["iat"]?.integerValue, let expires = token.claims["exp"]?.integerValue,
            !visit.cloud.clock.hasExpired(Timestamp(seconds: expires), issuedAt: Timestamp(seconds: issued))
        else { throw fault("the ID token has expired") }
        return token.claims
    }

    /// Returns the attributes that claims become for an app.
    /// - Throws: ``Fault`` for a claim that the app or the schema cannot take.
    func attributes(of person: Person, for client: UserPoolClient) throws(Fault) -> [UserPoolUser.Attribute] {
        var attributes: [UserPoolUser.Attribute] = []
        for mapped in provider.mapping where mapped.name != "username" {
            guard let value = person.claims[mapped.value].flatMap(Self.text), let known = visit.pool.attribute(mapped.name)
            else { continue }
            guard client.writes(known.name) || UserPoolAttribute.verified.contains(known.name) else {
                throw Fault(message: "A client attempted to write unauthorized attribute")
            }
            guard known.accepts(value) else {
                throw Fault(
                    message: "Attributes did not conform to the schema: \(known.name): The attribute value is not valid")
            }
            attributes.append(UserPoolUser.Attribute(known.name, value))
        }
        return attributes
    }

    /// Attributes are texts.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        default: value.serialized()
        }
    }
}
