import Calls
import Cryptography
import HTTPTypes
import WireFormats

/// The mobile cloud: a backend, a method of authentication, the users API, and a custom API.
struct MobileCourse: WalkCourse {
    var backend: MobileBackendSettings
    var method: MobileMethod
    /// The user name and password of the last login with a password.
    var login: (name: String, password: String) = ("", "")
    /// The name of the user at the company's or Facebook's provider.
    var user = ""
    /// The identity provider of the method; `nil` for methods with a password.
    var provider: WalkProvider?

    static let profilePath = "/mobile/platform/users/~"

    var kind: WalkKind { .mobile }
    var title: String { "\(backend.name), \(method.title)" }
    var stations: WalkStations {
        WalkStations(token: "Token", credentials: "users/~", object: "Custom API", hasToken: method != .basic)
    }
    var settings: FormFields { ["backend": backend.key, "method": method.rawValue] }

    func personName(in walk: Walk) -> String { user.isEmpty ? login.name : user }

    // MARK: Step 1

    static func start(by actions: WalkActions) async throws -> Walk {
        let all = try await MobileBackendSettings.all(actions.visit.client)
        guard let backend = all.first(where: { $0.key == actions.field("backend") }) ?? all.first else {
            throw ConsoleRefusal(code: "no_backend", message: "The seed has no mobile backend.", status: .notFound)
        }
        var course = MobileCourse(backend: backend, method: MobileMethod(rawValue: actions.field("method")) ?? .basic)
        let name: String? =
            switch course.method {
            case .saml, .jwt: backend.company
            case .facebook: "facebook"
            default: nil
            }
        if let name { course.provider = await WalkProvider.named(name, actions.visit.client) }
        if course.method == .facebook, let app = backend.facebookApp { course.provider?.clientID = app }
        if course.method == .jwt { course.provider?.clientID = backend.audience }
        let person = actions.field("person")
        course.login = backend.users.first { $0.name == person } ?? backend.users.first ?? ("", "")
        let people = course.provider?.people ?? []
        course.user =
            (people.first { $0.name == person } ?? people.first { $0.name.hasPrefix("frida") || $0.name.hasPrefix("tessa") } ?? people.first)?
            .name ?? ""
        return try actions.start(course)
    }

    /// Performs step 1 with the fields of the form.
    func logIn(by actions: WalkActions, in walk: inout Walk) async throws {
        walk.begin()
        switch method {
        case .basic:
            walk.person = login.name
        case .oauth:
            walk.login = [try await passwordGrant(login.name, login.password, by: actions)]
            walk.person = login.name
        case .saml:
            walk.login = [try await exchange(saml: try await assertion(for: user, fault: nil, by: actions), by: actions)]
        case .jwt:
            walk.login = [try await exchange(jwt: try await idToken(for: user, fault: nil, by: actions), by: actions)]
        case .sso:
            let text = actions.field("token").filter { !$0.isWhitespace }
            guard !text.isEmpty else { throw ConsoleRefusal(code: "no_token", message: "Paste the token that the page shows.") }
            walk.token = WalkToken(text: text, kind: "access_token", received: actions.info.nowMilliseconds)
        case .facebook:
            let token = try await idToken(for: user, fault: nil, by: actions)
            walk.token = WalkToken(text: token, kind: "access_token", received: actions.info.nowMilliseconds)
        }
        if let last = walk.login.last, last.isSuccess, let text = last.json["access_token"]?.stringValue {
            var token = WalkToken(text: text, kind: "access_token", received: actions.info.nowMilliseconds)
            token.expires = last.json["expires_in"]?.integerValue.map { actions.info.nowMilliseconds + $0 * 1000 }
            walk.token = token
        }
        if let expiry = walk.token?.decoded?.claims["exp"]?.integerValue { walk.token?.expires = expiry * 1000 }
        if let provider, walk.token != nil {
            walk.person = provider.people.first { $0.name == user }?.fullName ?? user
        } else if method == .sso {
            walk.person = walk.token?.decoded?.claims["sub"]?.stringValue ?? "the user of the token"
        }
    }

    // MARK: Requests

    /// Sends a request to the mobile cloud with the credential of the walk.
    func call(
        _ title: String, _ path: String, by actions: WalkActions, in walk: Walk,
        changing change: (inout MobileCredential) -> Void = { _ in }
    ) async throws -> Exchange {
        var credential = MobileCredential(headers: [:])
        switch method {
        case .basic:
            credential.signer = .basic(username: login.name, password: login.password)
            credential.headers["Oracle-Mobile-Backend-ID"] = backend.id
        case .facebook:
            credential.headers = [
                "Authorization": "Basic \(backend.anonymousKey)", "Oracle-Mobile-Backend-ID": backend.id,
                "Oracle-Mobile-Social-Identity-Provider": "facebook", "Oracle-Mobile-Social-Access-Token": walk.token?.text ?? "",
            ]
        default: credential.signer = .bearer(walk.token?.text ?? "")
        }
        change(&credential)
        return try await actions.sender.send(title, as: credential.signer, "GET", path, headers: credential.headers)
    }

