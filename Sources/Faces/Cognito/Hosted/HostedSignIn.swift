import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The sign-in pages of a user pool: user name and password, and the challenges that follow. The rules are those of the API's flows.
struct HostedSignIn: Sendable {
    let visit: HostedVisit
    let request: HostedRequest
    let form: HostedForm
    /// The names of the identity providers that the app accepts.
    let providers: [String]

    private var signIn: UserPoolSignIn { visit.signIn(to: request.client, browser: form.browser) }

    /// `/oauth2/authorize`: answers a browser that is signed in, and sends others to the login page.
    static func authorize(_ visit: HostedVisit) async throws -> Response {
        try await visit.enter("Authorize")
        let query = try visit.query()
        let request = try HostedRequest(query, in: visit)
        if let session = try HostedSession(of: visit), request.client.oauthSettings.accepts(session.user) {
            return try await request.answer(session, in: visit)
        }
        if let provider = request.provider { return try HostedFederation.start(request, with: provider, in: visit) }
        return .redirect(to: visit.url("/login", query), headers: .unstored)
    }

    /// Reads the request of a page.
    private static func page(_ visit: HostedVisit, _ operation: String) async throws -> HostedSignIn {
        try await visit.enter(operation)
        let request = try HostedRequest(try visit.query(), in: visit)
        let accepted = request.client.oauthSettings.providers
        let providers = visit.pools.identityProviders(of: visit.pool.id).map(\.name).filter { accepted.contains($0) }
        guard request.client.oauthSettings.allowsOwnUsers || operation == "Login" && !providers.isEmpty else {
            throw HostedFault.unavailable("SupportedIdentityProviders of the app client does not have COGNITO.")
        }
        return HostedSignIn(visit: visit, request: request, form: try HostedForm(for: visit), providers: providers)
    }

    /// Shows a page.
    static func shown(_ visit: HostedVisit, _ operation: String, page: (HostedSignIn) throws -> Response) async throws -> Response {
        try page(try await Self.page(visit, operation))
    }

    /// Handles the form of a page.
    static func submitted(
        _ visit: HostedVisit, _ operation: String, handle: (HostedSignIn, FormFields) async throws -> Response
    ) async throws -> Response {
        let page = try await Self.page(visit, operation)
        let (form, fields) = try await HostedForm.posted(to: visit)
        guard page.request.client.oauthSettings.allowsOwnUsers else {
            throw HostedFault.unavailable("SupportedIdentityProviders of the app client does not have COGNITO.")
        }
        return try await handle(HostedSignIn(visit: visit, request: page.request, form: form, providers: page.providers), fields)
    }

    /// The label of the field with the user name.
    var nameLabel: String {
        switch (visit.pool.usernameAttributes.contains("email"), visit.pool.usernameAttributes.contains("phone_number")) {
        case (true, true): "Email address or phone number"
        case (true, false): "Email address"
        case (false, true): "Phone number"
        case (false, false): "User name"
        }
    }

    /// The login page.
    func loginPage(name: String = "", introduction: String? = nil, fault: String? = nil) -> Response {
        var links = providers.map { provider in
            HostedPage.Link(
                text: "Sign in with \(provider)", path: "/oauth2/authorize",
                further: "&" + (["identity_provider": provider] as FormFields).encoded)
        }
        var inputs: [HostedPage.Input] = []
        if request.client.oauthSettings.allowsOwnUsers {
            inputs.append(.init(name: "username", label: nameLabel, autocomplete: "username", value: name))
            inputs.append(.init(name: "password", label: "Password", type: "password", autocomplete: "current-password"))
            links.append(.init(text: "Forgot your password?", path: "/forgotPassword"))
            if !visit.pool.allowsAdminCreateUserOnly { links.append(.init(text: "Need an account? Sign up", path: "/signup")) }
        }
        return HostedPage(
            title: "Sign in", introduction: introduction ?? "to continue to \(request.client.name)", fault: fault, path: "/login",
            inputs: inputs, button: ("signInSubmitButton", "Sign in"), links: links
        ).response(in: visit, form: form)
    }

