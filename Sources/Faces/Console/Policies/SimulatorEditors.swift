import Calls
import WireFormats

/// The policies that decide, each in an editor.
struct SimulatorEditors {
    let question: SimulationQuestion
    let policies: [Simulator.StoredPolicy]
    let edits: [PolicyPlace: String]
    let rows: [Simulator.Row]

    /// Returns where a text is not JSON; `nil` if it is, or if it is empty.
    static func syntaxError(of text: String) -> String? {
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: text)
            return nil
        } catch { return "\(TextPlace(error.offset, in: text)): \(error.reason.rawValue)" }
    }

    /// The stored policies, with an empty one for each bucket that has none and one that can be added to those of the caller.
    static func all(_ policies: [Simulator.StoredPolicy], question: SimulationQuestion) -> [Simulator.StoredPolicy] {
        var all = policies
        for resource in question.resources where !question.actions.allSatisfy({ $0.lowercased().hasPrefix("sts:") }) {
            guard let name = Simulator.policyName(of: resource) else { continue }
            let place = PolicyPlace(type: "resource-based policy", name: name)
            if !all.contains(where: { $0.place == place }) {
                all.append(Simulator.StoredPolicy(place: place, document: .null, owner: nil, resource: resource))
            }
        }
        return all
    }

    private var shown: [Simulator.StoredPolicy] {
        guard !question.isEmpty else { return [] }
        var all = Self.all(policies, question: question)
        // A root user and an anonymous caller have no policies.
        if policies.contains(where: \.place.isOfCaller) || edits.keys.contains(PolicyPlace.added) {
            all.append(Simulator.StoredPolicy(place: .added, document: .null, owner: nil, resource: ""))
        }
        for place in edits.keys.sorted(by: { $0.name < $1.name }) where !all.contains(where: { $0.place == place }) {
            all.append(Simulator.StoredPolicy(place: place, document: .null, owner: nil, resource: ""))
        }
        return all
    }

    var html: HTML {
        let editors = shown.enumerated().map(editor)
        guard !editors.isEmpty else { return "" }
        return "<h2>The policies that decide</h2>\n\(editors)"
    }

    private func editor(_ index: Int, _ policy: Simulator.StoredPolicy) -> HTML {
        let saved = policy.document == .null ? "" : policy.document.serialized(pretty: true)
        let text = edits[policy.place] ?? saved
        let error = edits[policy.place].flatMap { Self.syntaxError(of: $0) ?? grammarError(of: policy.place, $0) }
        let id = "policy-\(index)"
        let isEdited = edits[policy.place] != nil
        let state: HTML =
            isEdited
            ? " <strong class=\"warn\">! not saved</strong>" : policy.document == .null ? " <span class=\"soft\">(none)</span>" : ""
        let fault: HTML =
            error.map {
                "<p class=\"error\" id=\"\(id)-error\" role=\"alert\" tabindex=\"-1\" data-focus>✗ \(Parts.value($0, limit: 1_000))</p>\n"
            } ?? ""
        let described: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(id)-error\""
        return """
            <details class="fold"\(isEdited ? " open" : "")><summary>\(title(policy.place))\(state)</summary>
            \(fault)<input type="hidden" name="policy-type" value="\(policy.place.type)"><input type="hidden" name="policy-name" value="\(policy.place.name)">\
            <input type="hidden" name="policy-digest" value="\(PoliciesRoom.digest(saved))">
            <label for="\(id)">Document; an empty one counts as removed</label>
            <textarea id="\(id)" name="policy-text" rows="\(String(min(24, max(3, 1 + text.count { $0.isNewline }))))" spellcheck="false"\(described)>\(text)</textarea>
            </details>

            """
    }

    private func title(_ place: PolicyPlace) -> HTML {
        switch place.type {
        case "role trust policy", "resource-based policy": "\(Parts.value(place.name.prefix(1).uppercased() + place.name.dropFirst()))"
        case _ where place == .added: "Another policy for the caller"
        case "permissions boundary": "Permissions boundary \(Parts.value(place.name))"
        case "session policy": "Session policy \(Parts.value(place.name))"
        default: "Policy \(Parts.value(place.name)) of the caller"
        }
    }

    /// The error of the control API for an edit that is JSON, but no policy.
    private func grammarError(of place: PolicyPlace, _ text: String) -> String? {
        for row in rows where row.answer.json["error"]?.stringValue == "malformed_policy" {
            let message = row.answer.json["message"]?.stringValue ?? ""
            let names = ["role trust policy": "trustPolicy", "resource-based policy": "resourcePolicy"]
            guard message.hasPrefix("'\(names[place.type] ?? "policies.\(place.name)")' ") else { continue }
            let path = row.answer.json["place"]?.stringValue ?? ""
            let detail = row.answer.json["detail"]?.stringValue ?? ""
            let reason = detail.isEmpty ? message : detail
            let location = JSONPlaces.place(of: path, in: text).map { "\($0): " } ?? ""
            return "\(location)\(path.isEmpty ? "" : "\(path): ")\(reason)"
        }
        return nil
    }
}

/// The buttons that save or discard edits.
struct SimulatorSaving {
    let page: SimulatorPage
    let policies: [Simulator.StoredPolicy]

    var html: HTML {
        guard let simulation = page.simulation, !simulation.edits.isEmpty else { return "" }
        let fields = page.question.query.fields.map { field -> HTML in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
        }
        let path = "\(Visit.path("/policies"))/\(percentEncoded(simulation.id))"
        let stored = SimulatorEditors.all(policies, question: page.question)
        let forms = simulation.edits.keys.sorted { $0.name < $1.name }.map { place -> HTML in
            guard let policy = stored.first(where: { $0.place == place }), PolicySaver.canSave(policy),
                SimulatorEditors.syntaxError(of: simulation.edits[place] ?? "") == nil
            else {
                return
                    "<p class=\"soft\">\(Parts.value(place.name)) cannot be saved: it is not stored in the account, or it is not JSON.</p>\n"
            }
            return """
                <form method="post" action="\(path)/save">\(page.visit.formToken)\(fields)<input type="hidden" name="type" value="\(place.type)">\
                <input type="hidden" name="name" value="\(place.name)"><button>Save \(Parts.value(place.name, limit: 80))</button></form>

                """
        }
        return """
            <section aria-labelledby="unsaved" class="notice"><div><h2 id="unsaved">Not saved</h2>
            <p>The decisions below are those with your edits. Nothing has changed in the cloud.</p></div>
            <div class="row">\(forms)<form method="post" action="\(path)/discard">\(page.visit.formToken)\(fields)<button>Discard the edits</button></form></div>
            </section>

            """
    }
}
