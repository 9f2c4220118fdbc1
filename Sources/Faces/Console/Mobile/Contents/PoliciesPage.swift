import Calls
import Federation
import HTTPTypes
import WireFormats

/// *Environment Policies*: the list, and their export, change and import as a file.
struct PoliciesPage: MobilePage {
    let site: MobileSite
    /// Whether the file is asked for instead of the page.
    var isExport = false
    let title = "Environment Policies"
    let section = MobileSection.policies

    /// The policies of the relay, with what they do.
    private static let known: [(name: String, meaning: String)] = [
        (JWTConfiguration.policy, "The issuers whose JWTs are exchanged. The page JWT issuers is a form for it."),
        (
            "Security_SsoRedirectWhitelist",
            "The addresses that browser single sign-on may post tokens to: URL patterns, separated by commas."
        ),
        ("Security_AllowOrigin", "The origins whose pages may call APIs: URL patterns, or disallow, which is the default."),
        ("Security_TokenExchangeTimeoutSecs", "The lifetime of exchanged tokens in seconds: 21600 by default, which is six hours."),
        (
            "Security_TokenExchangeTimeoutPolicy",
            "What limits the lifetime: FromTimeoutSecs (default), FromExternalToken, or FromExternalTokenLimitedByTimeoutSecs."
        ),
    ]

    init(site: MobileSite, isExport: Bool = false) { (self.site, self.isExport) = (site, isExport) }

    func file() async throws -> Response? {
        guard isExport else { return nil }
        var headers = HTTPFields.unstored
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentDisposition] = "attachment; filename=\"policies.properties\""
        var response = Response(
            status: .ok, contentType: "text/plain; charset=utf-8", headers: headers, text: await exported())
        response.display = .page
        return response
    }

    private func exported() async -> String { await site.visit.client.get("/mobile/policies").text }

    /// The lines of the exported file as names and values.
    private func policies(_ file: String) -> [(name: String, value: String)] {
        guard let properties = try? Properties(parsing: Array(file.utf8)) else { return [] }
        return properties.entries.map { ($0.name.hasPrefix("*.*.") ? String($0.name.dropFirst(4)) : $0.name, $0.value) }
    }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let file = await exported()
        let policies = policies(file)
        let missing = Self.known.filter { item in !policies.contains { $0.name == item.name } }
        var values: [String: String?] = [:]
        for policy in policies { values[policy.name] = policy.value }
        for policy in missing { values[policy.name] = .some(nil) }
        let rows = values.sorted { $0.key < $1.key }.map { row($0.key, $0.value) }
        let chosen = visit.query.first("policy") ?? ""
        var form = MobileForm("policy", on: self, draft)
        form.text("name", "Name", chosen, isRequired: true, isWide: true, list: Self.known.map(\.name))
        form.area("value", "Value", policies.first { $0.name == chosen }?.value ?? "", rows: 4, hint: Self.meaning(chosen))
        var importForm = MobileForm("import", on: self, draft)
        importForm.area(
            "file", "Policies", rows: 8,
            hint: "Lines such as <code>*.*.Security_AllowOrigin=disallow</code>. Policies that the file does not have stay as they are.",
            isRequired: true)
        return """
            \(table("Environment Policies", ["Policy", "Value", ""], rows, empty: "<p>There is no policy.</p>"))
            <section class="card" aria-labelledby="edit-title"><h2 id="edit-title">Set a policy</h2>
            \(form.html(button: "Save policy"))</section>
            <section class="card" aria-labelledby="export-title"><h2 id="export-title">Export</h2>
            <p><a class="button" href="\(MobileRoom.path("policies", "export"))">Export policies</a></p>
            <details class="fold"><summary>Show the file</summary>\(Parts.code(file, id: "export", label: "the exported file"))</details></section>
            <section class="card" aria-labelledby="import-title"><h2 id="import-title">Import</h2>
            \(importForm.html(button: "Import policies", style: "", more: "<input type=\"file\" data-into=\"import-file\" aria-label=\"File with policies\" hidden>"))</section>
            \(button("Restore all defaults", do: "defaults", style: "danger", confirm: "Restore the defaults of all policies?"))
            \(callsBehind([("GET", "policies", nil), ("PUT", "policies/Security_AllowOrigin", #"{"value":"disallow"}"#)]))
            """
    }

    private static func meaning(_ name: String) -> HTML { known.first { $0.name == name }.map { "\($0.meaning)" } ?? "" }

    private func row(_ name: String, _ value: String?) -> [HTML] {
        let meaning = Self.meaning(name)
        let note: HTML = meaning.text.isEmpty ? "" : "<p class=\"soft hint\">\(meaning)</p>"
        let remove: HTML =
            value == nil
            ? "" : button("Remove", do: "remove", [("name", name)], style: "small danger", confirm: "Remove this policy?", hidden: name)
        let edit =
            name == JWTConfiguration.policy
            ? MobileSection.jwt.path : "\(MobileSection.policies.path)?policy=\(percentEncoded(name))#policy"
        return [
            "\(Parts.value(name))\(note)",
            value.map { "<code>\(Parts.value($0, limit: 300))</code>" } ?? "<span class=\"soft\">not set</span>",
            "<div class=\"row\"><a class=\"button small\" href=\"\(edit)\">Edit<span class=\"sr\"> \(name.visible)</span></a>\(remove)</div>",
        ]
    }

    func perform(_ action: String) async throws -> String {
        let here = MobileSection.policies.path
        switch action {
        case "policy":
            let (name, value) = (site.field("name").trimmed, site.field("value").replacing("\r\n", with: "\n").trimmed)
            guard !name.isEmpty else { throw FormRefusal("name", "Enter the name of a policy.") }
            try Self.check(name, value)
            try await site.change(.put, "policies/\(percentEncoded(name))", ["value": .string(value)])
            return "\(here)?done=saved"
        case "remove":
            try await site.change(.delete, "policies/\(percentEncoded(site.field("name")))", nil)
            return "\(here)?done=deleted"
        case "import":
            let answer = await site.visit.client.sendText(
                .put, "/mobile/policies", site.field("file").replacing("\r\n", with: "\n"), "text/plain")
            if let refusal = answer.refusal { throw FormRefusal("file", refusal.message) }
            return "\(here)?done=saved"
        case "defaults":
            try await site.change(.delete, "policies", nil)
            return "\(here)?done=saved"
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    /// - Throws: ``FormRefusal`` for a value with which no token could be exchanged.
    private static func check(_ name: String, _ value: String) throws(FormRefusal) {
        do throws(ConfigurationFault) {
            switch name {
            case TokenTimeoutPolicy.secondsName: _ = try TokenTimeoutPolicy.seconds(parsing: value)
            case TokenTimeoutPolicy.policyName: _ = try TokenTimeoutPolicy(parsing: value)
            case JWTConfiguration.policy:
                if let fault = AuthTokenConfiguration(parsing: value).allFaults.first { throw fault }
            default: break
            }
        } catch { throw FormRefusal("value", error.text) }
    }
}

extension HTTPField.Name {
    fileprivate static let contentDisposition = HTTPField.Name(literal: "Content-Disposition")
}
