import Calls
import Cryptography
import WireFormats

/// AWS SAML: a login at a SAML identity provider, `AssumeRoleWithSAML`, and S3.
struct SAMLCourse: WalkCourse {
    var provider: SAMLWalkProvider

    static let operation = "AssumeRoleWithSAML"

    var kind: WalkKind { .saml }
    var title: String { "\(provider.name) by SAML" }
    var stations: WalkStations { WalkStations(token: "Assertion") }
    var settings: FormFields { ["provider": provider.name] }

    func personName(in walk: Walk) -> String { provider.personName(of: walk.person) }

    func owner(of key: String) -> String? {
        provider.people.first { !$0.subject.isEmpty && key.contains($0.subject + "/") }?.name
    }

    // MARK: Steps

    func steps(of page: WalkPage) async throws -> HTML {
        let walk = page.walk
        let isTrusting: @Sendable (String) -> Bool = { [provider] in provider.isTrusted(by: $0) }
        let (roles, role) = walk.token != nil && page.info.root != nil ? try await page.roles(isTrusting) : ([], nil)
        var assume = AssumeStep(
            page: page, roles: roles, role: role,
            explanation: """
                Anyone with an assertion that names a role, and that the role's trust policy accepts, may call <code>AssumeRoleWithSAML</code>. \
                The call is not signed.
                """,
            tokenParameter: "SAMLAssertion", isTrusting: isTrusting)
        if walk.token == nil { assume.missing = "Needs the assertion of step 1." }
        assume.fields = AssumeStep.field(
            "principal", label: "PrincipalArn", value: walk.order.providerID.isEmpty ? provider.principal : walk.order.providerID)
        return """
            \(login(page))
            \(assume.html)
            \(FileStep(page: page, role: role).html)
            """
    }

    private func login(_ page: WalkPage) -> HTML {
        let walk = page.walk
        let outcome: HTML =
            walk.token.map { token -> HTML in
                """
                <p><strong class="good">✓ \(Parts.value(walk.person ?? ""))</strong> has a <code>SAMLResponse</code>, which \
                \(page.countdown(token.expires, since: token.received)).</p>

                """
            } ?? "<p>Not logged in yet.</p>"
        let link = page.room.samlURL(of: walk.id, at: provider).map { url -> HTML in
            "<a class=\"button\" href=\"\(url)\">Log in again with \(Parts.value(provider.name))</a>"
        }
        return """
            <section class="step" id="step-1" aria-labelledby="step-1-title">
            <h2 id="step-1-title"><span aria-hidden="true">1</span> Log in at the SAML identity provider</h2>
            \(outcome)
            \(RedirectView(walk: walk).html)
            \(walk.token.map { TokenView(token: $0).html } ?? "")
            <div class="row">\(link ?? "")
            <form method="post" action="\(page.action("token"))" class="row">\(page.visit.formToken)
            <label for="person">or without the login page as</label><select id="person" name="person">\(provider.options(selected: walk.person))</select>
            <button>Issue an assertion</button></form></div>
            </section>

            """
    }

    func perform(_ action: String, by actions: WalkActions, in walk: inout Walk) async throws -> String? {
        switch action {
        case "token":
            try await issue(for: actions.field("person"), by: actions, in: &walk)
            return "#step-1"
        case "assume":
            let token = actions.readOrder(in: &walk)
            // The same member holds the name of the identity provider in other requests.
            walk.order.providerID = actions.field("principal")
            let exchange = try await assumeRole(walk.order, assertion: token, by: actions)
            return try await actions.finishAssuming(exchange, actions.credentials(in: exchange, of: Self.operation), in: &walk)
        default: return nil
        }
    }

    func renew(by actions: WalkActions, in walk: inout Walk) async throws {
        walk.token = try await assertion(for: personName(in: walk), fault: nil, by: actions)
    }

    // MARK: Requests

