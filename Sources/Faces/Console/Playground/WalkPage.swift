import Calls
import WireFormats

/// The page of a walk: the chain from person to object, and three steps.
struct WalkPage {
    let room: PlaygroundRoom
    let walk: Walk
    let info: CloudInfo

    var visit: Visit { room.visit }

    func response() async throws -> Response {
        let content: HTML = """
            <h1>\(Parts.value(walk.person ?? "Login")) at \(Parts.value(walk.course.title))</h1>
            <p class="soft">\(walk.course.kind.title). <a href="\(Visit.path("/playground?path=\(walk.course.kind.rawValue)"))">Start another walk</a></p>
            \(WalkChain(walk: walk).html)\(chain)
            \(try await walk.course.steps(of: self))
            \(ExperimentTable(page: self).html)
            \(CodeExport(page: self).html)
            \(share)
            <div class="row actions">
            <form method="post" action="\(action("undo"))">\(visit.formToken)<button>Undo all</button></form>
            <form method="post" action="\(action("end"))" data-confirm="Forget this walk?">\(visit.formToken)<button class="danger">End the walk</button></form>
            <p class="soft">Undo all restores the policies, the time and the errors on demand that this walk changed.</p></div>
            """
        return ConsolePage(title: "Walk with \(walk.course.title)", section: .playground, content: content).response(
            for: visit, info: info)
    }

    /// The URL that reopens the settings of the walk.
    private var share: HTML {
        let url = visit.place.origin + Visit.path("/playground?\(walk.settings.encoded)")
        return """
            <details class="fold" id="share"><summary>Share this walk</summary>
            <p class="soft">The link has the settings of the walk and no secret. It starts a walk of its own.</p>
            \(Parts.code(url, id: "share-url", label: "link"))</details>

            """
    }

    /// Returns the roles, those that a check accepts first, and the chosen one with its policies.
    /// - Parameter isTrusting: returns whether a trust policy accepts the walk's token.
    func roles(_ isTrusting: (String) -> Bool) async throws -> (roles: [WalkRole], chosen: WalkRole?) {
        let keeper = walk.course.keeper(WalkActions(room: room, info: info))
        let all = try await keeper.roles()
        let roles = all.filter { isTrusting($0.trustPolicy) } + all.filter { !isTrusting($0.trustPolicy) }
        let chosen = roles.first { $0.arn == walk.order.roleARN } ?? roles.first { isTrusting($0.trustPolicy) }
        return (roles, try await chosen.asyncMap { try await keeper.complete($0) })
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
                "\(Parts.name(access.title, limit: 60)): \(access.isSuccess ? "✓ ok" : "✗ \(access.code)")"
            } else {
                "not yet"
            }
        let stations = walk.course.stations
        let isLoggedIn = stations.hasToken ? walk.token != nil : walk.person != nil
        let token: HTML =
            stations.hasToken
            ? item(
                stations.token, walk.token != nil,
                walk.token.map { $0.expires == nil ? "received" : countdown($0.expires, since: $0.received) } ?? "none") : ""
        let credentials: HTML =
            if let credentials = walk.credentials {
                countdown(credentials.expires, since: credentials.received)
            } else {
                walk.assumption.map { $0.isSuccess ? "✓ ok" : "✗ \($0.code)" } ?? "none"
            }
        return """
            <ol class="chain" aria-label="From the person to the \(stations.object.lowercased())">
            \(item("Person", isLoggedIn, "\(Parts.value(walk.person ?? "not logged in"))"))\
            \(token)\
            \(item(stations.credentials, walk.credentials != nil || walk.assumption?.isSuccess == true, credentials))\
            \(item(stations.object, walk.access?.isSuccess == true, object))</ol>

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

extension Optional {
    /// Transforms the value, if there is one.
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async throws -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}
