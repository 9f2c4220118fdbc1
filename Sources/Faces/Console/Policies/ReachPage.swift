import Calls
import ControlDocuments
import WireFormats

/// Who can reach what: people, users, roles and sessions as rows, buckets and prefixes as columns. Each cell opens the simulator.
struct ReachPage {
    let visit: Visit
    let info: CloudInfo

    private static let names = ["access", "kind", "bucket", "prefix", "from"]

    /// The filters in the URL, as the control API knows them.
    private var request: FormFields {
        var request: FormFields = [:]
        for name in Self.names {
            if let value = visit.query.value(name) { request.fields.append(.init(name: name, value: value)) }
        }
        return request
    }

    func response() async -> Response {
        let answer = await visit.client.get("/reach", request)
        let buckets = await visit.client.get("/buckets").document(BucketListMembers.self).buckets.map(\.name)
        let table = ReachTable(reach: answer.document())
        let content: HTML = """
            <h1>Who can reach what</h1>
            \(PolicyViews.reach.links)
            <p>What policies allow now, decided by the same code as requests. Each cell opens the simulator with its question.</p>
            \(form(buckets))
            \(answer.refusal.map(Parts.refusalBox) ?? result(table))
            \(Self.legend)
            \(Parts.calls("curl '\(visit.place.services)/_virga/reach\(suffix)'"))

            """
        var page = ConsolePage(title: "Who can reach what", section: .policies, content: content)
        page.isWide = true
        if let refusal = answer.refusal { page.status = refusal.status }
        return page.response(for: visit, info: info)
    }

    private var suffix: String { request.fields.isEmpty ? "" : "?\(request.encoded)" }

    // MARK: The filters

    private static let accesses = [
        ("read", "read objects"), ("write", "write objects"), ("delete", "delete objects"), ("list", "list keys"),
    ]

    private static let kinds = [
        ("", "everyone"), ("person", "people"), ("user", "users"), ("role", "roles"), ("session", "live sessions"), ("root", "root users"),
        ("anonymous", "anonymous callers"),
    ]

    private func form(_ buckets: [String]) -> HTML {
        let bucket = visit.query.value("bucket") ?? ""
        var names = [""] + buckets.prefix(200)
        if !names.contains(bucket) { names.append(bucket) }
        return """
            <form method="get" action="\(PolicyViews.reach.path)" class="filters">
            <div><label for="access">May they</label>\(choice("access", Self.accesses))</div>
            <div><label for="kind">Who</label>\(choice("kind", Self.kinds))</div>
            <div><label for="bucket">Bucket</label>\(choice("bucket", names.map { ($0, $0.isEmpty ? "all buckets" : $0) }))</div>
            <div><label for="prefix">Prefix in the bucket</label><input id="prefix" name="prefix" value="\(visit.query.value("prefix") ?? "")" \
            spellcheck="false" autocomplete="off" placeholder="folder/"></div>
            <div class="buttons"><button>Show</button> <a href="\(PolicyViews.reach.path)">Clear filters</a></div>
            </form>

            """
    }

    private func choice(_ name: String, _ values: [(value: String, title: String)]) -> HTML {
        let chosen = visit.query.value(name) ?? ""
        let options = values.map { value, title -> HTML in
            "<option value=\"\(value)\"\(value == chosen ? " selected" : "")>\(String(title.visible.prefix(200)))</option>"
        }
        return "<select id=\"\(name)\" name=\"\(name)\">\(options)</select>"
    }

    // MARK: The result

    private func result(_ table: ReachTable) -> HTML {
        let reach = table.reach
        guard !reach.places.isEmpty else {
            return "<p class=\"empty\">There is no bucket. <a href=\"\(Visit.path("/store"))\">Create one in Store</a>.</p>\n"
        }
        guard !reach.callers.isEmpty else { return "<p class=\"empty\">No caller matches the filters.</p>\n" }
        let rows = table.rows
        let (first, end) = (reach.from + 1, reach.from + Int64(rows.count))
        let more: HTML =
            reach.complete
            ? "" : "<p class=\"soft\">Only the first prefixes are shown. Choose a bucket to see more of them, or enter a prefix.</p>\n"
        return """
            <p role="status">\(table.summary(of: rows.count))</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Who can reach what"><table class="matrix">
            <caption class="sr">Callers as rows, buckets and prefixes as columns</caption>
            <thead><tr><th scope="col">Caller</th>\(table.heads)</tr></thead>
            <tbody>\(rows)</tbody></table></div>
            <p class="row">Callers \(String(first)) to \(String(end)) of \(String(reach.total)). \(link(to: 0, "First callers", isShown: reach.from > 0)) \
            \(link(to: end, "Next callers", isShown: end < reach.total))</p>
            \(more)
            """
    }

    private func link(to from: Int64, _ title: String, isShown: Bool) -> HTML {
        guard isShown else { return "" }
        var query = request
        query.fields.removeAll { $0.name == "from" }
        if from > 0 { query.fields.append(.init(name: "from", value: String(from))) }
        return "<a href=\"\(PolicyViews.reach.path)?\(query.encoded)\">\(title)</a>"
    }

    private static let legend: HTML = """
        <dl class="facts">
        <div><dt class="good">✓ allowed</dt><dd>Every such request is allowed.</dd></div>
        <div><dt class="warn">? conditional</dt><dd>It depends on the request or the session: an address, the time, TLS, a claim, a tag, an MFA device.</dd></div>
        <div><dt class="bad">✗ denied</dt><dd>No such request is allowed.</dd></div>
        </dl>
        <p class="soft">A column is about the first object of its prefix, or about a key that does not exist yet. The row of a person combines the roles that
        the person can assume with an ID token or the token of a social login; roles assumed with SAML are left out. The row of a role is that of its
        sessions without session policies. Keys of AWS are not valid at Alibaba Cloud, and the other way round.</p>

        """
}
