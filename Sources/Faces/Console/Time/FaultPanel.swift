import Calls
import ControlDocuments
import WireFormats

/// The errors on demand: rules that apply now, presets, and the form for any other rule.
struct FaultPanel {
    let visit: Visit
    let info: CloudInfo
    let rules: [Document<FaultMembers>]
    /// The services of the catalogue.
    let services: [Document<FaultServiceMembers>]
    let refusal: ConsoleRefusal?

    private func typed(_ name: String) -> String { refusal == nil ? "" : visit.form.first(name) ?? "" }

    var html: HTML {
        """
        <section aria-labelledby="faults"><h2 id="faults">Errors on demand</h2>
        <p class="soft">Let a service fail on purpose, to see what your application does. A reset removes them.</p>
        \(refusal.map(Parts.refusalBox) ?? "")
        \(list)
        <h3>Add one</h3>
        \(presets)
        \(form)
        </section>

        """
    }

    private var list: HTML {
        guard !rules.isEmpty else { return "<p class=\"empty\">There are none. Every service works.</p>\n" }
        let rows = rules.map { rule -> HTML in
            let title: HTML = rule.name.map { "<strong>\(Parts.value($0))</strong><br>" } ?? ""
            let state = rule.live ? Outcome(kind: "warn", sign: "!", word: "active") : Outcome(kind: "soft", sign: "○", word: "used up")
            return """
                <tr><td>\(Parts.outcome(state))</td><td>\(title)\(Parts.value(Self.calls(rule), limit: 600))</td>\
                <td>\(Parts.value(Self.effect(rule), limit: 600))</td><td class="number" data-label="Matched">\(String(rule.met))</td>\
                <td class="number" data-label="Applied">\(String(rule.struck))\(rule.times.integerValue.map { " of \($0)" } ?? ", always")</td>\
                <td><form method="post" action="\(TimeRoom.path)/remove">\(visit.formToken)<input type="hidden" name="id" value="\(rule.id)">\
                <button class="small">Remove</button></form></td></tr>

                """
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Errors on demand"><table class="stack">
            <thead><tr><th scope="col">State</th><th scope="col">Calls</th><th scope="col">What happens</th><th scope="col" class="number">Matched</th>\
            <th scope="col" class="number">Applied</th><th scope="col">Action</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>
            <div class="row actions"><form method="post" action="\(Visit.path("/faults"))">\(visit.formToken)<input type="hidden" name="back" value="\(TimeRoom.path)">\
            <button class="danger">Remove all errors</button></form></div>

            """
    }

    /// The calls that a rule applies to.
    private static func calls(_ rule: Document<FaultMembers>) -> String {
        let known = [rule.service, rule.action, rule.caller.map { "by \($0)" }, rule.resource.map { "on \($0)" }] as [String?]
        let parts = known.compactMap(\.self)
        return parts.isEmpty ? "every call" : parts.joined(separator: " ")
    }

    /// What a rule does.
    private static func effect(_ rule: Document<FaultMembers>) -> String {
        var parts: [String] = []
        if let error = rule.error { parts.append("error \(error.code)" + (error.status.map { " (\($0))" } ?? "")) }
        switch rule.connection {
        case "request": parts.append("the connection closes before the request is processed")
        case "answer": parts.append("the request is processed, and the response is lost")
        case "body": parts.append("the connection closes in the middle of the body")
        default: break
        }
        if let delay = rule.latency { parts.append("the response is \(delay) ms late") }
        if let chance = rule.probability { parts.append("by a chance of \(Int((chance * 100).rounded())) %") }
        return parts.joined(separator: ", ")
    }

    private var presets: HTML {
        let buttons = FaultPreset.allCases.filter { !$0.service.isEmpty && info.services.contains($0.service) }.map {
            preset -> HTML in
            "<button class=\"small\" name=\"preset\" value=\"\(preset.rawValue)\">\(preset.title)</button>\n"
        }
        let providers = info.providers.map(\.name).map { name -> HTML in
            "<option value=\"\(name)\">\(name.visible)</option>"
        }
        let unreachable: HTML =
            providers.isEmpty
            ? ""
            : """
            <form method="post" action="\(TimeRoom.path)/preset" class="row">\(visit.formToken)<input type="hidden" name="preset" value="unreachable">\
            <label for="provider">Identity provider</label><select id="provider" name="provider">\(providers)</select>\
            <button class="small">\(FaultPreset.unreachable.title)</button></form>

            """
        let common: HTML =
            buttons.isEmpty
            ? "" : "<form method=\"post\" action=\"\(TimeRoom.path)/preset\" class=\"row\">\(visit.formToken)\n\(buttons)</form>\n"
        return "\(common)<p></p>\(unreachable)"
    }

    private var form: HTML {
        let names = [""] + services.map(\.name)
        let options = names.map { name -> HTML in
            "<option value=\"\(name)\"\(name == typed("service") ? " selected" : "")>\(name.isEmpty ? "every service" : name.visible)</option>"
        }
        return """
            <details class="fold"\(refusal == nil ? "" : " open")><summary>Any other error</summary>
            <form method="post" action="\(TimeRoom.path)/fault" class="card">\(visit.formToken)
            <h3>Which calls</h3><div class="fields">
            <div><label for="service">Service</label><select id="service" name="service">\(options)</select></div>
            \(input("action", "Operation", "PutObject or Put*"))
            \(input("caller", "Caller", "arn:aws:iam::*:user/*"))
            \(input("resource", "Resource", "arn:aws:s3:::bucket/*"))</div>
            <h3>What happens</h3><div class="fields">
            <div><label for="error">Error</label><select id="error" name="error"><option value="">no error</option>\(codes)</select></div>
            <div><label for="connection">Connection</label><select id="connection" name="connection">\(connections)</select></div>
            \(input("latency", "Delay in seconds", "0.5"))
            \(input("times", "How often", "1, or always"))
            \(input("probability", "Chance in percent", "100"))
            \(input("name", "Name, for you", ""))</div>
            <details class="fold"\(typed("own-code").isEmpty ? "" : " open")><summary>An error of your own</summary><div class="fields">
            \(input("own-code", "Code", "MyError"))\(input("status", "HTTP status", "418"))\(input("message", "Message", ""))</div></details>
            <p><button>Add it</button></p></form></details>

            """
    }

    private func input(_ name: String, _ label: String, _ placeholder: String) -> HTML {
        """
        <div><label for="fault-\(name)">\(label)</label>\
        <input id="fault-\(name)" name="\(name)" value="\(typed(name))" placeholder="\(placeholder)" autocomplete="off" spellcheck="false"></div>

        """
    }

    private var connections: HTML {
        let all = [
            ("", "stays open"), ("request", "closes before the request is processed"), ("answer", "closes after it: the response is lost"),
            ("body", "closes in the middle of the body"),
        ]
        let options = all.map { value, title -> HTML in
            "<option value=\"\(value)\"\(value == typed("connection") ? " selected" : "")>\(title)</option>"
        }
        return "\(options)"
    }

    /// The codes of each service; services with the same codes are together.
    private var codes: HTML {
        var groups: [(names: [String], codes: [Document<FaultCodeMembers>])] = []
        for service in services {
            let codes = service.codes
            if let index = groups.firstIndex(where: { $0.codes.map(\.json) == codes.map(\.json) }) {
                groups[index].names.append(service.name)
            } else {
                groups.append(([service.name], codes))
            }
        }
        let options = groups.map { group -> HTML in
            let codes = group.codes.map { code -> HTML in
                let value = code.code
                return """
                    <option value="\(value)"\(value == typed("error") && typed("own-code").isEmpty ? " selected" : "")>\(value.visible) \
                    (\(String(code.status)))</option>
                    """
            }
            return "<optgroup label=\"\(group.names.joined(separator: ", ").visible)\">\(codes)</optgroup>\n"
        }
        return "\(options)"
    }
}
