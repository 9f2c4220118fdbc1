import Calls
import HTTPTypes
import WireFormats

/// One JWT issuer: form and JSON side by side.
struct JWTIssuerPage: MobilePage {
    let site: MobileSite
    /// The index of the issuer in the list, or `new`.
    let place: String

    var title: String { place == "new" ? "New JWT issuer" : "JWT issuer" }
    var section: MobileSection { .jwt }
    var trail: [(title: String, path: String)] { [("JWT issuers", MobileSection.jwt.path)] }

    /// Returns the configuration and the index of the issuer; for a new one the index after the last.
    private func read() async throws -> (root: JSONObject, issuers: [JSONValue], index: Int) {
        let configuration = JWTConfiguration(await site.policy(JWTConfiguration.policy))
        guard let root = configuration.root else {
            throw ConsoleRefusal(
                code: "malformed_policy",
                message: "The policy \(JWTConfiguration.policy) is not a JSON object. Mend it on the page JWT issuers.")
        }
        let issuers = configuration.issuers
        if place == "new" { return (root, issuers, issuers.count) }
        guard let index = Int(place), issuers.indices.contains(index) else { throw ConsoleRefusal.noSuchPage }
        return (root, issuers, index)
    }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let (root, issuers, index) = try await read()
        let saved = issuers.indices.contains(index) ? issuers[index] : [:]
        let relative = relative(draft, index)
        // A refused form is shown as JSON too, so that both sides show the same.
        let typed = relative.form == "issuer" ? JSONValue.object(JWTIssuerFields(site: site).document(saved.objectValue ?? [:])) : saved
        var json = MobileForm("json", on: self, relative)
        json.area("json", "Issuer", typed.serialized(pretty: true), at: "", rows: 30)
        let check = issuers.indices.contains(index) ? JWTFindings(root) : nil
        let prefix = "issuers[\(index)]"
        return """
            \(JWTIssuersPage.alarms(check?.only(prefix)))
            <div class="pair">
            <section class="card" aria-labelledby="form-title"><h2 id="form-title">Form</h2>
            \(await JWTIssuerFields(site: site).form(on: self, relative, saved.objectValue ?? [:]))</section>
            <section class="card" aria-labelledby="json-title"><h2 id="json-title">JSON</h2>
            <p class="soft">The same issuer. Members that the form does not know stay as they are.</p>
            \(json.html(button: "Save JSON", style: ""))</section></div>
            """
    }

    /// Places within the issuer instead of the whole configuration.
    private func relative(_ draft: MobileDraft, _ index: Int) -> MobileDraft {
        var draft = draft
        let faults = draft.refusal?.faults ?? []
        let prefix = "issuers[\(index)]"
        draft.refusal?.faults = faults.map { fault in
            guard fault.place.hasPrefix(prefix) else { return fault }
            return .init(place: String(fault.place.dropFirst(prefix.count).drop { $0 == "." }), text: fault.text)
        }
        return draft
    }

    func perform(_ action: String) async throws -> String {
        let read = try await read()
        var (root, issuers) = (read.root, read.issuers)
        let index = read.index
        let saved = issuers.indices.contains(index) ? issuers[index] : [:]
        let issuer: JSONValue
        switch action {
        case "issuer": issuer = .object(JWTIssuerFields(site: site).document(saved.objectValue ?? [:]))
        case "json":
            do { issuer = try JSONValue(parsing: site.field("json")) } catch { throw FormRefusal("", "This is not JSON: \(error).") }
        default: throw ConsoleRefusal.noSuchAction
        }
        if issuers.indices.contains(index) { issuers[index] = issuer } else { issuers.append(issuer) }
        root["issuers"] = .array(issuers)
        let faults = JWTFindings(root).only("issuers[\(index)]").faults
        guard faults.isEmpty else { throw FormRefusal(code: "malformed_configuration", faults: faults) }
        try await site.change(.put, "policies/\(JWTConfiguration.policy)", ["value": .string(JSONValue.object(root).serialized())])
        return MobileRoom.path("jwt", String(index)) + "?done=saved"
    }
}
