import Calls
import Cryptography
import HTTPTypes
import WireFormats

/// The policy simulator, who can reach what, and what requests used of the policies.
struct PoliciesRoom: ConsoleRoom {
    let visit: Visit
    let simulations: PageMemory<Simulation>

    private static let longestPolicy = 64 << 10

    /// The path of a question.
    static func path(_ simulation: Simulation?, _ question: SimulationQuestion) -> String {
        let base = Visit.path("/policies") + (simulation.map { "/\(percentEncoded($0.id))" } ?? "")
        return question.caller.isEmpty && question.actions.isEmpty ? base : "\(base)?\(question.query.encoded)"
    }

    func show() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        var simulation: Simulation?
        switch segments.count {
        case 1: break
        case 2 where segments[1] == "reach": return await ReachPage(visit: visit, info: info).response()
        case 2 where segments[1] == "usage": return await UsagePage(visit: visit, info: info).response()
        case 2 where segments[1] == "coverage": return try await CoveragePage(visit: visit, info: info).response()
        case 2:
            simulation = simulations.value(segments[1], generation: info.generation, session: visit.session)
            if simulation == nil { return gone(info) }
        default: throw ConsoleRefusal.noSuchPage
        }
        var page = SimulatorPage(visit: visit, info: info, simulation: simulation, question: SimulationQuestion(visit.query))
        if visit.query.fields.allSatisfy({ $0.name == "done" }) { await page.askAboutLastRefusal() }
        return await page.response()
    }

    private func gone(_ info: CloudInfo) -> Response {
        let content: HTML = """
            <h1>These edits have expired</h1>
            <p>Edits that are not saved stay in memory for two hours, and a reset of the cloud ends them.</p>
            <p><a class="button primary" href="\(Visit.path("/policies"))?\(visit.query.encoded)">Ask with the saved policies</a></p>
            """
        var page = ConsolePage(title: "These edits have expired", section: .policies, content: content)
        page.status = .notFound
        return page.response(for: visit, info: info)
    }

    func act() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        let question = SimulationQuestion(visit.form)
        if segments.count == 2 {
            switch segments[1] {
            case "run": return try run(question, info)
            case "record": return try await finish(await visit.client.call(.put, "/usage", ["enabled": true]), .recorded)
            case "stop": return try await finish(await visit.client.call(.put, "/usage", ["enabled": false]), .unrecorded)
            case "forget": return try await finish(await visit.client.call(.delete, "/usage", nil), .forgotten)
            default: break
            }
        }
        guard segments.count == 3, var simulation = simulations.value(segments[1], generation: info.generation, session: visit.session)
        else {
            throw ConsoleRefusal(code: "edits_ended", message: "These edits have expired.", status: .notFound)
        }
        switch segments[2] {
        case "save":
            do {
                try await save(&simulation, question, info)
            } catch let refusal as ConsoleRefusal {
                visit.call.note(errorCode: refusal.code, message: refusal.message)
                var page = SimulatorPage(visit: visit, info: info, simulation: simulation, question: question)
                page.refusal = refusal
                return await page.response()
            }
            let path = Self.path(simulation.edits.isEmpty ? nil : simulation, question)
            return Visit.seeOther(path + (path.contains("?") ? "&" : "?") + "done=saved")
        case "discard":
            simulations.remove(simulation.id, session: visit.session)
            return Visit.seeOther(Self.path(nil, question))
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    /// Opens the page about usage again, after a change of what it records.
    private func finish(_ answer: ControlAnswer, _ message: DoneMessage) async throws -> Response {
        if let refusal = answer.refusal { throw refusal }
        return Visit.seeOther("\(PolicyViews.usage.path)?done=\(message.rawValue)")
    }

    /// Saves the edit that a form names.
    private func save(_ simulation: inout Simulation, _ question: SimulationQuestion, _ info: CloudInfo) async throws {
        let place = PolicyPlace(type: visit.form.first("type") ?? "", name: visit.form.first("name") ?? "")
        guard let text = simulation.edits[place] else {
            throw ConsoleRefusal(code: "not_edited", message: "There is no edit of this policy.", status: .notFound)
        }
        let result = await Simulator(client: visit.client, question: question, edits: [:]).run()
        guard let stored = SimulatorEditors.all(result.policies, question: question).first(where: { $0.place == place }) else {
            throw ConsoleRefusal(code: "not_saveable", message: "This policy is not stored in the account, so it cannot be saved.")
        }
        try await PolicySaver(sender: Sender(client: visit.client), info: info).save(text, as: stored)
        simulation.edits[place] = nil
        simulations.keep(simulation, session: visit.session)
    }

    /// Keeps the edits of a form, and opens the URL of its question.
    private func run(_ question: SimulationQuestion, _ info: CloudInfo) throws -> Response {
        let form = visit.form
        var edits: [PolicyPlace: String] = [:]
        let types = form.all(named: "policy-type"), names = form.all(named: "policy-name")
        let texts = form.all(named: "policy-text"), digests = form.all(named: "policy-digest")
        for index in texts.indices where index < min(types.count, names.count, digests.count) {
            let text = Self.unixLines(texts[index])
            guard text.utf8.count <= Self.longestPolicy else {
                throw ConsoleRefusal(code: "policy_too_long", message: "A policy may have at most \(Self.longestPolicy) bytes.")
            }
            if Self.digest(text) != digests[index] { edits[PolicyPlace(type: types[index], name: names[index])] = text }
        }
        guard !edits.isEmpty else { return Visit.seeOther(Self.path(nil, question)) }
        let kept = simulations.value(form.first("kept") ?? "", generation: info.generation, session: visit.session)
        var simulation = try kept ?? Simulation(id: PageMemory<Simulation>.newID(), generation: info.generation, created: .now())
        simulation.edits = edits
        simulations.keep(simulation, session: visit.session)
        return Visit.seeOther(Self.path(simulation, question))
    }

    /// Returns a text of a form with the line ends that it had on the page.
    private static func unixLines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }

    /// A digest of the saved text, by which an edit is recognized.
    static func digest(_ text: String) -> String { SHA256.hash(text).base64url }
}
