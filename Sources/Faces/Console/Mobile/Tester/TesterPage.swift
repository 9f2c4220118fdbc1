import Calls
import WireFormats

/// The *API tester*: the endpoints, *Request* and *Response* of one of them.
struct TesterPage: MobilePage {
    let site: MobileSite
    /// The name and version of a custom API, or `platform`.
    let key: String

    var title: String { key == "platform" ? "Test the platform APIs" : "Test \(key)" }
    var section: MobileSection { .apis }
    var trail: [(title: String, path: String)] {
        if let backend = visit.query.first("backend"), !backend.isEmpty {
            return [
                ("Mobile Backends", MobileRoom.path()), (backend, MobileRoom.path("backends", backend)),
                ("APIs of this backend", MobileRoom.path("backends", backend, "apis")),
            ]
        }
        var trail = [(title: "APIs", path: MobileSection.apis.path)]
        if key != "platform" { trail.append((key, MobileRoom.path("apis", key))) }
        return trail
    }

    /// The query with the backend whose page led here.
    var backendQuery: String { visit.query.first("backend").map { "?backend=\(percentEncoded($0))" } ?? "" }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let api = key == "platform" ? TestableAPI() : TestableAPI(try await site.part("apis", key))
        let backends = await site.list("backends").compactMap(\.objectValue)
        let test = visit.query.first("test").flatMap {
            site.memory.tests.value($0, generation: site.info.generation, session: visit.session)
        }
        let number = Int(visit.query.first("endpoint") ?? test?.fields.first("endpoint") ?? "0") ?? 0
        guard !api.endpoints.isEmpty else {
            return
                "<div class=\"empty\"><p>The API has no endpoint. Add one to <a href=\"\(MobileRoom.path("apis", key))\">its document</a>.</p></div>"
        }
        let index = api.endpoints.indices.contains(number) ? number : 0
        let defaults = site.memory.testCredentials(generation: site.info.generation)
        let choice = TestChoice(
            fields: test?.fields ?? [:], defaults: defaults, backends: backends,
            wanted: visit.query.first("backend"), api: key)
        let form = TesterForm(
            page: self, api: api, index: index, choice: choice, test: test, people: await people(for: choice),
            users: await users(of: choice),
            showsExamples: visit.query.first("example") != nil)
        return """
            <dl class="facts"><div><dt>Version</dt><dd>\(Parts.value(api.version))</dd></div>\
            <div><dt>Base URI</dt><dd><code>\(Parts.value(api.base))</code></dd></div>\
            <div><dt>Security</dt><dd>\(api.security)</dd></div></dl>
            <div class="tester">
            \(endpoints(api, index, test))
            <div>\(TestCredentialsForm(page: self, backends: backends, fields: defaults, draft: draft).html)
            \(backends.isEmpty ? noBackend : form.html)
            \(TestResult(page: self, test: test, endpoint: api.endpoints[index]).html)</div>
            </div>
            """
    }

    private var noBackend: HTML {
        "<div class=\"empty\"><p>A test needs a mobile backend. <a href=\"\(MobileRoom.path())\">Create one</a>.</p></div>"
    }

    private func endpoints(_ api: TestableAPI, _ index: Int, _ test: APITest?) -> HTML {
        let links = api.endpoints.enumerated().map { number, endpoint -> HTML in
            let current: HTML = number == index ? " aria-current=\"true\"" : ""
            let kept = test.map { "&test=\(percentEncoded($0.id))" } ?? ""
            let backend = visit.query.first("backend").map { "&backend=\(percentEncoded($0))" } ?? ""
            return """
                <li><a href="\(MobileRoom.path("apis", key, "test"))?endpoint=\(String(number))\(kept)\(backend)"\(current)>\
                <strong>\(Parts.value(endpoint.method))</strong> \(Parts.value(endpoint.path))</a></li>

                """
        }
        return "<nav class=\"menu list\" aria-label=\"Endpoints\"><h2>Endpoints</h2><ul class=\"plain\">\n\(links)</ul></nav>\n"
    }

    /// The names of the users of the chosen backend.
    private func users(of choice: TestChoice) async -> [String] {
        guard let backend = choice.backend, choice.method == .basic || choice.method == .oauth else { return [] }
        let realm = try? await site.part("realms", backend.string("realm"))
        return realm?["users"]?.arrayValue?.compactMap { $0["username"]?.stringValue } ?? []
    }

    /// The people who can log in for the chosen method.
    private func people(for choice: TestChoice) async -> [JSONValue] {
        guard let backend = choice.backend, choice.method == .sso || choice.method == .facebook else { return [] }
        return await TesterTokenSource(site: site, backend: backend).provider(for: choice.method)?["people"]?.arrayValue ?? []
    }

    func perform(_ action: String) async throws -> String {
        if action == "credentials" {
            site.memory.keep(
                testCredentials: FormFields(visit.form.fields.filter { !["form", "do"].contains($0.name) }),
                generation: site.info.generation)
            return MobileRoom.path("apis", key, "test") + (backendQuery.isEmpty ? "?" : "\(backendQuery)&") + "done=saved"
        }
        let api = key == "platform" ? TestableAPI() : TestableAPI(try await site.part("apis", key))
        let backends = await site.list("backends").compactMap(\.objectValue)
        var test = APITest(
            id: try PageMemory<APITest>.newID(), generation: site.info.generation, created: .now(),
            fields: FormFields(visit.form.fields.filter { !["form", "do"].contains($0.name) }))
        let choice = TestChoice(fields: test.fields, defaults: [:], backends: backends, wanted: nil, api: key)
        var place = "#request"
        do {
            switch action {
            case "choose": break
            case "token": try await TesterTokenSource(site: site, choice).fill(&test)
            case "test":
                try await TestRequest(site: site, api: api, choice: choice).send(&test)
                place = "#response"
            default: throw ConsoleRefusal.noSuchAction
            }
        } catch let refusal as FormRefusal {
            test.refusal = refusal
        }
        site.memory.tests.keep(test, session: visit.session)
        return MobileRoom.path("apis", key, "test") + (backendQuery.isEmpty ? "?" : "\(backendQuery)&")
            + "test=\(percentEncoded(test.id))\(place)"
    }
}

extension FormFields {
    /// Creates the fields of a list.
    init(_ fields: [Field]) {
        self = [:]
        self.fields = fields
    }
}
