import Calls
import HTTPTypes
import WireFormats

/// The Playground: its pages, and the actions of its forms.
struct PlaygroundRoom: ConsoleRoom {
    let visit: Visit
    let walks: WalkStore
    let access: ConsoleAccess

    /// The path of a walk.
    static func path(_ id: String) -> String { Visit.path("/playground/\(percentEncoded(id))") }

    /// The URL to which providers return. It counts as a redirect URI of every client, and as a consumer of every SAML service provider,
    /// while the console is on.
    var redirectURI: String { visit.place.origin + Visit.path("/callback") }

    // MARK: GET

    func show() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        if segments.first == "callback" { return try await LoginReturns(room: self, info: info).finish() }
        switch segments.count {
        case 1: return try await PlaygroundPage(room: self, info: info).response()
        case 2:
            guard let walk = walks.walk(segments[1], generation: info.generation, session: visit.session) else { return gone(info) }
            return try await WalkPage(room: self, walk: walk, info: info).response()
        default: throw ConsoleRefusal.noSuchPage
        }
    }

    private func gone(_ info: CloudInfo) -> Response {
        let content: HTML = """
            <h1>This walk has ended</h1>
            <p>A walk is kept for two hours, and a reset of the cloud ends it.</p>
            <p><a class="button primary" href="\(Visit.path("/playground"))">Start another one</a></p>
            """
        var page = ConsolePage(title: "This walk has ended", section: .playground, content: content)
        page.status = .notFound
        return page.response(for: visit, info: info)
    }

    // MARK: Logins

    /// Returns the `state` of a login.
    func state(of walk: String, _ login: LoginReturn) -> String? {
        walks.state(walk: walk, provider: login.text, session: visit.session).map { state in
            visit.place.isOwnPort ? access.state(state, forCallback: redirectURI) : state
        }
    }

    /// Returns the URL that starts a login of a walk.
    func loginURL(of walk: String, at provider: WalkProvider, for kind: WalkKind) -> String? {
        let login = LoginReturn(kind: kind, provider: provider.name)
        return state(of: walk, login).map { state in
            provider.authorizeURL(
                at: visit.place.services, redirectURI: redirectURI, state: state,
                verifier: walks.verifier(walk: walk, provider: login.text, session: visit.session))
        }
    }

    /// Returns the URL that starts a login with the implicit flow; `nil` for providers without one.
    func implicitURL(of walk: String, at provider: WalkProvider) -> String? {
        state(of: walk, LoginReturn(kind: .webIdentity, provider: provider.name)).flatMap { state in
            provider.implicitURL(at: visit.place.services, redirectURI: redirectURI, state: state)
        }
    }

    // MARK: POST

    func act() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        if segments.count == 2 {
            var walk: Walk
            switch segments[1] {
            case "start":
                let actions = WalkActions(room: self, info: info, walkID: try WalkStore.newID())
                walk = try await WalkStart(actions: actions).walk()
                walk.readSettings(visit.form)
            case "return": walk = try await LoginReturns(room: self, info: info).readFragment()
            default: throw ConsoleRefusal.noSuchAction
            }
            walks.keep(walk, session: visit.session)
            return Visit.seeOther(Self.path(walk.id) + "#step-1")
        }
        guard segments.count == 3, var walk = walks.walk(segments[1], generation: info.generation, session: visit.session) else {
            throw ConsoleRefusal(code: "walk_ended", message: "This walk has ended. Start another one.", status: .notFound)
        }
        if segments[2] == "end" {
            walks.remove(walk.id, session: visit.session)
            return Visit.seeOther(Visit.path("/playground"))
        }
        let place = try await WalkActions(room: self, info: info, walkID: walk.id).perform(segments[2], in: &walk)
        walks.keep(walk, session: visit.session)
        return Visit.seeOther(Self.path(walk.id) + place)
    }
}

/// What the `state` of a login says: the path, and the provider.
struct LoginReturn: Equatable {
    var kind: WalkKind
    var provider: String

    var text: String { "\(kind.rawValue)/\(provider)" }

    init(kind: WalkKind, provider: String) { (self.kind, self.provider) = (kind, provider) }

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = WalkKind(rawValue: String(parts[0])) else { return nil }
        self.init(kind: kind, provider: String(parts[1]))
    }
}

/// Starts a walk of any kind from the fields of a form.
struct WalkStart {
    let actions: WalkActions

    func walk() async throws -> Walk {
        switch WalkKind(rawValue: actions.field("path")) ?? .webIdentity {
        case .webIdentity: try await WebIdentityCourse.start(by: actions)
        case .saml: try await SAMLCourse.start(by: actions)
        case .alibaba: try await AlibabaCourse.start(by: actions)
        case .mobile: try await MobileCourse.start(by: actions)
        case .vending: try await VendingCourse.start(by: actions)
        }
    }
}

extension Walk {
    /// The fields that reopen the settings of the walk. They hold no secret.
    var settings: FormFields {
        var fields: FormFields = ["path": course.kind.rawValue]
        fields.fields += course.settings.fields
        fields.fields.append(.init(name: "person", value: course.personName(in: self)))
        for (name, value) in [
            ("role", order.roleARN), ("session", order.sessionName), ("duration", order.duration), ("policy", order.policy),
        ] where !value.isEmpty {
            fields.fields.append(.init(name: name, value: value))
        }
        return fields
    }

    /// Takes the settings of a shared walk.
    mutating func readSettings(_ form: FormFields) {
        if let role = form.first("role") { order.roleARN = role }
        if let session = form.first("session") { order.sessionName = session }
        if let duration = form.first("duration") { order.duration = duration }
        if let policy = form.first("policy") { order.policy = policy }
    }
}
