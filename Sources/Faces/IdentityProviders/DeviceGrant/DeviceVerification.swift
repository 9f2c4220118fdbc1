import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The page where a user enters the code of a device, logs in, and allows or denies access (RFC 8628 section 3.3).
struct DeviceVerification: AuthorizationEndpoint {
    let visit: Visit
    /// The path of the page, relative to the provider's base URL.
    let path: String
    /// Returns the meaning of a scope at this provider.
    let meaning: (String) -> String
    /// Returns the client that a device belongs to; `nil` for the clients of the provider.
    var client: (@Sendable (String) -> Client?)?

    /// The path that receives the login forms, relative to the page.
    private static let formSuffix = "/sign-in"

    /// Returns the path that receives the login forms of the page at a path.
    static func formPath(of page: String) -> String { page + formSuffix }

    /// The code of a removed client is gone.
    let unknownClient = FaultPage(
        code: "invalid_user_code", explanation: "There is no such code, or it is too old. Look at your device again.")

    private var grant: DeviceGrant { DeviceGrant(visit: visit, client: client) }

    private var signIn: SignIn { SignIn(endpoint: self, formPath: Self.formPath(of: path)) }

    /// Shows the page; the login returns here too.
    func show() async throws -> Response {
        let query = try visit.query()
        switch query["result"] {
        case "approved": return result("You are connected", "Your device is signed in. You can go back to it and close this page.")
        case "denied": return result("Not connected", "Your device was not given access.")
        default: break
        }
        // The code can be in the URL, copied or from verification_uri_complete (section 3.3.1).
        guard let code = query.value("user_code") else { return typing() }
        guard try grant.waiting(code) != nil else {
            try await visit.enter("Authorize")
            return typing(fault: "There is no such code, or it is too old. Look at your device again.", status: .badRequest)
        }
        return try await signIn.begin(query)
    }

    /// Handles the forms of login and consent.
    func submit() async throws -> Response { try await signIn.submit(visit.form()) }

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        guard let code = parameters.value("user_code"), let waiting = try grant.waiting(code) else {
            throw unknownClient
        }
        var request = AuthorizationRequest(client: waiting.client, redirectURI: visit.baseURL + path)
        request.scopes = waiting.scopes
        request.state = code
        // Another person may have started the flow, so the user is always asked for consent (section 5.4).
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

    /// The code, since the user need not have typed it. (Section 3.3.1.)
    func advice(on request: AuthorizationRequest) -> String? {
        let code = (request.state ?? "").uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return "Allow only if your device shows the code \(code)."
    }

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

extension DeviceGrant {
    /// - Parameter client: returns the client with an identifier; `nil` for the clients of the provider.
    init(visit: Visit, client: (@Sendable (String) -> Client?)? = nil) {
        let provider = visit.provider
        self.init(in: visit.cloud, at: provider.name, by: visit.grantIssuer, client: client ?? { provider.client($0) })
    }
}
