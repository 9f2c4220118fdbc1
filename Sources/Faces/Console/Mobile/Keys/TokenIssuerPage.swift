import Calls
import WireFormats

/// A token issuer of *Keys & Certificates*.
struct TokenIssuerPage: MobilePage {
    let site: MobileSite
    let name: String

    var title: String { name }
    var section: MobileSection { .keys }
    var trail: [(title: String, path: String)] { [("Keys & Certificates", MobileSection.keys.path)] }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let issuer = try await site.part("saml-issuers", name)
        return """
            <section class="card" aria-label="Token issuer">
            \(await TokenIssuerFields(site: site).form("issuer", on: self, draft, issuer, button: "Save and Close"))</section>
            \(callsBehind([("GET", "saml-issuers/\(percentEncoded(name))", nil), ("PUT", "saml-issuers/\(percentEncoded(name))", "{…}")]))
            """
    }

    func perform(_ action: String) async throws -> String {
        guard action == "issuer" else { throw ConsoleRefusal.noSuchAction }
        let before = try await site.part("saml-issuers", name)
        try await site.put("saml-issuers", name, TokenIssuerFields(site: site).document(before))
        return MobileSection.keys.path + "?done=saved#issuers"
    }
}
