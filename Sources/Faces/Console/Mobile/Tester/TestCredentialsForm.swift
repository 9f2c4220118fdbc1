import Calls
import WireFormats

/// The dialog *Default API Designer Test Credentials*: what a new test begins with.
struct TestCredentialsForm {
    let page: TesterPage
    let backends: [JSONObject]
    let fields: FormFields
    let draft: MobileDraft

    var html: HTML {
        guard !backends.isEmpty else { return "" }
        var form = MobileForm("credentials", on: page, draft)
        let names = backends.map { $0.string("name") }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let versions = backends.map { $0.string("version") }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        form.select("backend", "Mobile Backend", names.map { ($0, $0) }, fields.first("backend") ?? "")
        form.select("version", "Version", versions.map { ($0, $0) }, fields.first("version") ?? "")
        form.select(
            "method", "Authentication Method", AuthenticationMethod.allCases.map { ($0.rawValue, $0.title) }, fields.first("method") ?? "")
        form.text("username", "User Name", fields.first("username") ?? "")
        form.text("password", "Password", fields.first("password") ?? "", type: "password")
        return """
            <details class="fold"><summary>Default API Designer Test Credentials</summary>
            <p class="soft">A new test begins with these. They are kept in memory until a reset.</p>
            \(form.html(button: "Save", style: ""))</details>

            """
    }
}