    static func start(by actions: WalkActions) async throws -> Walk {
        let course = SAMLCourse(provider: try await SAMLWalkProvider.named(actions.field("provider"), actions.visit.client))
        var walk = try actions.start(course)
        try await course.issue(for: actions.field("person"), by: actions, in: &walk)
        return walk
    }

    /// Keeps the response that a browser brought.
    static func finish(_ response: String, id: String, provider: String, by actions: WalkActions) async throws -> Walk {
        let course = SAMLCourse(provider: try await SAMLWalkProvider.named(provider, actions.visit.client))
        var walk =
            actions.room.walks.walk(id, generation: actions.info.generation, session: actions.visit.session)
            ?? Walk(id: id, generation: actions.info.generation, created: .now(), course: course)
        walk.begin()
        walk.authorizeURL = actions.room.samlURL(of: id, at: course.provider)
        walk.returned = "\(actions.room.redirectURI)?SAMLResponse=\(response.prefix(12))…&RelayState=\(id)"
        let token = course.token(response.filter { !$0.isWhitespace }, by: actions)
        guard let status = SAMLDocument(token.xml ?? ""), status.isSuccess else {
            throw ConsoleRefusal(code: "login_refused", message: "\(provider) returned no assertion.")
        }
        walk.token = token
        walk.person = course.provider.people.first { $0.subject == status.subject || $0.name == status.subject }?.fullName ?? status.subject
        return walk
    }

    private func issue(for person: String, by actions: WalkActions, in walk: inout Walk) async throws {
        walk.begin()
        walk.token = try await assertion(for: person, fault: nil, by: actions)
        walk.person = provider.people.first { $0.name == person }?.fullName ?? person
    }

    /// Returns a response of the control API.
    func assertion(for person: String, fault: String?, by actions: WalkActions, _ members: JSONObject = [:]) async throws -> WalkToken {
        var members = members
        members["serviceProvider"] = .string(provider.serviceProvider)
        if let fault { members["fault"] = .string(fault) }
        let (answer, _) = try await actions.token(provider: provider.name, person: person, members)
        return token(answer.issued ?? "", by: actions)
    }

    private func token(_ response: String, by actions: WalkActions) -> WalkToken {
        var token = WalkToken(text: response, kind: "SAMLResponse", received: actions.info.nowMilliseconds)
        token.expires = SAMLDocument(token.xml ?? "")?.expires
        return token
    }

    /// Sends `AssumeRoleWithSAML`, which is not signed.
    func assumeRole(_ order: AssumeOrder, assertion: String, by actions: WalkActions) async throws -> Exchange {
        var fields: FormFields = [
            "Action": Self.operation, "Version": "2011-06-15", "RoleArn": order.roleARN,
            "PrincipalArn": order.providerID.isEmpty ? provider.principal : order.providerID,
        ]
        if !order.duration.isEmpty { fields.fields.append(.init(name: "DurationSeconds", value: order.duration)) }
        if !order.policy.isEmpty { fields.fields.append(.init(name: "Policy", value: order.policy)) }
        fields.fields.append(.init(name: "SAMLAssertion", value: assertion))
        return try await actions.sender.form("Get credentials", to: "/", fields)
    }
}

/// What a walk reads in a SAML response.
struct SAMLDocument {
    let isSuccess: Bool
    /// The name of the subject.
    let subject: String?
    /// When the assertion expires, in milliseconds.
    let expires: Int64?

    init?(_ xml: String) {
        guard let document = try? XMLElement(parsing: Array(xml.utf8)) else { return nil }
        let status = document.child("Status")?.child("StatusCode")?.attribute("Value") ?? ""
        isSuccess = status.hasSuffix(":Success")
        let assertion = document.child("Assertion")
        subject = assertion?.child("Subject")?.child("NameID")?.text
        let confirmation = assertion?.child("Subject")?.child("SubjectConfirmation")?.child("SubjectConfirmationData")
        expires = confirmation?.attribute("NotOnOrAfter").flatMap { Timestamp(iso8601: $0)?.milliseconds }
    }
}
