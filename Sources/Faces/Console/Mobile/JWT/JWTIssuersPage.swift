import Calls
import HTTPTypes
import WireFormats

/// *JWT issuers*: the root object of `Security_AuthTokenConfiguration` as a form, and the whole as JSON beside it.
struct JWTIssuersPage: MobilePage {
    let site: MobileSite
    let title = "JWT issuers"
    let section = MobileSection.jwt

    func content(_ draft: MobileDraft) async throws -> HTML {
        let configuration = JWTConfiguration(await site.policy(JWTConfiguration.policy))
        let check = configuration.root.map(JWTFindings.init)
        var json = MobileForm("json", on: self, draft)
        json.area(
            "json", "Configuration", configuration.root.map { JSONValue.object($0).serialized(pretty: true) } ?? configuration.text ?? "",
            at: "issuers", rows: 24, hint: "Saved on one line, as the policy needs it.")
        return """
            <p class="soft">Issuers whose JWTs <code>POST /mobile/platform/auth/token</code> exchanges: the environment policy \
            <code>\(JWTConfiguration.policy)</code>. A change counts when the relay reads the policy again, after at most \
            <code>policyMaxReloadInterval</code> seconds.</p>
            \(HTML.when(configuration.root == nil, "<div class=\"error\" role=\"alert\"><p><strong>✗ The policy is not a JSON object.</strong> The relay ignores it.</p></div>"))
            \(Self.alarms(check))
            <div class="pair">
            <section class="card" aria-labelledby="form-title"><h2 id="form-title">Form</h2>
            \(issuers(configuration, check))
            <p><a class="button" href="\(MobileRoom.path("jwt", "new"))">New issuer</a></p>
            \(intervals(configuration, draft))</section>
            <section class="card" aria-labelledby="json-title"><h2 id="json-title">JSON</h2>
            \(json.html(button: "Save JSON"))</section></div>
            \(callsBehind([
                ("GET", "policies/\(JWTConfiguration.policy)", nil), ("PUT", "policies/\(JWTConfiguration.policy)", #"{"value":"{\"issuers\":[]}"}"#),
            ]))
            """
    }

    /// What the relay rejects, and what matches nothing, above everything else.
    static func alarms(_ check: JWTFindings?) -> HTML {
        guard let check, !check.faults.isEmpty || !check.warnings.isEmpty else { return "" }
        func items(_ faults: [FormRefusal.Fault]) -> [HTML] {
            faults.map { fault in "<li><code>\(Parts.value(fault.place))</code> \(Parts.value(fault.text, limit: 1_000))</li>\n" }
        }
        let faults: HTML =
            check.faults.isEmpty
            ? ""
            : "<div class=\"error\" role=\"alert\"><p><strong>✗ The relay rejects this configuration</strong></p><ul>\(items(check.faults))</ul></div>\n"
        let broken = check.warnings.filter { $0.place.contains(".filters[") }
        let others = check.warnings.filter { !$0.place.contains(".filters[") }
        let loud: HTML =
            broken.isEmpty
            ? ""
            : "<div class=\"error\" role=\"alert\"><p><strong>✗ A broken filter matches nothing</strong></p><ul>\(items(broken))</ul></div>\n"
        let soft: HTML =
            others.isEmpty
            ? "" : "<div class=\"notice\" role=\"note\"><p><strong>! Check this</strong></p><ul>\(items(others))</ul></div>\n"
        return "\(faults)\(loud)\(soft)"
    }

    private func issuers(_ configuration: JWTConfiguration, _ check: JWTFindings?) -> HTML {
        let rows = configuration.issuers.enumerated().map { index, issuer -> [HTML] in
            let name = issuer["issuerName"]?.stringValue ?? "issuer \(index + 1)"
            let isIn = { (fault: FormRefusal.Fault) in fault.place == "issuers[\(index)]" || fault.place.hasPrefix("issuers[\(index)].") }
            let state =
                check?.faults.contains(where: isIn) ?? true
                ? Outcome(kind: "bad", sign: "✗", word: "rejected")
                : check?.warnings.contains(where: isIn) ?? false
                    ? Outcome(kind: "warn", sign: "!", word: "check") : Outcome(kind: "good", sign: "✓", word: "ready")
            return [
                "<a href=\"\(MobileRoom.path("jwt", String(index)))\">\(Parts.value(name))</a>", Parts.outcome(state),
                button(
                    "Delete", do: "delete", [("index", String(index)), ("name", name)], style: "small danger",
                    confirm: "Delete this issuer?",
                    hidden: name),
            ]
        }
        return table("JWT issuers", ["Issuer", "State", ""], rows, empty: "<p>There is no issuer: no JWT is exchanged.</p>")
    }

    private func intervals(_ configuration: JWTConfiguration, _ draft: MobileDraft) -> HTML {
        var form = MobileForm("intervals", on: self, draft)
        for interval in JWTConfiguration.intervals {
            let value = configuration.root?[interval.name]
            form.text(
                interval.name, interval.name, value?.stringValue ?? value?.serialized() ?? "",
                hint: "Seconds, \(String(interval.value)) by default. \(interval.meaning)", isWide: true)
        }
        return "<h3>Reload intervals</h3>\n\(form.html(button: "Save intervals", style: ""))"
    }

    func perform(_ action: String) async throws -> String {
        let configuration = JWTConfiguration(await site.policy(JWTConfiguration.policy))
        var root = configuration.root ?? [:]
        switch action {
        case "json":
            do {
                guard let object = try JSONValue(parsing: site.field("json")).objectValue else {
                    throw FormRefusal("issuers", "The configuration must be a JSON object.")
                }
                root = object
            } catch let error as JSONSyntaxError {
                throw FormRefusal("issuers", "This is not JSON: \(error).")
            }
        case "intervals":
            for interval in JWTConfiguration.intervals { root[interval.name] = JWTIssuerFields.number(site.field(interval.name)) }
            if root["issuers"] == nil { root["issuers"] = [] }
        case "delete":
            var issuers = configuration.issuers
            let index = Int(site.field("index")) ?? -1
            let name = site.field("name")
            guard issuers.indices.contains(index), (issuers[index]["issuerName"]?.stringValue ?? "issuer \(index + 1)") == name else {
                throw ConsoleRefusal(code: "not_found", message: "The issuer \(name) is not at this place any more.", status: .notFound)
            }
            issuers.remove(at: index)
            root["issuers"] = .array(issuers)
            // The other issuers may have faults, which a deletion does not add.
            try await site.change(
                .put, "policies/\(JWTConfiguration.policy)", ["value": .string(JSONValue.object(root).serialized())])
            return MobileSection.jwt.path + "?done=deleted"
        default: throw ConsoleRefusal.noSuchAction
        }
        try await JWTConfiguration.save(root, site)
        return MobileSection.jwt.path + "?done=saved"
    }
}
