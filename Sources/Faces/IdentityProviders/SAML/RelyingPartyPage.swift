import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// IdP-initiated sign-on: a list of service providers, or a link that names one, as in AD FS.
/// (SAML 2.0 Profiles section 4.1.5; AD FS, "IdpInitiatedSignOn".)
struct RelyingPartyPage {
    let endpoint: SignOnEndpoint

    private var visit: Visit { endpoint.visit }

    func respond() async throws -> Response {
        var fields: FormFields
        do {
            fields = try visit.query()
            if visit.call.method == .post { fields.fields += try await visit.form().fields }
        } catch let fault as FormFault {
            throw FaultPage(code: "invalid_request", explanation: fault.explanation)
        }
        // AD FS combines both in one parameter, escaped twice: RelayState=RPID%3D<entity>%26RelayState%3D<state>.
        let relayState = fields.value("RelayState")
        let wrapped = relayState.flatMap(FormFields.init(parsing:))
        let isWrapped = wrapped?.value("RPID") != nil
        guard let entityID = fields.value(SignOnEndpoint.relyingParty) ?? wrapped?.value("RPID") else { return try await list() }
        var parameters: FormFields = [SignOnEndpoint.relyingParty: entityID]
        if let state = isWrapped ? wrapped?.value("RelayState") : relayState {
            parameters.fields.append(.init(name: SignOnEndpoint.relayState, value: state))
        }
        // Clients of AD FS send the fields of its login page together with the request.
        if visit.call.method == .post, !visit.call.source.isForeignPage, let userName = fields["UserName"],
            let password = fields["Password"]
        {
            return try await endpoint.signIn.begin(parameters, userName: userName, password: password)
        }
        return try await endpoint.signIn.begin(parameters)
    }

    private func list() async throws -> Response {
        try await visit.enter("IdpInitiatedSignOn")
        let options = endpoint.settings.serviceProviders.map { serviceProvider -> HTML in
            "<option value=\"\(serviceProvider.entityID)\">\(serviceProvider.name)</option>\n"
        }
        let session = try BrowserSession(of: visit)
        let state: HTML = session.map { "You are signed in as \($0.person.name)." } ?? "You are not signed in."
        let logout: HTML =
            session == nil
            ? ""
            : """
            <form method="post" action="\(visit.basePath + SAMLFace.logoutPath)">
            <button class="quiet" type="submit" name="action" value="logout">Sign out of all sites</button>
            </form>
            """
        return SignInPage(
            title: "Sign on",
            content: """
                <h1>Sign in to one of the following sites</h1>
                <p class="soft">\(state)</p>
                <form method="get" action="\(visit.basePath)/adfs/ls/idpinitiatedsignon">
                <label for="rp">Site</label>
                <select id="rp" name="loginToRp" required>
                \(options)</select>
                <button class="primary" type="submit">Sign in</button>
                </form>
                \(logout)
                """
        ).response(of: visit.provider)
    }
}
