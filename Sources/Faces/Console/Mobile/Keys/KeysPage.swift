import Calls
import Cryptography
import WireFormats

/// *Keys & Certificates*: *Web Service and Token Certificates* and *Token Issuers*.
struct KeysPage: MobilePage {
    let site: MobileSite
    let title = "Keys & Certificates"
    let section = MobileSection.keys

    func content(_ draft: MobileDraft) async throws -> HTML {
        let certificates = await site.list("certificates").compactMap(\.objectValue)
        let issuers = await site.list("saml-issuers", member: "samlIssuers").compactMap(\.objectValue)
        let subjects = certificates.map(Self.subject)
        return """
            <h2 id="certificates">Web Service and Token Certificates</h2>
            <p class="soft">Certificates of token issuers. The service needed up to 10 minutes to spread a new one; here it works at once.</p>
            \(table("Certificates", ["Alias", "Subject", "Valid until", ""], certificates.map(certificateRow), empty: "<p>There is no certificate. Add one below.</p>"))
            \(await add(draft))
            <h2 id="issuers">Token Issuers</h2>
            <p class="soft">Issuers of SAML assertions, or of JWTs, that the exchange at <code>/mobile/platform/sso/exchange-token</code> accepts.</p>
            \(table("Token Issuers", ["Name", "Certificate Subject Names", "Users", "State", ""], issuers.map { issuerRow($0, subjects) }, empty: "<p>There is no token issuer. Create one.</p>"))
            <section class="card" aria-labelledby="new-issuer-title"><h3 id="new-issuer-title">New Issuer</h3>
            \(await TokenIssuerFields(site: site).form("new-issuer", on: self, draft, [:], button: "Save and Close"))</section>
            \(callsBehind([("GET", "certificates", nil), ("PUT", "certificates/alias", #"{"alias":"alias","pem":"…"}"#), ("GET", "saml-issuers", nil), ("PUT", "saml-issuers/name", "{…}")]))
            """
    }

    /// The subject of a certificate; `nil` if it cannot be read.
    static func subject(_ certificate: JSONObject) -> String? {
        if let provider = certificate["identityProvider"]?.stringValue { return "CN=\(provider)" }
        return (try? X509Certificate(pem: certificate.string("pem")))?.subject
    }

    private func certificateRow(_ certificate: JSONObject) -> [HTML] {
        let alias = certificate.string("alias")
        let provider = certificate["identityProvider"]?.stringValue
        let end = (try? X509Certificate(pem: certificate.string("pem"))).map { Timestamp(seconds: $0.notAfter).iso8601 }
        let subject: HTML = Self.subject(certificate).map { Parts.value($0) } ?? "<span class=\"bad\">✗ not readable</span>"
        let source: HTML = provider.map { "keys of the identity provider \(Parts.value($0))" } ?? "\(String((end ?? "").prefix(10)))"
        return [
            Parts.value(alias), subject, source,
            button(
                "Delete", do: "delete-certificate", [("alias", alias)], style: "small danger", confirm: "Delete this certificate?",
                hidden: alias),
        ]
    }

    private func issuerRow(_ issuer: JSONObject, _ subjects: [String?]) -> [HTML] {
        let name = issuer.string("name")
        let names = issuer.texts("certificateSubjectNames").map { subject -> HTML in
            "<p>\(Parts.value(subject))</p>"
        }
        let state =
            issuer["enabled"]?.boolValue == false
            ? Outcome(kind: "warn", sign: "!", word: "disabled") : Outcome(kind: "good", sign: "✓", word: "enabled")
        return [
            "<a href=\"\(MobileRoom.path("keys", name))\">\(Parts.value(name))</a>", "\(names)",
            issuer.isOn("virtualUserEnabled") ? "virtual" : "of the realm", Parts.outcome(state),
            button("Delete", do: "delete-issuer", [("name", name)], style: "small danger", confirm: "Delete this issuer?", hidden: name),
        ]
    }

    private func add(_ draft: MobileDraft) async -> HTML {
        let providers = await site.providers().compactMap { $0["name"]?.stringValue }
        var form = MobileForm("add", on: self, draft)
        form.text("alias", "Alias", hint: "A unique name.", isRequired: true)
        form.select(
            "provider", "Source", [("", "The text below")] + providers.map { ($0, "Current certificates of \($0)") }, "",
            at: "identityProvider")
        form.area("pem", "Certificate", rows: 5, hint: "The text with <code>-----BEGIN CERTIFICATE-----</code>.")
        return
            "<section class=\"card\" aria-labelledby=\"add-title\"><h3 id=\"add-title\">Add</h3>\n\(form.html(button: "Add certificate"))</section>\n"
    }

    func perform(_ action: String) async throws -> String {
        let here = MobileSection.keys.path
        switch action {
        case "add":
            let (alias, provider) = (site.field("alias").trimmed, site.field("provider"))
            guard !alias.isEmpty else { throw FormRefusal("alias", "Enter an alias.") }
            guard !(await site.list("certificates")).contains(where: { $0["alias"]?.stringValue == alias }) else {
                throw FormRefusal("alias", "A certificate has this alias already. Choose another one.")
            }
            var certificate: JSONObject = ["alias": .string(alias)]
            if provider.isEmpty {
                certificate["pem"] = .string(site.field("pem").replacing("\r\n", with: "\n").trimmed + "\n")
            } else {
                certificate["identityProvider"] = .string(provider)
            }
            try await site.put("certificates", alias, certificate)
            return "\(here)?done=created"
        case "delete-certificate":
            try await site.delete("certificates", site.field("alias"))
            return "\(here)?done=deleted"
        case "new-issuer":
            let issuer = TokenIssuerFields(site: site).document([:])
            guard !(await site.list("saml-issuers", member: "samlIssuers")).contains(where: { $0["name"] == issuer["name"] }) else {
                throw FormRefusal("name", "An issuer has this name already.")
            }
            try await site.put("saml-issuers", issuer.string("name"), issuer)
            return "\(here)?done=created#issuers"
        case "delete-issuer":
            try await site.delete("saml-issuers", site.field("name"))
            return "\(here)?done=deleted#issuers"
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}
