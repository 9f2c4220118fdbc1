import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

/// The page where a person types the code that their device shows, logs in, and lets the device in or not (RFC 8628 section 3.3).
struct DeviceVerification: AuthorizationEndpoint {
    let visit: Visit
    /// Where the page lies, below the provider.
    let path: String
    /// What scopes mean at this provider.
    let meaning: (String) -> String

    /// Where the forms of the login are sent, below the page.
    static let formPath = "/sign-in"

    private var grant: DeviceGrant { DeviceGrant(visit: visit) }

    private var signIn: SignIn { SignIn(endpoint: self, formPath: path + Self.formPath) }

    /// The page itself, and where its login ends.
    func show() async throws -> Response {
        let query = try visit.query()
        switch query["result"] {
        case "approved": return result("You are connected", "Your device is signed in. You can go back to it and close this page.")
        case "denied": return result("Not connected", "Your device was not let in.")
        default: break
        }
        // As the clipboard or verification_uri_complete (section 3.3.1) has it.
        guard let code = query.value("user_code") else { return typing() }
        guard try grant.waiting(code) != nil else {
            try await visit.enter("Authorize")
            return typing(fault: "There is no such code, or it is too old. Look at your device again.", status: .badRequest)
        }
        return try await signIn.begin(query)
    }

    /// The forms of the login and of the consent.
    func submit() async throws -> Response { try await signIn.submit(visit.form()) }

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        guard let code = parameters.value("user_code"), let waiting = try grant.waiting(code) else {
            throw FaultPage(code: "invalid_user_code", explanation: "There is no such code, or it is too old. Look at your device again.")
        }
        var request = AuthorizationRequest(client: waiting.client, redirectURI: visit.baseURL + path)
        request.scopes = waiting.scopes
        request.state = code
        // Somebody else may have begun it, so that the person must always be asked (section 5.4).
        request.prompts = [.consent]
        return request
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        try await grant.approve(request.state ?? "", approval)
        return AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: ["result": "approved"])
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) async throws -> AuthorizationAnswer {
        try await grant.deny(request.state ?? "")
        return AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: ["result": "denied"])
    }

    func meaning(ofScope scope: String) -> String { meaning(scope) }

    private func typing(fault: String? = nil, status: HTTPResponse.Status = .ok) -> Response {
        let alert: HTML = fault.map { "<p class=\"alert\" role=\"alert\">\($0)</p>" } ?? ""
        return SignInPage(
            title: "Connect a device",
            content: """
                <h1>Connect a device</h1>
                <p class="soft">Type the code that your device shows.</p>
                \(alert)
                <form method="get" action="\(visit.basePath + path)">
                <label for="user_code">Code</label>
                <input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus>
                <button class="primary" type="submit">Continue</button>
                </form>
                """
        ).response(of: visit.provider, status: status)
    }

    private func result(_ title: String, _ text: String) -> Response {
        SignInPage(title: title, content: "<h1>\(title)</h1>\n<p>\(text)</p>").response(of: visit.provider)
    }
}