    /// The password grant of the OAuth token endpoint. (RFC 6749 section 4.3.)
    func passwordGrant(_ name: String, _ password: String, secret: String? = nil, by actions: WalkActions) async throws -> Exchange {
        try await actions.sender.form(
            "Get a token", as: .basic(username: backend.clientID, password: secret ?? backend.clientSecret), to: "/oam/oauth2/tokens",
            ["grant_type": "password", "username": name, "password": password])
    }

    /// Exchanges an assertion, which is compressed and in base64.
    func exchange(saml assertion: String, by actions: WalkActions) async throws -> Exchange {
        try await actions.sender.send(
            "Exchange the assertion", as: .bearer(assertion), "GET", "/mobile/platform/sso/exchange-token?format=json",
            headers: ["Oracle-Mobile-Backend-ID": backend.id])
    }

    /// Exchanges a JWT.
    func exchange(jwt: String, secret: String? = nil, by actions: WalkActions) async throws -> Exchange {
        try await actions.sender.form(
            "Exchange the JWT", as: .basic(username: backend.clientID, password: secret ?? backend.clientSecret),
            to: "/mobile/platform/auth/token", ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": jwt])
    }

    /// Returns a token of the company or of Facebook.
    func idToken(for person: String, fault: String?, client: String? = nil, by actions: WalkActions) async throws -> String {
        guard let provider else { throw ConsoleRefusal(code: "no_provider", message: "The method has no identity provider here.") }
        var members: JSONObject = ["client": .string(client ?? provider.clientID)]
        if let fault { members["fault"] = .string(fault) }
        return try await actions.token(provider: provider.name, person: person, members).answer.issued ?? ""
    }

    /// The end of the entity ID of the mobile cloud as a SAML service provider: the URL of the exchange as it is called.
    private static let exchangePath = "/mobile/platform/sso/exchange-token"

    /// Returns the entity ID of the mobile cloud as a SAML service provider.
    private func entityID(by actions: WalkActions) async throws -> String {
        let metadata = try await actions.sender.send("Read the metadata", "GET", "/mobile/platform/sso/redirect/saml/metadata")
        return metadata.xml?.attribute("entityID") ?? actions.visit.place.services + Self.exchangePath
    }

    /// Registers the mobile cloud at the company's identity provider under this address, like the one that the seed has for another address.
    func register(by actions: WalkActions) async throws {
        let path = "/providers/\(percentEncoded(backend.company ?? ""))"
        let known = await actions.visit.client.get(path).json["saml"]?["serviceProviders"]?.arrayValue ?? []
        let entityID = try await entityID(by: actions)
        let model = known.first { $0["entityID"]?.stringValue?.hasSuffix(Self.exchangePath) == true }
        guard let model, let old = model["entityID"]?.stringValue else {
            throw ConsoleRefusal(
                code: "no_service_provider",
                message: "The identity provider knows no mobile cloud. Add a member to \"serviceProviders\" with the entity ID \(entityID)."
            )
        }
        let text = model.serialized().replacing(
            String(old.dropLast(Self.exchangePath.count)), with: String(entityID.dropLast(Self.exchangePath.count)))
        let answer = await actions.visit.client.call(.put, path + "/service-providers", (try? JSONValue(parsing: text)) ?? .null)
        if let refusal = answer.refusal { throw refusal }
    }

    /// Returns an assertion in the form that the exchange takes: without the response around it, in gzip and base64.
    func assertion(for person: String, fault: String?, by actions: WalkActions) async throws -> String {
        guard let provider else { throw ConsoleRefusal(code: "no_provider", message: "The method has no identity provider here.") }
        var members: JSONObject = ["serviceProvider": .string(try await entityID(by: actions))]
        if let fault { members["fault"] = .string(fault) }
        let response = try await actions.token(provider: provider.name, person: person, members).answer.issued
        let bytes = [UInt8](base64: response ?? "") ?? []
        return Self.compressed(Self.assertion(in: String(decoding: bytes, as: UTF8.self)))
    }

    /// Returns the element `Assertion` of a response, with the namespace that it may have from its parent.
    static func assertion(in response: String) -> String {
        guard let start = response.firstRange(of: "<saml:Assertion"), let end = response.firstRange(of: "</saml:Assertion>") else {
            return response
        }
        let head = response[start.upperBound...].prefix { $0 != ">" }
        let namespace = head.contains("xmlns:saml=") ? "" : " xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\""
        return "<saml:Assertion\(namespace)\(response[start.upperBound..<end.upperBound])"
    }

    static func compressed(_ text: String) -> String {
        let stream = GzipStream()
        let first = Array(text.utf8).withUnsafeBytes { stream.compress($0) }
        return (first + stream.finish()).base64
    }
}

/// What a request to the mobile cloud authenticates with.
struct MobileCredential: Sendable {
    var signer = Sender.Signer.anonymous
    var headers: [String: String]
}
