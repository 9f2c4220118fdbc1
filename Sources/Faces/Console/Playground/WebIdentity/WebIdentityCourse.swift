import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// AWS web identity: a login, a token, `AssumeRoleWithWebIdentity`, and S3.
struct WebIdentityCourse: WalkCourse {
    var provider: WalkProvider

    static let operation = "AssumeRoleWithWebIdentity"

    var kind: WalkKind { .webIdentity }
    var title: String { provider.title }
    var settings: FormFields { ["provider": provider.name] }

    func personName(in walk: Walk) -> String { provider.personName(of: walk.person) }
    func owner(of key: String) -> String? { provider.owner(of: key) }

    // MARK: Steps

    func steps(of page: WalkPage) async throws -> HTML {
        let walk = page.walk
        let isTrusting: @Sendable (String) -> Bool = { [provider] in provider.isTrusted(by: $0) }
        let (roles, role) = walk.token != nil && page.info.root != nil ? try await page.roles(isTrusting) : ([], nil)
        let order = walk.order
        var assume = AssumeStep(
            page: page, roles: roles, role: role,
            explanation: """
                Anyone with a token that the role's trust policy accepts may call <code>AssumeRoleWithWebIdentity</code>. The call is not signed.
                """,
            tokenParameter: "WebIdentityToken", isTrusting: isTrusting)
        if walk.token == nil { assume.missing = "Needs the token of step 1." }
        assume.fields = """
            \(AssumeStep.field("session", label: "RoleSessionName", value: order.sessionName))\
            \(AssumeStep.field("provider-id", label: "ProviderId", value: order.providerID, placeholder: "empty for ID tokens"))
            """
        assume.empty = """
            <p>No role of the account trusts <code>\(Parts.name(provider.principal))</code>. Create one with a folder for each person:</p>
            <form method="post" action="\(page.action("role"))">\(page.visit.formToken)<button class="primary">Create a role</button></form>

            """
        return """
            \(LoginStep(page: page, provider: provider).html)
            \(assume.html)
            \(FileStep(page: page, role: role).html)
            """
    }

    func perform(_ action: String, by actions: WalkActions, in walk: inout Walk) async throws -> String? {
        switch action {
        case "token":
            let person = actions.field("person")
            try await issue(for: person, type: actions.field("type"), by: actions, in: &walk)
            return "#step-1"
        case "assume":
            let token = actions.readOrder(in: &walk)
            let exchange = try await assumeRole(walk.order, token: token, by: actions)
            return try await actions.finishAssuming(exchange, actions.credentials(in: exchange, of: Self.operation), in: &walk)
        case "role":
            try await createRole(by: actions)
            walk.order.roleARN = ""
            return "?done=created#step-2"
        default: return nil
        }
    }

    func renew(by actions: WalkActions, in walk: inout Walk) async throws {
        walk.token = try await token(for: personName(in: walk), type: "", fault: nil, by: actions)
    }

    // MARK: Requests

    /// Starts a walk with a token that no login issued.
    static func start(by actions: WalkActions) async throws -> Walk {
        let name = actions.field("provider")
        guard let provider = await WalkProvider.named(name, actions.visit.client) else {
            throw ConsoleRefusal(code: "unknown_provider", message: "There is no provider '\(name)'.", status: .notFound)
        }
        let course = WebIdentityCourse(provider: provider)
        var walk = try actions.start(course)
        try await course.issue(for: actions.field("person"), type: actions.field("type"), by: actions, in: &walk)
        return walk
    }

    /// Begins step 1 of a login.
    func begin(_ walk: inout Walk) {
        walk.begin()
        if walk.order.providerID != provider.providerID || walk.order.roleARN.isEmpty {
            walk.order = AssumeOrder()
            walk.order.providerID = provider.providerID
        }
    }

    /// Issues a token without a login.
    private func issue(for person: String, type: String, by actions: WalkActions, in walk: inout Walk) async throws {
        begin(&walk)
        walk.token = try await token(for: person, type: type, fault: nil, by: actions)
        walk.person = provider.people.first { $0.name == person }?.fullName ?? person
        walk.order.sessionName = AssumeOrder.sessionName(person)
    }

