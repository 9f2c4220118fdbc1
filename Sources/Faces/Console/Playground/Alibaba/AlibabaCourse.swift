import Calls
import HTTPTypes
import WireFormats

/// Alibaba Cloud: credentials of an app server, of `AssumeRole` or of `AssumeRoleWithOIDC`, and OSS; or OSS with signatures of the app server.
struct AlibabaCourse: WalkCourse {
    /// How the walk gets the permission.
    enum Method: String, CaseIterable, Sendable {
        case appServer = "app-server"
        case assumeRole = "assume-role"
        case oidc
        case selfSigned = "self-signed"

        var title: String {
            switch self {
            case .appServer: "Log in to the app server"
            case .assumeRole: "AssumeRole by a RAM user"
            case .oidc: "AssumeRoleWithOIDC with an ID token"
            case .selfSigned: "The app server signs each request"
            }
        }
    }

    var account: AlibabaAccount
    var method: Method
    /// The RAM user of `AssumeRole`.
    var user = ""
    /// The identity provider of `AssumeRoleWithOIDC`.
    var provider: WalkProvider?

    var kind: WalkKind { .alibaba }
    var title: String { "\(account.name) (Alibaba Cloud)" }
    var stations: WalkStations {
        switch method {
        case .appServer: WalkStations(hasToken: false)
        case .assumeRole: WalkStations(hasToken: false)
        case .oidc: WalkStations(token: "ID token")
        case .selfSigned: WalkStations(credentials: "Signature", hasToken: false)
        }
    }
    var settings: FormFields {
        var fields: FormFields = ["method": method.rawValue, "account": account.id]
        if method == .assumeRole { fields.fields.append(.init(name: "user", value: user)) }
        return fields
    }

    func personName(in walk: Walk) -> String { provider?.personName(of: walk.person) ?? walk.person ?? "" }
    func root(_ info: CloudInfo) -> String? { account.root }
    func keeper(_ actions: WalkActions) -> any PolicyKeeper { RAMRoles(sender: actions.sender, account: account.id) }

    func owner(of key: String) -> String? {
        account.appServer?.people.first { key.hasPrefix("\($0.name)/") }?.name ?? provider?.owner(of: key)
    }

    /// Returns the session policy of the app server for a person; empty if there is none.
    func policy(for person: String) -> String { (account.appServer?.policy ?? "").replacing("${user}", with: person) }

    func scope(of walk: Walk, by actions: WalkActions) async throws -> PolicyScope? {
        let session = method == .appServer ? policy(for: walk.person ?? "") : walk.order.policy
        if let scope = PolicyScope(policies: [session], claims: [:]) { return scope }
        let role = try await keeper(actions).roles().first { $0.arn == walk.order.roleARN }
        return PolicyScope(policies: role?.policies.map(\.document) ?? [], claims: [:])
    }

    // MARK: Start

    static func start(by actions: WalkActions) async throws -> Walk {
        let account = try await AlibabaAccount.with(id: actions.field("account"), actions.visit.client)
        let method = Method(rawValue: actions.field("method")) ?? .appServer
        var course = AlibabaCourse(account: account, method: method, user: actions.field("user"))
        if method == .oidc { course.provider = try await course.ownProvider(actions) }
        var walk = try actions.start(course)
        try await course.logIn(actions.field("person"), by: actions, in: &walk)
        return walk
    }

    /// Returns the course for a token that a login at a provider gave.
    static func withToken(of provider: String, by actions: WalkActions) async throws -> AlibabaCourse {
        let accounts = try await AlibabaAccount.all(actions.visit.client)
        guard let account = accounts.first(where: { $0.provider == provider }) else {
            throw ConsoleRefusal(
                code: "no_account", message: "No account of Alibaba Cloud accepts tokens of \(provider).", status: .notFound)
        }
        var course = AlibabaCourse(account: account, method: .oidc)
        course.provider = try await course.ownProvider(actions)
        return course
    }

    private func ownProvider(_ actions: WalkActions) async throws -> WalkProvider {
        guard let name = account.provider, var provider = await WalkProvider.named(name, actions.visit.client) else {
            throw ConsoleRefusal(code: "no_provider", message: "The account accepts tokens of no identity provider of this server.")
        }
        if provider.clientID != account.clientID {
            (provider.clientID, provider.clientSecret) = (account.clientID, nil)
        }
        return provider
    }

