import Calls
import WireFormats

/// The page of a walk: the chain from person to object, and three steps.
struct WalkPage {
    let room: PlaygroundRoom
    let walk: Walk
    let info: CloudInfo

    var visit: Visit { room.visit }

    func response() async throws -> Response {
        var roles: [WalkRole] = []
        if walk.token != nil, info.root != nil {
            let reader = WalkActions(room: room, info: info).roles
            roles = try await reader.roles()
            // The roles that trust the provider come first.
            let trusting = roles.filter { walk.provider.isTrusted(by: $0.trustPolicy) }
            roles = trusting + roles.filter { role in !trusting.contains { $0.arn == role.arn } }
            if let chosen = chosen(of: roles), let index = roles.firstIndex(where: { $0.arn == chosen.arn }) {
                roles[index] = try await reader.complete(chosen)
            }
        }
        let role = chosen(of: roles)
        let content: HTML = """
            <h1>\(Parts.value(walk.person ?? "Login")) at \(Parts.value(walk.provider.title))</h1>
            \(chain)
            \(LoginStep(page: self).html)
            \(AssumeStep(page: self, roles: roles, role: role).html)
            \(AccessStep(page: self, role: role).html)
            \(ExperimentTable(page: self).html)
            \(CodeExport(page: self).html)
            <div class="row actions">
            <form method="post" action="\(action("undo"))">\(visit.formToken)<button>Undo all</button></form>
            <form method="post" action="\(action("end"))" data-confirm="Forget this walk?">\(visit.formToken)<button class="danger">End the walk</button></form>
            <p class="soft">Undo all restores the policies, the time and the errors on demand that this walk changed.</p></div>
            """
        return ConsolePage(title: "Walk with \(walk.provider.title)", section: .playground, content: content).response(
            for: visit, info: info)
    }

    /// The role of the form: the one that was used last, or the first that trusts the provider.
    private func chosen(of roles: [WalkRole]) -> WalkRole? {
        roles.first { $0.arn == walk.order.roleARN } ?? roles.first { walk.provider.isTrusted(by: $0.trustPolicy) }
    }

    /// The path of an action.
    func action(_ name: String) -> String { "\(PlaygroundRoom.path(walk.id))/\(name)" }

    /// The person, the token, the credentials and the object, with their states.
    private var chain: HTML {
        func item(_ title: String, _ isReached: Bool, _ text: HTML) -> HTML {
            let state: HTML = isReached ? " class=\"reached\"" : ""
            return "<li\(state)><strong>\(isReached ? "✓" : "○") \(title)</strong><small>\(text)</small></li>\n"
        }
        let object: HTML =
            if let access = walk.access {
                "\(Parts.value(access.title, limit: 60)): \(access.isSuccess ? "✓ ok" : "✗ \(access.code)")"
            } else {
                "not yet"
            }
        return """
            <ol class="chain" aria-label="From the person to the object">
            \(item("Person", walk.token != nil, "\(Parts.value(walk.person ?? "not logged in"))"))\
            \(item("Token", walk.token != nil, walk.token.map { countdown($0.expires, since: $0.received) } ?? "none"))\
            \(item("Credentials", walk.credentials != nil, walk.credentials.map { countdown($0.expires, since: $0.received) } ?? "none"))\
            \(item("Object", walk.access?.isSuccess == true, object))</ol>

            """
    }

    /// The time until something expires, which is less if it was aged. The script counts it down.
    /// - Parameters:
    ///   - expires: in milliseconds of the sandbox's time; `nil` if it does not expire.
    ///   - received: when it was received, in the same milliseconds.
    func countdown(_ expires: Int64?, since received: Int64) -> HTML {
        guard let expires else { return "" }
        let seconds = (expires - info.age(since: received) - info.nowMilliseconds) / 1000
        let text = seconds <= 0 ? "expired" : "expires in \(seconds / 60) min \(seconds % 60) s"
        let still: HTML = info.isFrozen ? " data-still=\"true\"" : ""
        return "<span data-remaining=\"\(String(seconds))\"\(still)>\(text)</span>"
    }

    /// A request with its answer and its decisions.
    func exchange(_ exchange: Exchange, id: String, isOpen: Bool = false) -> HTML {
        ExchangeView(exchange: exchange, id: id, isOpen: isOpen).html
    }

    /// A refusal in plain words.
    func refusal(_ exchange: Exchange) -> HTML { ExchangeView(exchange: exchange).refusal }
}