    /// Handles the form of the login page.
    func login(_ fields: FormFields) async throws -> Response {
        let name = fields.value("username") ?? ""
        do {
            let outcome = try await signIn.signIn(byPassword: parameters(of: name, ["PASSWORD": fields["password"] ?? ""]), [:])
            return try await proceed(outcome)
        } catch {
            guard let refusal = Self.refusal(error) else { throw error }
            guard refusal == .unconfirmedUser, let user = visit.pools.user(signingInAs: name, in: visit.pool) else {
                return loginPage(name: name, fault: refusal.message)
            }
            // The password is proven.
            return try HostedSignUp(signIn: self).confirmationPage(for: user)
        }
    }

    /// Returns the error of an operation, whose message pages show; `nil` for another failure.
    static func refusal(_ error: any Error) -> UserPoolError? {
        if let refusal = error as? UserPoolRefusal { return UserPoolError(refusal) }
        return error as? UserPoolError
    }

    /// Returns parameters of a flow, or answers to a challenge, of a person.
    func parameters(of name: String, _ further: KeyValuePairs<String, String>) -> TextDictionary<String> {
        var parameters: TextDictionary<String> = [:]
        parameters["USERNAME"] = name
        if let hash = request.client.secretHash(of: name) { parameters["SECRET_HASH"] = hash }
        for (name, value) in further { parameters[name] = value }
        return parameters
    }

    /// Continues after a step that succeeded.
    func proceed(_ outcome: UserPoolSignIn.Outcome) async throws -> Response {
        switch outcome {
        case .challenge(let document): return try await challengePage(HostedChallenge(document))
        case .signedIn(let user, _):
            let admitted = try await signIn.conclude(user)
            let (session, cookie) = try await HostedSession.start(for: admitted, in: visit)
            var response = try await request.answer(session, in: visit)
            response.headers.append(HostedCookie.session.setting(cookie, in: visit))
            return response
        }
    }

    /// Continues with a person whose password was proven before.
    func proceed(_ user: UserPoolUser) async throws -> Response {
        try await signIn.admit(user.username, [:])
        return try await proceed(try await signIn.proceed(try signIn.present(user)))
    }

    /// Shows a challenge. A new second factor is associated first.
    private func challengePage(_ challenge: HostedChallenge, fault: String? = nil) async throws -> Response {
        var challenge = challenge
        if challenge.name == "MFA_SETUP", challenge.seed.isEmpty {
            let answer = try await call("AssociateSoftwareToken", ["Session": .string(challenge.session)]) {
                try await $0.associateSoftwareToken()
            }
            challenge.seed = answer?["SecretCode"]?.stringValue ?? ""
            challenge.session = answer?["Session"]?.stringValue ?? ""
        }
        return challenge.page(fault: fault).response(in: visit, form: form)
    }

    /// Handles the form of a challenge.
    func answer(_ fields: FormFields) async throws -> Response {
        let challenge = HostedChallenge(fields)
        do {
            var session = challenge.session
            if challenge.name == "MFA_SETUP" {
                let members: JSONObject = ["Session": .string(session), "UserCode": .string(fields["code"] ?? "")]
                let verified = try await call("VerifySoftwareToken", members) { try await $0.verifySoftwareToken() }
                session = verified?["Session"]?.stringValue ?? session
            }
            let responses = challenge.responses(fields, parameters(of: challenge.user, [:]))
            return try await proceed(try await signIn.respond(to: challenge.name, session: session, responses))
        } catch {
            guard let refusal = Self.refusal(error) else { throw error }
            // A session that cannot be answered any more leads back to the start.
            guard refusal.code != "NotAuthorizedException" else { return loginPage(fault: refusal.message) }
            return try await challengePage(challenge, fault: refusal.message)
        }
    }

    /// Performs an operation of the API as the app.
    func call(
        _ operation: String, _ members: JSONObject, _ perform: (inout UserPoolCall) async throws -> JSONValue?
    ) async throws -> JSONValue? {
        var call = UserPoolCall(http: visit.call, functions: visit.functions, operation: operation, input: UserPoolInput(members))
        return try await perform(&call)
    }

    /// Returns the members of a call about a person.
    func members(of name: String, _ further: JSONObject = [:]) -> JSONObject {
        var members: JSONObject = ["ClientId": .string(request.client.id), "Username": .string(name)]
        if let hash = request.client.secretHash(of: name) { members["SecretHash"] = .string(hash) }
        for (name, value) in further.members { members[name] = value }
        return members
    }
}

