import Calls
import WireFormats

/// The start of a walk: the paths, and the choices of the selected one.
struct PlaygroundPage {
    let room: PlaygroundRoom
    let info: CloudInfo

    private var visit: Visit { room.visit }
    private var kind: WalkKind

    init(room: PlaygroundRoom, info: CloudInfo) {
        (self.room, self.info) = (room, info)
        kind = WalkKind(rawValue: room.visit.query.first("path") ?? "") ?? .webIdentity
    }

    func response() async throws -> Response {
        var page = self
        if WalkKind(rawValue: visit.query.first("path") ?? "") == nil { page.kind = try await firstComplete() }
        return try await page.shown()
    }

    /// Returns the first path that the seed completes: with logins, and with a role for each of them.
    private func firstComplete() async throws -> WalkKind {
        var page = self
        for kind in WalkKind.allCases {
            page.kind = kind
            if kind == .webIdentity {
                let providers = try await WalkProvider.all(visit.client)
                guard !providers.isEmpty, let root = info.root else { continue }
                var sender = Sender(client: visit.client)
                sender.isRecorded = false
                let roles = try await RoleReader(sender: sender, root: root).roles()
                let isTrusted = providers.allSatisfy { provider in roles.contains { provider.isTrusted(by: $0.trustPolicy) } }
                if isTrusted { return kind }
            } else if try await page.choices != nil {
                return kind
            }
        }
        return .webIdentity
    }

    private func shown() async throws -> Response {
        let content: HTML = """
            <h1>Playground</h1>
            <p>Walk from a login to an object. Every step shows its request and response, and every field can be changed.</p>
            \(paths)
            \(shared)
            <section aria-labelledby="choose"><h2 id="choose">1. Choose how to log in</h2>
            <p>\(kind.explanation)</p>
            \(try await choices ?? empty)
            </section>
            \(running)
            """
        return ConsolePage(title: "Playground", section: .playground, content: content).response(for: visit, info: info)
    }

    private var paths: HTML {
        let links = WalkKind.allCases.map { kind -> HTML in
            let current: HTML = kind == self.kind ? " aria-current=\"page\"" : ""
            return "<li><a class=\"button\" href=\"\(Visit.path("/playground?path=\(kind.rawValue)"))\"\(current)>\(kind.title)</a></li>\n"
        }
        return "<nav aria-label=\"Paths\"><ul class=\"plain row paths\">\n\(links)</ul></nav>"
    }

    /// What can be chosen; `nil` if the seed lacks the path.
    private var choices: HTML? {
        get async throws {
            switch kind {
            case .webIdentity: try await WebIdentityChoices(room: room).html
            case .saml: try await SAMLChoices(room: room).html
            case .alibaba: try await AlibabaChoices(room: room).html
            case .mobile: try await MobileChoices(room: room).html
            case .vending: try await VendingChoices(room: room).html
            }
        }
    }

    private var empty: HTML {
        let reason =
            switch kind {
            case .webIdentity: "The seed has no identity provider with a client and people. The built-in seed has four:"
            case .saml: "The seed has no SAML identity provider with a service provider of AWS. The built-in seed has one:"
            case .alibaba: "The seed has no account of Alibaba Cloud with a role or an app server. This seed has both:"
            case .mobile: "The seed has no mobile cloud. This seed has one with four backends:"
            case .vending: "The seed has no token vending machine. This seed has two:"
            }
        let command = kind == .webIdentity || kind == .saml ? "virga serve" : "virga serve --seed \(kind.seed)"
        return """
            <div class="empty"><p>\(reason)</p>
            \(Parts.code(command, id: "start", label: "the command"))</div>

            """
    }

    /// The settings of a shared walk.
    private var shared: HTML {
        let names = [
            "path", "provider", "method", "backend", "machine", "account", "user", "person", "role", "session", "duration", "policy",
        ]
        let settings = names.compactMap { name in visit.query.first(name).map { (name, $0) } }
        guard settings.contains(where: { $0.0 != "path" }) else { return "" }
        let rows = settings.map { name, value -> HTML in "<div><dt>\(name)</dt><dd>\(Parts.name(value, limit: 1_000))</dd></div>\n" }
        let fields = settings.map { name, value -> HTML in "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">" }
        return """
            <section class="step" aria-labelledby="shared"><h2 id="shared">A shared walk</h2>
            <dl class="facts">\(rows)</dl>
            <form method="post" action="\(Visit.path("/playground/start"))">\(visit.formToken)\(fields)
            <button class="primary">Start this walk</button></form></section>

            """
    }

    private var running: HTML {
        let walks = room.walks.all(generation: info.generation, session: room.visit.session)
        guard !walks.isEmpty else { return "" }
        let items = walks.map { walk -> HTML in
            """
            <li><a href="\(PlaygroundRoom.path(walk.id))">\(Parts.value(walk.person ?? "not logged in")) at \(Parts.value(walk.course.title))</a> \
            <span class="soft">\(walk.course.kind.title), \(walk.credentials == nil ? "no credentials yet" : "with credentials")</span></li>

            """
        }
        return """
            <section aria-labelledby="walks"><h2 id="walks">Your walks</h2>
            <p class="soft">Each is kept for two hours under its URL.</p><ul class="plain">
            \(items)</ul></section>

            """
    }
}
