import Calls
import HTTPTypes
import WireFormats

/// The return from a login: the code of OpenID Connect, the response of SAML, or the fragment of the implicit flow.
struct LoginReturns {
    let room: PlaygroundRoom
    let info: CloudInfo

    private var visit: Visit { room.visit }
    private var actions: WalkActions { WalkActions(room: room, info: info) }

    private func actions(of walk: String) -> WalkActions { WalkActions(room: room, info: info, walkID: walk) }

    /// Answers `GET /callback`.
    func finish() async throws -> Response {
        // A browser sends no fragment. A page asks for it.
        if visit.call.query.isEmpty { return fragmentPage }
        if let response = visit.query.first("SAMLResponse") {
            let (id, login) = try login(of: visit.query.first("RelayState") ?? "")
            guard login.kind == .saml else { throw Self.unknown }
            let walk = try await SAMLCourse.finish(response, id: id, provider: login.provider, by: actions(of: id))
            return open(walk)
        }
        let (id, login) = try login(of: visit.query.first("state") ?? "")
        let provider = try await provider(login.provider)
        guard let code = visit.query.first("code") else {
            let error = visit.query.first("error_description") ?? visit.query.first("error") ?? "no code"
            throw ConsoleRefusal(
                code: visit.query.first("error") ?? "login_refused", message: "\(provider.title) returned no code: \(error)")
        }
        let course = WebIdentityCourse(provider: provider)
        var walk = try await walk(id, login, course)
        walk.authorizeURL = room.loginURL(of: id, at: provider, for: login.kind)
        walk.returned = "\(room.redirectURI)?code=\(code.prefix(8))…&state=\(id)"
        try await course.exchange(code: code, by: actions(of: id), in: &walk)
        return open(walk)
    }

    /// Reads the address that the page of the fragment sent.
    func readFragment() async throws -> Walk {
        let address = actions.field("address")
        let fragment = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let fields = FormFields(parsing: fragment) ?? [:]
        let (id, login) = try login(of: fields.first("state") ?? "")
        guard login.kind == .webIdentity, let token = fields.first("access_token") else { throw Self.unknown }
        let provider = try await provider(login.provider)
        let course = WebIdentityCourse(provider: provider)
        var walk = try await walk(id, login, course)
        walk.authorizeURL = room.implicitURL(of: id, at: provider)
        walk.returned = "\(room.redirectURI)#access_token=\(token.prefix(8))…&state=\(id)"
        var tokens: JSONObject = ["access_token": .string(token)]
        if let lifetime = fields.first("expires_in") { tokens["expires_in"] = .string(lifetime) }
        try await course.read(tokens: .object(tokens), by: actions(of: id), in: &walk)
        return walk
    }

    /// Returns the walk of a login with an empty step 1.
    private func walk(_ id: String, _ login: LoginReturn, _ course: WebIdentityCourse) async throws -> Walk {
        let known = room.walks.walk(id, generation: info.generation, session: room.visit.session)
        let next: any WalkCourse =
            if login.kind == .alibaba {
                if let known { known.course } else { try await AlibabaCourse.withToken(of: login.provider, by: actions) }
            } else { course }
        var walk = known ?? Walk(id: id, generation: info.generation, created: .now(), course: next)
        if login.kind == .webIdentity {
            course.begin(&walk)
            walk.course = course
        } else {
            walk.begin()
        }
        return walk
    }

    private func open(_ walk: Walk) -> Response {
        room.walks.keep(walk, session: room.visit.session)
        return Visit.seeOther(PlaygroundRoom.path(walk.id) + "#step-1")
    }

    private func login(of state: String) throws -> (walk: String, login: LoginReturn) {
        let state = ConsoleAccess.withoutProof(state)
        guard let (id, text) = room.walks.read(state: state, session: visit.session), let login = LoginReturn(text) else {
            throw Self.unknown
        }
        return (id, login)
    }

    private func provider(_ name: String) async throws -> WalkProvider {
        guard let provider = await WalkProvider.named(name, visit.client) else {
            throw ConsoleRefusal(code: "unknown_provider", message: "The provider \(name) does not exist any more.", status: .notFound)
        }
        return provider
    }

    private static let unknown = ConsoleRefusal(
        code: "unknown_login", message: "This login was not started in this console. Start a walk.", status: .forbidden)

    /// The page at which the implicit flow ends. The script fills the form from the address.
    private var fragmentPage: Response {
        let content: HTML = """
            <h1>Back from the login</h1>
            <p>The implicit flow returns the token behind the <code>#</code> of this page's address. Browsers do not send that part to the server.</p>
            <form method="post" action="\(Visit.path("/playground/return"))" data-fragment>\(visit.formToken)
            <label for="address">The address of this page</label><textarea id="address" name="address" rows="4" spellcheck="false"></textarea>
            <p class="soft">Without scripts, copy it from the browser's address bar.</p>
            <p><button class="primary">Continue the walk</button></p></form>
            """
        return ConsolePage(title: "Back from the login", section: .playground, content: content).response(for: visit, info: info)
    }
}