/// A challenge on a page.
struct HostedChallenge: Sendable {
    let name: String
    var session: String
    /// The username.
    let user: String
    /// The attributes that the person must give, with the prefix `userAttributes.`.
    let required: [String]
    /// The names of the second factors that the person can choose from.
    let choices: [String]
    /// The seed of a new second factor in base 32; empty for others.
    var seed = ""

    /// Reads the challenge that a sign-in returned.
    init(_ document: JSONValue) {
        name = document["ChallengeName"]?.stringValue ?? ""
        session = document["Session"]?.stringValue ?? ""
        let parameters = document["ChallengeParameters"]
        user = parameters?["USER_ID_FOR_SRP"]?.stringValue ?? ""
        func list(_ name: String) -> [String] {
            let list = parameters?[name]?.stringValue.flatMap { try? JSONValue(parsing: $0) }
            return list?.arrayValue?.compactMap(\.stringValue) ?? []
        }
        required = list("requiredAttributes")
        choices = list("MFAS_CAN_CHOOSE")
    }

    /// Reads the challenge of a posted form.
    init(_ fields: FormFields) {
        name = fields["challenge"] ?? ""
        session = fields["session"] ?? ""
        user = fields["username"] ?? ""
        seed = fields["seed"] ?? ""
        required = fields.all(named: "required")
        choices = fields.all(named: "choice")
    }

    /// Returns the answers of a posted form.
    func responses(_ fields: FormFields, _ parameters: TextDictionary<String>) -> TextDictionary<String> {
        var responses = parameters
        switch name {
        case "NEW_PASSWORD_REQUIRED":
            responses["NEW_PASSWORD"] = fields["new_password"] ?? ""
            for attribute in required { responses[attribute] = fields[attribute] ?? "" }
        case "SOFTWARE_TOKEN_MFA", "SMS_MFA", "EMAIL_OTP": responses["\(name)_CODE"] = fields["code"] ?? ""
        case "SELECT_MFA_TYPE": responses["ANSWER"] = fields["answer"] ?? ""
        default: break
        }
        return responses
    }

    func page(fault: String?) -> HostedPage {
        var hidden = [(name: "challenge", value: name), (name: "session", value: session), (name: "username", value: user)]
        hidden += required.map { (name: "required", value: $0) }
        hidden += choices.map { (name: "choice", value: $0) }
        if !seed.isEmpty { hidden.append((name: "seed", value: seed)) }
        var page = HostedPage(title: "", fault: fault, path: "/challenge", hidden: hidden, inputs: [], button: ("continue", "Continue"))
        switch name {
        case "NEW_PASSWORD_REQUIRED":
            page.title = "Change password"
            page.introduction = "Choose a password in place of the temporary one."
            page.inputs = [.init(name: "new_password", label: "New password", type: "password", autocomplete: "new-password")]
            for attribute in required {
                let label = String(attribute.drop { $0 != "." }.dropFirst())
                page.inputs.append(HostedPage.Input(name: attribute, label: label))
            }
        case "MFA_SETUP":
            page.title = "Set up an authenticator app"
            page.introduction = "Add this key to an authenticator app, and type the code that it shows: \(seed)"
            page.inputs = [.init(name: "code", label: "Code", autocomplete: "one-time-code")]
        case "SELECT_MFA_TYPE":
            page.title = "Choose a second factor"
            let names = choices.compactMap { UserPoolFactor(rawValue: $0) }.map { (value: $0.rawValue, label: $0.label) }
            page.inputs = [.init(name: "answer", label: "Second factor", choices: names)]
        default:
            page.title = "Type the code"
            page.introduction =
                switch name {
                case "SMS_MFA": "Type the code that was sent to your phone."
                case "EMAIL_OTP": "Type the code that was sent to your e-mail address."
                default: "Type the code of your authenticator app."
                }
            page.inputs = [.init(name: "code", label: "Code", autocomplete: "one-time-code")]
        }
        return page
    }
}

extension UserPoolFactor {
    /// What pages call the second factor.
    fileprivate var label: String {
        switch self {
        case .sms: "A code by SMS"
        case .softwareToken: "An authenticator app"
        case .mail: "A code by e-mail"
        }
    }
}
