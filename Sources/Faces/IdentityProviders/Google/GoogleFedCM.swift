import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The endpoints that browsers call for a login without redirects. (W3C, "Federated Credential Management API", "Identity Provider HTTP
/// API"; Google Identity, "Migrate to FedCM".)
struct GoogleFedCM {
    let visit: Visit

    static let wellKnownPath = WellKnownPath.webIdentity
    static let configurationPath = "/gsi/fedcm.json"
    static let accountsPath = "/gsi/fedcm/listaccounts"
    static let clientPath = "/gsi/fedcm/clientmetadata"
    static let assertionPath = "/gsi/fedcm/issuetoken"
    static let loginPath = "/gsi/fedcm/signin"

    /// The base URL of the provider: Google's own host, or the provider here. Browsers read the well-known file at the root of the host.
    private var base: String {
        guard visit.basePath.isEmpty else { return visit.baseURL }
        return visit.provider.kind.descriptor.hosts.contains(visit.call.host)
            ? visit.provider.issuer ?? visit.call.origin : visit.call.origin + IssuerPaths.own + visit.provider.name
    }

    func wellKnown() async throws -> Response {
        try await visit.enter("WebIdentity")
        return .json(["provider_urls": [.string(base + Self.configurationPath)]])
    }

    func configuration() async throws -> Response {
        try await visit.enter("FedCMConfiguration")
        return .json([
            "accounts_endpoint": .string(base + Self.accountsPath), "client_metadata_endpoint": .string(base + Self.clientPath),
            "id_assertion_endpoint": .string(base + Self.assertionPath), "login_url": .string(base + Self.loginPath),
            "branding": ["background_color": "#1d6b3c", "color": "#ffffff"],
        ])
    }

    /// Returns the account of the browser's session, and the clients that its user has agreed to.
    func accounts() async throws -> Response {
        try await visit.enter("ListAccounts")
        try demandBrowser()
        guard let session = try BrowserSession(of: visit) else { return .json(["accounts": []], status: .unauthorized, headers: .unstored) }
        let person = session.person
        visit.call.note(caller: person.name)
        let approved = try visit.provider.clients.filter { try Consent(client: $0, person: person).scopes(in: visit) != nil }
        var account: JSONObject = [
            "id": .string(person.subject), "name": person.claims["name"] ?? .string(person.name),
            "email": person.claims["email"] ?? .string(person.name),
        ]
        account["given_name"] = person.claims["given_name"]
        account["picture"] = person.claims["picture"]
        account["approved_clients"] = .array(approved.map { .string($0.id) })
        account["login_hints"] = .array([person.claims["email"]?.stringValue, person.subject].compactMap { $0 }.map { .string($0) })
        return .json(["accounts": [.object(account)]], headers: .unstored)
    }

    /// Returns the policies of a client.
    func client() async throws -> Response {
        try await visit.enter("ClientMetadata")
        try demandBrowser()
        guard let client = try visit.query().value("client_id").flatMap(visit.provider.client) else { throw Self.unknownClient }
        var document: JSONObject = [:]
        document["privacy_policy_url"] = client.metadata.policyURI.map { .string($0) }
        document["terms_of_service_url"] = client.metadata.tosURI.map { .string($0) }
        return .json(.object(document), headers: .unstored)
    }

    /// Issues the ID token of the account that the user chose, to the page of a client.
    func assertion() async throws -> Response {
        try await visit.enter("IssueToken")
        try demandBrowser()
        let form = try await visit.form()
        guard let client = form.value("client_id").flatMap(visit.provider.client) else { throw Self.unknownClient }
        guard let origin = visit.call.headers.value(of: .origin), client.redirectURIs.contains(where: { Client.origin(of: $0) == origin })
        else {
            throw OAuthError(
                .unauthorizedClient, "The origin of the page is not that of a redirect URI of the client.", status: .forbidden)
        }
        guard let session = try BrowserSession(of: visit), form.value("account_id") == session.person.subject else {
            return refusal("access_denied", status: .unauthorized, to: origin)
        }
        visit.call.note(caller: session.person.name)
        let consent = Consent(client: client, person: session.person)
        if form.value("disclosure_text_shown") == "true" { try await consent.add(GoogleSelect.scopes, in: visit) }
        guard try consent.covers(GoogleSelect.scopes, in: visit) else { return refusal("access_denied", status: .forbidden, to: origin) }
        let parameters = form.value("params").flatMap { try? JSONValue(parsing: $0) }
        let approval = Approval(
            provider: visit.provider, client: client, person: session.person, scopes: GoogleSelect.scopes,
            nonce: form.value("nonce") ?? parameters?["nonce"]?.stringValue, authenticated: session.authenticated, sessionID: session.id)
        let token = try await visit.refusing(unknownClient: Self.unknownClient, unknownPerson: .revokedGrant) {
            try await GoogleSelect.credential(approval, in: visit)
        }
        return shared(.json(["token": .string(token)], headers: .unstored), with: origin)
    }

    private static let unknownClient = OAuthError(.invalidClient, "The OAuth client was not found.")

    private func refusal(_ code: String, status: HTTPResponse.Status, to origin: String) -> Response {
        visit.call.note(errorCode: code)
        return shared(.json(["error": ["code": .string(code)]], status: status, headers: .unstored), with: origin)
    }

    /// Lets the page read a response to a request with cookies.
    private func shared(_ response: Response, with origin: String) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        return response
    }

    /// Requires the header that only a browser's own requests have, so that no page can send them. (Section "Sec-Fetch-Dest header".)
    private func demandBrowser() throws(OAuthError) {
        guard visit.call.headers[.secFetchDest] == "webidentity" else {
            throw OAuthError(.invalidRequest, "The request must have the header Sec-Fetch-Dest: webidentity.")
        }
    }
}
