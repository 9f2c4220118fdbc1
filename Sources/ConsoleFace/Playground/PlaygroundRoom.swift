import Calls
import HTTPTypes
import WireFormats

/// The Playground: its pages, and the actions of its forms.
struct PlaygroundRoom: ConsoleRoom {
    let visit: Visit
    let walks: WalkStore

    /// The path of a walk.
    static func path(_ id: String) -> String { Visit.path("/playground/\(percentEncoded(id))") }

    /// The URL to which providers return. It counts as a redirect URI of every client while the console is on.
    var redirectURI: String { visit.place.origin + Visit.path("/callback") }

    // MARK: GET

    func show() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        if segments.first == "callback" { return try await finishLogin(info) }
        switch segments.count {
        case 1:
            let providers = try await WalkProvider.all(visit.client)
            return PlaygroundPage(room: self, info: info, providers: providers, walks: walks.all(generation: info.generation)).response
        case 2:
            guard let walk = walks.walk(segments[1], generation: info.generation) else { return gone(info) }
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

    /// Returns the URL that starts a login of a walk.
    func loginURL(of walk: String, at provider: WalkProvider) -> String? {
        walks.state(walk: walk, provider: provider.name, session: visit.session).map { state in
            provider.authorizeURL(
                at: visit.place.services, redirectURI: redirectURI, state: state,
                verifier: walks.verifier(walk: walk, provider: provider.name, session: visit.session))
        }
    }

    /// Answers the return from a login: exchanges the code and opens the walk.
    private func finishLogin(_ info: CloudInfo) async throws -> Response {
        let state = visit.query.first("state") ?? ""
        guard let (id, name) = walks.read(state: state, session: visit.session) else {
            throw ConsoleRefusal(
                code: "unknown_login", message: "This login was not started in this console. Start a walk.", status: .forbidden)
        }
        guard let provider = await WalkProvider.named(name, visit.client) else {
            throw ConsoleRefusal(code: "unknown_provider", message: "The provider \(name) does not exist any more.", status: .notFound)
        }
        guard let code = visit.query.first("code") else {
            let error = visit.query.first("error_description") ?? visit.query.first("error") ?? "no code"
            throw ConsoleRefusal(
                code: visit.query.first("error") ?? "login_refused", message: "\(provider.title) returned no code: \(error)")
        }
        var walk =
            walks.walk(id, generation: info.generation)
            ?? Walk(id: id, generation: info.generation, created: .now(), provider: provider)
        walk.begin(at: provider)
        walk.authorizeURL = loginURL(of: id, at: provider)
        walk.returned = "\(redirectURI)?code=\(code.prefix(8))…&state=\(id)"
        try await WalkActions(room: self, info: info).exchange(code: code, in: &walk)
        walks.keep(walk)
        return Visit.seeOther(Self.path(id) + "#step-1")
    }

    // MARK: POST

    func act() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        let actions = WalkActions(room: self, info: info)
        if segments.count == 2, segments[1] == "start" {
            let walk = try await actions.startWithoutPage()
            walks.keep(walk)
            return Visit.seeOther(Self.path(walk.id) + "#step-1")
        }
        guard segments.count == 3, var walk = walks.walk(segments[1], generation: info.generation) else {
            throw ConsoleRefusal(code: "walk_ended", message: "This walk has ended. Start another one.", status: .notFound)
        }
        let place: String
        switch segments[2] {
        case "token": place = try await actions.issueToken(in: &walk)
        case "assume": place = try await actions.assume(in: &walk)
        case "save": place = try await actions.savePolicy(in: &walk)
        case "undo": place = try await actions.undo(in: &walk)
        case "role": place = try await actions.createRole(in: &walk)
        case "list": place = try await actions.list(in: &walk)
        case "read": place = try await actions.read(in: &walk)
        case "write": place = try await actions.write(in: &walk)
        case "presign": place = try actions.presign(in: &walk)
        case "delete": place = try await actions.delete(in: &walk)
        case "request": place = try await actions.request(in: &walk)
        case "break": place = try await Experiments(actions: actions).run(in: &walk)
        case "end":
            walks.remove(walk.id)
            return Visit.seeOther(Visit.path("/playground"))
        default: throw ConsoleRefusal.noSuchAction
        }
        walks.keep(walk)
        return Visit.seeOther(Self.path(walk.id) + place)
    }
}

extension Walk {
    /// Starts step 1 again. What the later steps had is not valid any more.
    mutating func begin(at provider: WalkProvider) {
        self.provider = provider
        (login, token, person, authorizeURL, returned) = ([], nil, nil, nil, nil)
        (assumption, credentials, access, presignedURL) = (nil, nil, nil, nil)
        (files, results) = (WalkFiles(), [:])
        if order.providerID != provider.providerID || order.roleARN.isEmpty {
            order = AssumeOrder()
            order.providerID = provider.providerID
        }
        order.token = ""
    }
}
