import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// AWS Sign-In for `aws login`: a page at which a person becomes an IAM user or the root user of an account, and the endpoint that issues
/// their credentials. (AWS Sign-In API Reference, "CreateOAuth2Token"; AWS CLI, `aws login`.)
struct SignInDoor: CredentialDoor {
    let kind = CredentialSources.Kind.login

    private static let authorizePath = "/v1/authorize"
    private static let tokenPath = "/v1/token"
    private static let confirmationPath = "/v1/sessions/confirmation"
    /// The clients, and the last part of their ARN in policies. (Of the CLI; the managed policy SignInLocalDevelopmentAccess.)
    private static let clients = [
        "arn:aws:signin:::devtools/same-device": "localhost", "arn:aws:signin:::devtools/cross-device": "remote",
    ]

    /// Returns whether a request is for the service, by its path or its host.
    static func isFor(_ call: Call) -> Bool {
        [authorizePath, tokenPath, confirmationPath].contains { $0 == call.path } || SignInHost(call.host) != nil
    }

    func operation(of call: CredentialCall) -> String {
        switch call.http.path {
        case Self.authorizePath: "AuthorizeOAuth2Access"
        case Self.tokenPath: "CreateOAuth2Token"
        case Self.confirmationPath: "ShowAuthorizationCode"
        default: "UnknownOperation"
        }
    }

    func respond(to call: CredentialCall) async throws -> Response {
        guard call.http.isFromThisMachine else {
            throw DoorFailure("AccessDenied", .forbidden, "Only clients of this machine log in here, since the page asks for no password.")
        }
        let method = call.http.method
        switch call.http.path {
        case Self.authorizePath where method == .get || method == .head: return try page(call)
        case Self.authorizePath where method == .post: return try await choose(call)
        case Self.confirmationPath where method == .get: return try confirmation(call)
        case Self.tokenPath where method == .post && call.http.query.isEmpty:
            try call.refusePages()
            return try await SignInTokenEndpoint(call: call, door: self).respond()
        default:
            throw DoorFailure("UnknownOperationException", .notFound, "Virga does not serve this call of signin, only CreateOAuth2Token.")
        }
    }

    /// Evaluates whether policies let an identity use an action for a client.
    /// - Throws: ``DoorFailure`` with INSUFFICIENT_PERMISSIONS.
    func authorize(_ identity: SignInIdentity, _ action: String, client: String, _ call: CredentialCall) throws(DoorFailure) {
        call.http.note(caller: identity.arn)
        let region = SignInHost(call.http.host)?.region ?? "us-east-1"
        let resource = "arn:aws:signin:\(region):\(identity.account):oauth2/public-client/\(Self.clients[client] ?? "")"
        let verdict = call.http.authorize(identity.caller, action, on: resource, ownedBy: identity.account, region: region)
        guard verdict.decision.isAllowed else {
            throw SignInError.insufficientPermissions.failure(
                "The identity is not authorized to perform \(action); attach the policy SignInLocalDevelopmentAccess.")
        }
    }

    // MARK: The page

    /// Reads and checks the request of a client.
    private func grant(_ call: CredentialCall) throws(DoorFailure) -> SignInGrant {
        guard let query = call.http.queryFields else { throw SignInError.invalidRequest.failure("The query is malformed.") }
        func expect(_ isRight: Bool, _ message: String) throws(DoorFailure) {
            guard isRight else { throw SignInError.invalidRequest.failure(message) }
        }
        func value(_ name: String) -> String { query.first(name) ?? "" }
        let client = value("client_id")
        try expect(value("response_type") == "code", "response_type must be code.")
        try expect(Self.clients[client] != nil, "client_id must be \(Self.clients.keys.sorted { $0 < $1 }.joined(separator: " or ")).")
        try expect(value("scope") == "openid", "scope must be openid.")
        try expect(!value("state").isEmpty, "state is required.")
        try expect(value("code_challenge_method") == "SHA-256", "code_challenge_method must be SHA-256.")
        try expect([UInt8](base64url: value("code_challenge"))?.count == 32, "code_challenge must be a SHA-256 in base64url.")
        let redirect = value("redirect_uri")
        let isRemote = Self.clients[client] == "remote"
        try expect(
            isRemote ? redirect == call.http.origin + Self.confirmationPath : Self.isLoopback(redirect),
            isRemote
                ? "redirect_uri must be \(call.http.origin)\(Self.confirmationPath)."
                : "redirect_uri must be http://127.0.0.1:PORT/oauth/callback.")
        var grant = SignInGrant(client: client, begun: call.cloud.clock.now)
        (grant.redirect, grant.state, grant.challenge) = (redirect, value("state"), value("code_challenge"))
        return grant
    }

    /// Returns whether a URL is `http://127.0.0.1:PORT/oauth/callback`.
    private static func isLoopback(_ url: String) -> Bool {
        let (start, end) = ("http://127.0.0.1:", "/oauth/callback")
        guard url.hasPrefix(start), url.hasSuffix(end), url.utf8.count > start.utf8.count + end.utf8.count else { return false }
        let port = String(url.dropFirst(start.utf8.count).dropLast(end.utf8.count))
        return UInt16(digits: port).map { $0 > 0 && "\($0)" == port } ?? false
    }