    /// Returns a token of the control API.
    /// - Parameters:
    ///   - type: the type of the token; empty for the usual one.
    ///   - fault: what is wrong with it; `nil` for a good one.
    func token(for person: String, type: String, fault: String?, by actions: WalkActions) async throws -> WalkToken {
        var members: JSONObject = ["client": .string(provider.clientID)]
        if !type.isEmpty { members["type"] = .string(type) }
        if let fault { members["fault"] = .string(fault) }
        let (answer, expires) = try await actions.token(provider: provider.name, person: person, members)
        let issued = answer.document(IssuedTokenMembers.self)
        return WalkToken(
            text: issued.token, kind: issued.type, expires: expires,
            received: actions.info.nowMilliseconds)
    }

    /// Sends `AssumeRoleWithWebIdentity`, which is not signed.
    func assumeRole(_ order: AssumeOrder, token: String, by actions: WalkActions) async throws -> Exchange {
        var fields: FormFields = [
            "Action": Self.operation, "Version": "2011-06-15", "RoleArn": order.roleARN, "RoleSessionName": order.sessionName,
        ]
        if !order.duration.isEmpty { fields.fields.append(.init(name: "DurationSeconds", value: order.duration)) }
        if !order.providerID.isEmpty { fields.fields.append(.init(name: "ProviderId", value: order.providerID)) }
        if !order.policy.isEmpty { fields.fields.append(.init(name: "Policy", value: order.policy)) }
        fields.fields.append(.init(name: "WebIdentityToken", value: token))
        return try await actions.sender.form("Get credentials", to: "/", fields)
    }

    /// Exchanges an authorization code, and asks the provider about the user.
    func exchange(code: String, by actions: WalkActions, in walk: inout Walk) async throws {
        let fields = provider.tokenRequest(
            code: code, redirectURI: actions.room.redirectURI,
            verifier: actions.room.walks.verifier(
                walk: walk.id, provider: LoginReturn(kind: walk.course.kind, provider: provider.name).text,
                session: actions.visit.session))
        let exchange = try await actions.sender.form("Exchange the code for tokens", to: provider.tokenPath, fields)
        walk.login = [exchange]
        try await read(tokens: exchange.json, by: actions, in: &walk)
    }

    /// Reads the tokens of a login, and asks the provider about the user.
    func read(tokens: JSONValue, by actions: WalkActions, in walk: inout Walk) async throws {
        guard let text = tokens[provider.tokenMember]?.stringValue else { return }
        let now = actions.info.nowMilliseconds
        var token = WalkToken(text: text, kind: provider.tokenMember, received: now)
        if let expiry = token.decoded?.claims["exp"]?.integerValue {
            token.expires = expiry * 1000
        } else if let seconds = tokens["expires_in"]?.integerValue ?? tokens["expires_in"]?.stringValue.flatMap({ Int64($0) }) {
            token.expires = now + seconds * 1000
        }
        walk.token = token
        if let access = tokens["access_token"]?.stringValue {
            if let target = provider.inspection(of: access) {
                walk.login.append(try await actions.sender.send("Check the token at \(provider.title)", "GET", target))
            }
            // Amazon's profile and Facebook's /me take the token in the query; all take it as a bearer token.
            walk.login.append(
                try await actions.sender.send(
                    "Get the profile from \(provider.title)", "GET", provider.profilePath, headers: ["Authorization": "Bearer \(access)"]))
        }
        let claims = token.decoded?.claims
        walk.person =
            claims?["name"]?.stringValue ?? walk.login.last?.json["name"]?.stringValue ?? claims?["sub"]?.stringValue
    }

    /// Creates a role for a provider that no role trusts.
    private func createRole(by actions: WalkActions) async throws {
        let root = actions.info.root ?? ""
        let account = root.split(separator: ":", omittingEmptySubsequences: false).dropFirst(4).first.map(String.init) ?? ""
        let buckets = try await actions.sender.send("List buckets", as: .principal(root), service: "s3", "GET", "/")
        let bucket = buckets.xml?.child("Buckets")?.children(named: "Bucket").first?.child("Name")?.text ?? "personal-files"
        let (trust, policy) = provider.newRole(account: account, bucket: bucket)
        try await RoleReader(sender: actions.sender, root: root).create("playground-\(provider.name)", trust: trust, policy: policy)
    }
}

extension AssumeOrder {
    /// Returns a name for a session of a person. AWS allows letters, digits and `=,.@_-`.
    static func sessionName(_ person: String) -> String {
        let name = person.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "=,.@_-".contains($0)) }
        return name.count < 2 ? AssumeOrder().sessionName : String(name.prefix(64))
    }
}
