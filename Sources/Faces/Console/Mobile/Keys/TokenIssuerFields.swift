import Calls
import WireFormats

/// The fields of a token issuer: *Issuer Details*, *Certificate Subject Names* and *Rules*.
struct TokenIssuerFields {
    let site: MobileSite

    /// - Parameter issuer: what is saved; empty for a new issuer.
    func form(_ action: String, on page: any MobilePage, _ draft: MobileDraft, _ issuer: JSONObject, button: String) async -> HTML {
        let subjects = await site.list("certificates").compactMap(\.objectValue).compactMap(KeysPage.subject)
        let roles = await site.roles()
        var form = MobileForm(action, on: page, draft)
        form.add("<h4 class=\"full\">Issuer Details</h4>\n")
        if issuer["name"] == nil {
            form.text(
                "name", "Name", hint: "As the tokens spell it: <code>Issuer</code> of an assertion, <code>iss</code> of a JWT.",
                isRequired: true, isWide: true)
        }
        form.check("enabled", "Enabled", issuer["enabled"]?.boolValue ?? true)
        form.add("<h4 class=\"full\">Certificate Subject Names</h4>\n")
        let chosen = issuer.texts("certificateSubjectNames")
        let known = subjects.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        form.checks(
            "subjects", "Select Certificate Subject Names", known, chosen, at: "certificateSubjectNames",
            empty: "<p class=\"soft\">There is no certificate yet.</p>")
        form.area("more-subjects", "Other subject names", rows: 2, hint: "One per line. At least one subject name is needed in all.")
        form.add("<h4 class=\"full\">Rules</h4>\n")
        form.check(
            "virtualUserEnabled", "Enable Virtual User", issuer.isOn("virtualUserEnabled"),
            hint: "Users need no account: everything about them, roles too, comes from the token.")
        form.text(
            "userAttribute", "User Mapping", issuer.string("userAttribute"),
            hint: "The attribute that names the user. Empty: the subject of the token.")
        form.text(
            "roleAttributes", "Role Attribute", issuer.texts("roleAttributes").joined(separator: ", "),
            hint: "Attributes whose values are roles. Separate them by commas.")
        form.area(
            "roleMappings", "Role Mapping", RoleMappings.text(issuer["roleMappings"]), rows: 3,
            hint:
                "One mapping per line: a role of the token, <code>=</code>, one or more roles here. <code>field-service = Technician, Manager</code>"
        )
        form.checks("defaultRoles", "Default Role (only if the rules above gave none)", roles, issuer.texts("defaultRoles"))
        return form.html(button: button)
    }

    /// Returns the document of the form that was sent.
    func document(_ before: JSONObject) -> JSONObject {
        let form = site.visit.form
        var issuer: JSONObject = [
            "name": before["name"] ?? .string(site.field("name").trimmed), "enabled": .bool(form.first("enabled") == "on"),
            "certificateSubjectNames": .texts(form.all(named: "subjects") + site.field("more-subjects").nonemptyLines),
            "virtualUserEnabled": .bool(form.first("virtualUserEnabled") == "on"),
        ]
        let attribute = site.field("userAttribute").trimmed
        if !attribute.isEmpty { issuer["userAttribute"] = .string(attribute) }
        issuer["roleAttributes"] = .texts(site.field("roleAttributes").listed)
        issuer["roleMappings"] = RoleMappings.json(site.field("roleMappings"))
        issuer["defaultRoles"] = .texts(form.all(named: "defaultRoles"))
        return issuer
    }
}

/// Role mappings as lines of text: `field-service = Technician, Manager`.
enum RoleMappings {
    static func text(_ mappings: JSONValue?) -> String {
        (mappings?.arrayValue ?? []).map { mapping in
            "\(mapping["tokenRole"]?.stringValue ?? "") = \((mapping["mappedRoles"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", "))"
        }.joined(separator: "\n")
    }

    static func json(_ text: String) -> JSONValue {
        .array(
            text.nonemptyLines.map { line in
                let role = line.prefix { $0 != "=" }
                return [
                    "tokenRole": .string(role.trimmed), "mappedRoles": .texts(String(line.dropFirst(role.count + 1)).listed),
                ]
            })
    }
}