    private func page(_ call: CredentialCall) throws -> Response {
        try refuseOtherHosts(call)
        let form = try grant(call).sealed(.form, in: call.cloud)
        return SignInChoice(identities: SignInIdentity.all(in: call.directory), form: form, action: Self.authorizePath).page.response()
    }

    /// Continues after a button of the page.
    private func choose(_ call: CredentialCall) async throws -> Response {
        try refuseOtherHosts(call)
        guard !call.http.source.isForeignPage else {
            throw DoorFailure("AccessDenied", .forbidden, "A page of another site sent the form.")
        }
        let fields: FormFields
        do { fields = try await call.http.form() } catch let fault as FormFault {
            throw SignInError.invalidRequest.failure(fault.explanation)
        }
        guard var grant = SignInGrant(fields.first("form") ?? "", .form, in: call.cloud),
            !call.cloud.clock.hasExpired(grant.begun + SignInGrant.codeLifetime, issuedAt: grant.begun)
        else { throw SignInError.invalidRequest.failure("The form has expired. Begin the login again.") }
        let state = FormFields.Field(name: "state", value: grant.state)
        if fields.first("action") == "deny" {
            return Self.redirect(grant.redirect, [.init(name: "error", value: "access_denied"), state])
        }
        guard let identity = SignInIdentity(arn: fields.first("identity") ?? "", in: call.directory) else {
            throw SignInError.invalidRequest.failure("There is no such identity.")
        }
        try await call.applyFaults(at: self, caller: identity.arn, resources: [identity.arn])
        try authorize(identity, "signin:AuthorizeOAuth2Access", client: grant.client, call)
        (grant.identity, grant.mark, grant.begun) = (identity.arn, identity.mark, call.cloud.clock.now)
        return Self.redirect(grant.redirect, [.init(name: "code", value: try grant.sealed(.code, in: call.cloud)), state])
    }

    private static func redirect(_ uri: String, _ fields: [FormFields.Field]) -> Response {
        var query: FormFields = [:]
        query.fields = fields
        return .redirect(to: "\(uri)?\(query.encoded)", headers: .unstored)
    }

    /// Shows the code of a login on another device, which the person types there.
    private func confirmation(_ call: CredentialCall) throws -> Response {
        try refuseOtherHosts(call)
        let query = call.http.queryFields ?? [:]
        let text = Array("state=\(query.first("state") ?? "")&code=\(query.first("code") ?? "")".utf8).base64
        return WebPage(
            title: "Authorization code", owner: "AWS Sign-In", theme: "",
            content:
                "<h1>Authorization code</h1>\n<p>Type this code where you began the login:</p>\n<p><code id=\"code\">\(text)</code></p>"
        ).response()
    }

    /// Rejects names that are not of this process, which a page can bind to this machine's address.
    private func refuseOtherHosts(_ call: CredentialCall) throws(DoorFailure) {
        guard call.http.isAtKnownHost else {
            throw DoorFailure("AccessDenied", .forbidden, "\(call.http.host) is not a name of this server.")
        }
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        if call.http.path == Self.authorizePath || call.http.path == Self.confirmationPath, call.http.source != .program {
            return WebPage(
                title: "The login failed", owner: "AWS Sign-In", theme: "",
                content: "<h1>The login failed</h1>\n<p class=\"alert\" role=\"alert\">\(failure.message)</p>"
            ).response(status: failure.status)
        }
        let known = SignInError(rawValue: failure.code)
        var response = Response.json(
            ["error": .string(failure.code), "message": .string(failure.message)], status: failure.status, headers: .unstored)
        response.headers[.amazonErrorType] = known?.exception ?? failure.code
        return response
    }
}

/// The errors of the service: the values of `error`, with the exceptions that have them.
enum SignInError: String {
    case tokenExpired = "TOKEN_EXPIRED"
    case credentialsChanged = "USER_CREDENTIALS_CHANGED"
    case insufficientPermissions = "INSUFFICIENT_PERMISSIONS"
    case codeExpired = "AUTHCODE_EXPIRED"
    case invalidRequest = "INVALID_REQUEST"

    /// The name of the exception.
    var exception: String { self == .invalidRequest ? "ValidationException" : "AccessDeniedException" }

    func failure(_ message: String, cause: String? = nil) -> DoorFailure {
        DoorFailure(rawValue, self == .invalidRequest ? .badRequest : .forbidden, message, cause: cause)
    }
}

/// The page of a login: a button for each identity.
struct SignInChoice {
    let identities: [SignInIdentity]
    let form: String
    let action: String

    var page: WebPage {
        let buttons = identities.map { identity -> HTML in
            let name = identity.arn.split(separator: ":").last.map { String($0) } ?? identity.arn
            return """
                <button class="person" type="submit" name="identity" value="\(identity.arn)">\(name) <small>\(identity.account)</small></button>

                """
        }
        return WebPage(
            title: "Sign in", owner: "AWS Sign-In", theme: "",
            content: """
                <h1>Sign in</h1>
                <p class="soft">to continue to <strong>AWS CLI and SDKs</strong></p>
                <form method="post" action="\(action)">
                <input type="hidden" name="form" value="\(form)">
                <fieldset><legend>Continue as</legend>
                \(buttons)</fieldset>
                <button class="quiet" type="submit" name="action" value="deny">Cancel</button>
                </form>
                """)
    }
}
