import Calls
import ControlDocuments
import Directory
import WireFormats

/// The page of the policy simulator: the question, the decisions, and the policies as they can be edited.
struct SimulatorPage {
    let visit: Visit
    let info: CloudInfo
    let simulation: Simulation?
    var question: SimulationQuestion
    /// Why an edit was not saved; `nil` for a page without such an attempt.
    var refusal: ConsoleRefusal?
    /// The number of the refused request that the question is about; `nil` if the user asked.
    private var refused: Int64?

    init(visit: Visit, info: CloudInfo, simulation: Simulation?, question: SimulationQuestion) {
        (self.visit, self.info, self.simulation, self.question) = (visit, info, simulation, question)
    }

    private var edits: [PolicyPlace: String] { simulation?.edits ?? [:] }

    /// Takes the question from the last request that policies denied.
    mutating func askAboutLastRefusal() async {
        let answer = await visit.client.get("/journal", ["denied": "true", "exclude": "face:control", "limit": "20"])
        for entry in answer.document(JournalMembers.self).entries {
            guard let denied = entry.decisions.last(where: { !$0.allowed }) else { continue }
            let isWithToken = denied.action.lowercased().hasPrefix("sts:assumerolewith")
            guard !isWithToken else { continue }
            question.caller = entry.caller ?? "anonymous"
            question.actions = [denied.action]
            question.resources = [denied.resource]
            refused = entry.number
            return
        }
    }

    func response() async -> Response {
        let broken = edits.compactMap { place, text in SimulatorEditors.syntaxError(of: text).map { (place, $0) } }
        let result =
            broken.isEmpty ? await Simulator(client: visit.client, question: question, edits: edits).run() : await stored()
        let principals = await Principal.all(visit.client)
        let buckets = await visit.client.get("/buckets").document(BucketListMembers.self).buckets
        let providers = info.providers.compactMap { IdentityProvider.Kind(of: $0).descriptor.principal }
        let choices = SimulatorChoices(principals: principals, buckets: buckets, providers: providers)
        let content: HTML = """
            <h1>Policies</h1>
            \(PolicyViews.simulator.links)
            <p>Ask who may do what. Policies can be changed here without saving them: the decision shows what the change would do.</p>
            \(refusal.map(Parts.refusalBox) ?? "")
            \(note)
            <form method="post" action="\(Visit.path("/policies/run"))" class="card lead">\(visit.formToken)
            <input type="hidden" name="kept" value="\(simulation?.id ?? "")">
            \(SimulatorForm(question: question, keys: result.keys, choices: choices).html)
            \(SimulatorEditors(question: question, policies: result.policies, edits: edits, rows: result.rows).html)
            <p><button class="primary">Run</button></p></form>
            \(SimulatorSaving(page: self, policies: result.policies).html)
            \(broken.isEmpty ? SimulatorResults(visit: visit, question: question, rows: result.rows).html : "")
            """
        var page = ConsolePage(title: "Policies", section: .policies, content: content)
        page.isWide = !question.other.isEmpty
        if let refusal { page.status = refusal.status }
        return page.response(for: visit, info: info)
    }

    /// The stored policies and their keys, without decisions: an edit is not JSON.
    private func stored() async -> Simulator.Result {
        var result = await Simulator(client: visit.client, question: question, edits: [:]).run()
        result.rows = []
        return result
    }

    private var note: HTML {
        guard let refused else {
            return question.isEmpty
                ? "<p class=\"empty\">Choose a caller, an action and a resource. If the journal had a refused request, it would be here.</p>"
                : ""
        }
        return """
            <div class="notice" role="note"><p>This is the last refusal: <a href="\(Visit.path("/journal/\(refused)"))">request \(String(refused))</a> of the journal.</p></div>

            """
    }
}

/// The fields of a question: caller, actions, resources, and the condition keys that the policies read.
struct SimulatorForm {
    let question: SimulationQuestion
    let keys: [Simulator.Key]
    let choices: SimulatorChoices