    /// Performs step 1 for a person.
    func logIn(_ person: String, password: String? = nil, by actions: WalkActions, in walk: inout Walk) async throws {
        walk.begin()
        switch method {
        case .appServer:
            let secret = password ?? account.appServer?.people.first { $0.name == person }?.password ?? ""
            let exchange = try await askAppServer(person, secret, by: actions)
            walk.login = [exchange]
            walk.assumption = exchange
            guard let credentials = credentials(in: exchange, actions) else { return }
            walk.person = person
            walk.credentials = credentials
            walk.order.roleARN = account.appServer?.role ?? ""
            try await actions.browse(&walk)
        case .assumeRole:
            walk.person = person
            walk.order.sessionName = AssumeOrder.sessionName(person)
            walk.order.policy = policy(for: person)
            walk.order.roleARN = account.appServer?.role ?? account.roles.first?.arn ?? ""
        case .oidc:
            guard let provider else { return }
            walk.token = try await token(for: person, fault: nil, by: actions)
            walk.person = provider.people.first { $0.name == person }?.fullName ?? person
            walk.order.sessionName = AssumeOrder.sessionName(person)
            walk.order.roleARN = account.roles.first { isTrusting($0.trustPolicy) }?.arn ?? ""
        case .selfSigned:
            walk.person = person
            let scope = PolicyScope(policies: [policy(for: person)], claims: [:])
            (walk.files.store, walk.files.bucket, walk.files.prefix) = (.ossV1, scope?.bucket ?? "", scope?.prefix ?? "")
            let ready = WalkCredentials(
                accessKeyID: account.appServer?.signingKey ?? "", secretAccessKey: "", sessionToken: "",
                received: actions.info.nowMilliseconds,
                arn: "the app server's signing key")
            walk.credentials = ready
            try await actions.browse(&walk)
        }
    }

    // MARK: Requests

    /// Logs in to the app server, which answers with credentials.
    func askAppServer(_ person: String, _ password: String, by actions: WalkActions) async throws -> Exchange {
        let query: FormFields = ["user": person, "password": password]
        return try await actions.sender.send(
            "Log in to the app server", "GET", "/distribute-token.json?\(query.queryEncoded)")
    }

    /// Returns an ID token of the control API.
    func token(for person: String, fault: String?, by actions: WalkActions) async throws -> WalkToken {
        guard let provider else { throw ConsoleRefusal(code: "no_provider", message: "This walk has no identity provider.") }
        return try await WebIdentityCourse(provider: provider).token(for: person, type: "", fault: fault, by: actions)
    }

    func renew(by actions: WalkActions, in walk: inout Walk) async throws {
        if method == .oidc { walk.token = try await token(for: personName(in: walk), fault: nil, by: actions) }
    }

    /// Calls STS: `AssumeRole` signed by a RAM user, or `AssumeRoleWithOIDC`, which is not signed.
    func assumeRole(_ order: AssumeOrder, token: String, by actions: WalkActions, secret: String? = nil) async throws -> Exchange {
        var fields: FormFields = [
            "Action": method == .oidc ? "AssumeRoleWithOIDC" : "AssumeRole", "Version": "2015-04-01", "Format": "JSON",
            "RoleArn": order.roleARN, "RoleSessionName": order.sessionName,
        ]
        if !order.duration.isEmpty { fields.fields.append(.init(name: "DurationSeconds", value: order.duration)) }
        if !order.policy.isEmpty { fields.fields.append(.init(name: "Policy", value: order.policy)) }
        guard method != .oidc else {
            fields.fields += [.init(name: "OIDCProviderArn", value: account.providerARN), .init(name: "OIDCToken", value: token)]
            return try await actions.sender.form("Get credentials", to: "/", fields)
        }
        guard let user = account.users.first(where: { $0.name == user }) ?? account.users.first else {
            throw ConsoleRefusal(code: "no_user", message: "The account has no RAM user with an access key.")
        }
        let signer: Sender.Signer =
            secret.map {
                .credentials(
                    WalkCredentials(accessKeyID: user.accessKeyID, secretAccessKey: $0, sessionToken: "", received: 0, arn: ""))
            } ?? .principal(user.accessKeyID)
        return try await actions.sender.form("Get credentials", as: signer, service: "alibaba-sts", to: "/", fields)
    }

    /// Reads credentials in the answer of STS or of the app server.
    func credentials(in exchange: Exchange, _ actions: WalkActions) -> WalkCredentials? {
        let json = exchange.json
        let keys = json["Credentials"] ?? json
        guard exchange.isSuccess, let key = keys["AccessKeyId"]?.stringValue, let secret = keys["AccessKeySecret"]?.stringValue,
            let token = keys["SecurityToken"]?.stringValue
        else { return nil }
        return WalkCredentials(
            accessKeyID: key, secretAccessKey: secret, sessionToken: token,
            expires: keys["Expiration"]?.stringValue.flatMap { Timestamp(iso8601: $0)?.milliseconds },
            received: actions.info.nowMilliseconds,
            arn: json["AssumedRoleUser"]?["Arn"]?.stringValue ?? account.appServer?.role ?? "")
    }

    /// Returns whether a trust policy names whom this walk comes as.
    func isTrusting(_ policy: String) -> Bool {
        policy.contains("\"\(method == .oidc ? account.providerARN : account.root)\"")
    }
}
