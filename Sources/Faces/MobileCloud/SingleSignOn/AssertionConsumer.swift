import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// `POST …/sso/redirect/saml`: accepts the response of the realm's identity provider.
/// (SAML 2.0 Profiles sections 4.1.4.2, 4.1.4.3 and 4.1.4.5.)
struct AssertionConsumer {
    let call: MobileCall

    /// The longest form in bytes.
    private static let longestForm = 256 << 10
    /// The number of seconds that the identity provider's clock may be ahead.
    static let skew: Int64 = 60
    /// The field that marks a form which our own page sent again.
    private static let again = "again"

    func respond() async throws -> Response {
        let form = try await form()
        guard let text = form["SAMLResponse"], let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else {
            throw MobileError(.malformedRequest, "The form must hold a SAMLResponse in base 64.")
        }
        // Browsers omit the cookie from forms of other sites (`SameSite=Lax`). Our own page sends such a form again, with the cookie.
        if RelayCookie.browser.value(in: call.http) == nil, form[Self.again] == nil {
            var fields = form
            fields.fields.append(.init(name: Self.again, value: "1"))
            return RelayPage.posting(fields, to: SingleSignOn.consumerPath, title: "Back from the login page")
        }
        let login = try await PendingLogin.take(form["RelayState"], in: call)
        return try await login.finish(in: call) { realm in try await providerUser(document, in: realm, for: login) }
    }

    private func form() async throws -> FormFields {
        var form: FormFields
        do {
            form = try await call.http.form(upTo: Self.longestForm)
        } catch let fault as FormFault {
            throw MobileError(fault)
        }
        form.fields.removeAll { !["SAMLResponse", "RelayState", Self.again].contains($0.name) }
        if let name = form.repeatedName { throw MobileError(.malformedRequest, "The field \(name) of the form is repeated.") }
        return form
    }

    private func providerUser(_ document: [UInt8], in realm: Realm, for login: PendingLogin) async throws -> PendingLogin.ProviderUser {
        guard case .saml(let settings) = realm.signOn, let request = login.expected["request"]?.stringValue,
            let audience = login.expected["audience"]?.stringValue, let consumer = login.expected["consumer"]?.stringValue
        else { throw MobileError(.signOnFailed, "The realm \(realm.key) does not log in by SAML.") }
        let relay = RelayServiceProvider(call: call)
        let party = try await AssertingParty(settings, of: relay)
        try Self.checkEnvelope(document, answering: request, at: consumer)
        let verifier = SAMLResponseVerifier(issuer: party.entityID, keys: party.keys, decryptionKeys: try await relay.decryptionKeys())
        let assertion: SAMLAssertion
        do {
            assertion = try verifier.verify(document)
        } catch {
            throw Self.refusal(error)
        }
        guard try await !call.cloud.isOfAnotherSandbox(assertion: assertion.id, signedByOneOf: party.keys) else {
            throw Self.refusal(.notSigned(.wrongSignature))
        }
        try check(assertion, answering: request, at: consumer, for: audience)
        let name = settings.usernameAttribute.map { assertion.values(of: $0).first } ?? assertion.nameID?.value
        guard let name, !name.isEmpty else {
            let missing = settings.usernameAttribute.map { "attribute \($0)" } ?? "name of a subject"
            throw MobileError(.signOnFailed, "The identity provider's assertion has no \(missing).")
        }
        // Aging moves the end of the provider's session together with the assertion.
        let end = assertion.authentications.compactMap(\.sessionEnd).min().map {
            call.cloud.clock.effectiveExpiry($0, issuedAt: assertion.issued)
        }
        return PendingLogin.ProviderUser(name: name, mapping: settings.mapping, end: end)
    }

    /// Checks the response around the assertion. It is usually unsigned, but must not name another request or another destination.
    /// The status of an unsuccessful response is shown, since the user may be able to act on it.
    private static func checkEnvelope(_ document: [UInt8], answering request: String, at consumer: String) throws(MobileError) {
        // These limits are above what any real response needs.
        let limits = XMLLimits(depth: 32, attributes: 64, elements: 20_000, size: longestForm)
        guard let response = try? XMLElement(parsing: document, limits: limits) else { throw refusal(.notXML) }
        guard response.attribute("InResponseTo") ?? request == request else {
            throw MobileError(.signOnFailed, "The identity provider's response is for another request.")
        }
        guard response.attribute("Destination") ?? consumer == consumer else {
            throw MobileError(.signOnFailed, "The identity provider's response is for another destination.")
        }
        guard let status = response.child("Status", in: SAML.protocol), let code = status.child("StatusCode", in: SAML.protocol),
            let value = code.attribute("Value"), value != SAML.StatusCode.success.rawValue
        else { return }
        let codes = [value, code.child("StatusCode", in: SAML.protocol)?.attribute("Value")].compactMap { $0?.split(separator: ":").last }
        let message = status.child("StatusMessage", in: SAML.protocol).map { ": \($0.text)" } ?? "."
        throw MobileError(.signOnFailed, "The identity provider returned the status \(codes.joined(separator: ", "))\(message)")
    }

    private func check(
        _ assertion: SAMLAssertion, answering request: String, at consumer: String, for audience: String
    ) throws(MobileError) {
        let clock = call.cloud.clock
        func isOver(_ end: Timestamp) -> Bool { clock.hasExpired(end, issuedAt: assertion.issued) }
        func isAhead(_ start: Timestamp) -> Bool {
            !clock.hasExpired(Timestamp(milliseconds: start.milliseconds - Self.skew * 1000), issuedAt: assertion.issued)
        }
        guard !isAhead(assertion.issued) else { throw MobileError(.signOnFailed, "The assertion was issued in the future.") }
        let isConfirmed = assertion.confirmations.contains { confirmation in
            guard let end = confirmation.notOnOrAfter else { return false }
            return confirmation.method == SAML.bearer && confirmation.notBefore == nil && confirmation.recipient == consumer
                && confirmation.inResponseTo == request && !isOver(end)
        }
        guard isConfirmed else {
            throw MobileError(
                .signOnFailed, "The assertion has no valid subject confirmation for this request and this URL.")
        }
        guard let conditions = assertion.conditions, !conditions.audiences.isEmpty,
            conditions.audiences.allSatisfy({ $0.contains(audience) })
        else { throw MobileError(.signOnFailed, "The assertion is for another audience than \(audience).") }
        if let start = conditions.notBefore, isAhead(start) { throw MobileError(.signOnFailed, "The assertion is not valid yet.") }
        if let end = conditions.notOnOrAfter, isOver(end) { throw MobileError(.signOnFailed, "The assertion has expired.") }
        guard !assertion.authentications.isEmpty else {
            throw MobileError(.signOnFailed, "The assertion has no authentication statement.")
        }
        if assertion.authentications.contains(where: { $0.sessionEnd.map(isOver) ?? false }) {
            throw MobileError(.signOnFailed, "The user's session at the identity provider has ended.")
        }
    }

    private static func refusal(_ error: SAMLResponseError) -> MobileError {
        let detail =
            switch error {
            case .notXML: "The identity provider's response is not valid XML, or exceeds a limit."
            case .malformed(let what): what
            case .unsuccessful(let code): "The identity provider returned the status \(code)."
            case .foreignIssuer: "The response does not come from the realm's identity provider."
            case .notEncrypted: "The assertion is not encrypted."
            case .undecryptable: "The assertion was encrypted for another recipient."
            case .notSigned: "The assertion is not signed with a key of the realm's identity provider."
            }
        return MobileError(.signOnFailed, detail)
    }
}