    var html: HTML {
        """
        <div class="fields">
        <div><label for="as">Who</label><input id="as" name="as" value="\(question.caller)" list="callers" required spellcheck="false" autocomplete="off" \
        placeholder="ARN, access key or anonymous"></div>
        <div><label for="other">Compare with (optional)</label><input id="other" name="other" value="\(question.other)" list="callers" spellcheck="false" autocomplete="off"></div>
        </div>
        <div class="fields">
        <div><label for="action">Actions, one per line</label><textarea id="action" name="action" rows="\(rows(question.actions))" required \
        spellcheck="false" placeholder="s3:GetObject">\(question.actions.joined(separator: "\n"))</textarea>
        \(SimulatorChoices.picker("action", list: "actions", label: "Add an action"))</div>
        <div><label for="resource">Resources, one per line</label><textarea id="resource" name="resource" rows="\(rows(question.resources))" required \
        spellcheck="false" placeholder="arn:aws:s3:::bucket/key">\(question.resources.joined(separator: "\n"))</textarea>
        \(SimulatorChoices.picker("resource", list: "resources", label: "Add a resource"))</div>
        </div>
        \(choices.html)
        \(context)
        """
    }

    private func rows(_ lines: [String]) -> String { String(min(8, max(2, lines.count + 1))) }

    private var context: HTML {
        let others = question.context.filter { pair in !keys.contains { $0.name.lowercased() == pair.key.lowercased() } }
        let asked = keys.prefix(40).enumerated().map { index, key in field(key, index) }
        let more = others.enumerated().map { index, pair in
            field(Simulator.Key(name: pair.key, type: "string", isMultivalued: pair.value.contains(where: \.isNewline)), 100 + index)
        }
        let heading: HTML =
            keys.isEmpty && others.isEmpty
            ? ""
            : "<h2>What the request has</h2><p class=\"soft\">The policies read these keys. Leave a key empty to use the value of the caller or the server.</p>"
        return """
            \(heading)<div class="fields">
            \(asked)\(more)</div>
            <details class="fold"><summary>Another condition key</summary><div class="fields">
            <div><label for="new-key">Key</label><input id="new-key" name="key" spellcheck="false" autocomplete="off" placeholder="aws:PrincipalTag/team"></div>
            <div><label for="new-value">Value</label><input id="new-value" name="value" spellcheck="false" autocomplete="off"></div></div></details>

            """
    }

    /// The field of a key, by the type of its values.
    private func field(_ key: Simulator.Key, _ index: Int) -> HTML {
        let value = question.context.first { $0.key.lowercased() == key.name.lowercased() }?.value ?? ""
        let id = "key-\(index)"
        let input: HTML
        switch key.type {
        case "bool":
            let options = ["", "true", "false"].map { text -> HTML in
                "<option value=\"\(text)\"\(text == value ? " selected" : "")>\(text.isEmpty ? "not changed" : text)</option>"
            }
            input = "<select id=\"\(id)\" name=\"value\">\(options)</select>"
        case _ where key.isMultivalued:
            input = "<textarea id=\"\(id)\" name=\"value\" rows=\"2\" spellcheck=\"false\">\(value)</textarea>"
        case "numeric": input = text(id, value, " inputmode=\"decimal\"")
        case "date": input = text(id, value, " placeholder=\"2026-01-01T00:00:00Z\"")
        case "ip": input = text(id, value, " placeholder=\"10.0.0.1\"")
        case "arn": input = text(id, value, " placeholder=\"arn:aws:…\"")
        default: input = text(id, value, "")
        }
        return """
            <div><label for="\(id)"><code>\(Parts.value(key.name))</code>\(key.isMultivalued ? " (one per line)" : "")</label>\
            <input type="hidden" name="key" value="\(key.name)">\(input)</div>

            """
    }

    private func text(_ id: String, _ value: String, _ attributes: HTML) -> HTML {
        "<input id=\"\(id)\" name=\"value\" value=\"\(value)\" spellcheck=\"false\" autocomplete=\"off\"\(attributes)>"
    }
}
