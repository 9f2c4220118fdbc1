import Calls
import Federation
import WireFormats

/// The fields of a JWT issuer, with the defaults of the service.
struct JWTIssuerFields {
    let site: MobileSite

    private static let emptyRows = 1

    /// - Parameter issuer: what is saved; empty for a new issuer.
    func form(on page: any MobilePage, _ draft: MobileDraft, _ issuer: JSONObject) async -> HTML {
        let roles = await site.roles()
        var form = MobileForm("issuer", on: page, draft)
        form.text(
            "issuerName", "issuerName", issuer.string("issuerName"), hint: "The <code>iss</code> of the tokens.", isRequired: true,
            isWide: true)
        form.check("enabled", "enabled", issuer["enabled"]?.boolValue ?? true, hint: "On by default. Off: every exchange fails.")
        form.area(
            "audience", "audience", issuer.texts("audience").joined(separator: "\n"), rows: 2,
            hint: """
                One per line. By default the base URL and the nine paths below it, down to <code>/mobile/platform/auth/token/</code>, with and \
                without a slash at the end.
                """)
        form.check(
            "virtualUserEnabled", "virtualUserEnabled", issuer.isOn("virtualUserEnabled"),
            hint: "Off by default. On: users need no account; their roles come from the token.")
        form.text(
            "usernameAttribute", "usernameAttribute", issuer.string("usernameAttribute"),
            hint: "The claim that names the user, <code>sub</code> by default.")
        form.select(
            "userMappingAttribute", "userMappingAttribute",
            [("", "uid (default)"), ("uid", "uid: user name"), ("mail", "mail: email address")],
            issuer.string("userMappingAttribute"), hint: "How users of the realm are found. Ignored for virtual users.")
        form.check(
            "requireClientAuth", "requireClientAuth", issuer["requireClientAuth"]?.boolValue ?? true,
            hint: "On by default. Off: <code>client_id</code> without a secret is enough.")
        form.text(
            "clientIdAttribute", "clientIdAttribute", issuer.string("clientIdAttribute"),
            hint: "The claim with the client's ID. A token whose user name equals it is rejected. No check by default.")
        form.text(
            "tokenTimeoutSeconds", "tokenTimeoutSeconds", Self.text(issuer["tokenTimeoutSeconds"]),
            hint: "By default the policy <code>Security_TokenExchangeTimeoutSecs</code>, else 28800.")
        form.select(
            "tokenTimeoutPolicy", "tokenTimeoutPolicy",
            [("", "by the policy, else FromTimeoutSecs (default)")] + TokenTimeoutPolicy.allCases.map { ($0.rawValue, $0.rawValue) },
            issuer.string("tokenTimeoutPolicy"))
        await addKeys(to: &form, issuer)
        addFilters(to: &form, issuer)
        await addBackends(to: &form, issuer)
        form.add("<h4 class=\"full\">Roles of virtual users</h4>\n")
        form.text(
            "roleAttributes", "roleAttributes", issuer.texts("roleAttributes").joined(separator: ", "),
            hint: "Claims whose values are roles. Separate them by commas.", isWide: true)
        form.area(
            "roleMappings", "roleMappings", RoleMappings.text(issuer["roleMappings"]), rows: 2,
            hint: "tokenRole <code>=</code> mappedRoles, one mapping per line: <code>field-service = Technician, Manager</code>")
        form.checks("defaultRoles", "defaultRoles (only if no claim named a role)", roles, issuer.texts("defaultRoles"), at: "defaultRoles")
        form.checks("issuerRoles", "issuerRoles (always)", roles, issuer.texts("issuerRoles"), at: "issuerRoles")
        return form.html(button: "Save issuer")
    }

    private func addKeys(to form: inout MobileForm, _ issuer: JSONObject) async {
        let jwks = issuer["jwks"]?.objectValue ?? [:]
        let subjects = await site.list("certificates").compactMap(\.objectValue).compactMap(KeysPage.subject)
        form.add("<h4 class=\"full\">Keys</h4>\n")
        form.select(
            "source", "Source of the keys",
            [("jwks", "jwks: fetched from the issuer"), ("certificates", "certificateSubjectNames: uploaded certificates")],
            issuer["jwks"] == nil && issuer["certificateSubjectNames"] != nil ? "certificates" : "jwks", at: "jwks-source")
        form.checks(
            "subjects", "certificateSubjectNames", subjects.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } },
            issuer.texts("certificateSubjectNames"), at: "certificateSubjectNames",
            empty: "<p class=\"soft\">There is no certificate in Keys &amp; Certificates.</p>")
        form.add("<h4 class=\"full\">jwks</h4>\n")
        for (name, hint) in [
            ("discoveryUri", "Usually the issuer and /.well-known/openid-configuration."),
            ("jwksUri", "The key set. It wins over the one of discoveryUri."),
        ] {
            form.text(name, name, jwks.string(name), at: "jwks.\(name)", hint: "\(hint)", isWide: true)
        }
        form.check(
            "allowHttp", "allowHttp", jwks.isOn("allowHttp"), at: "jwks.allowHttp", hint: "Off by default: addresses must be https:.")
        for (name, usual) in [("minReloadInterval", 60), ("maxReloadInterval", 28_800), ("connectTimeout", 30), ("readTimeout", 60)] {
            form.text(name, name, Self.text(jwks[name]), at: "jwks.\(name)", hint: "Seconds, \(String(usual)) by default.")
        }
        form.checks(
            "tlsVersions", "tlsVersions (default: TLSv1.1, TLSv1.2)", PublishedKeys.tlsVersionNames, jwks.texts("tlsVersions"),
            at: "jwks.tlsVersions")
        form.text(
            "authorizationHeader", "authorizationHeader", jwks.string("authorizationHeader"), at: "jwks.authorizationHeader",
            hint: "Sent when the keys are fetched; for tests.", type: "password", isWide: true)
    }

    private func addFilters(to form: inout MobileForm, _ issuer: JSONObject) {
        form.add(
            "<h4 class=\"full\">filters</h4>\n<p class=\"soft full\">All must be satisfied. <code>*</code> stands for any text. Values are separated by commas.</p>\n"
        )
        let filters = issuer["filters"]?.arrayValue ?? []
        for index in 0..<(filters.count + Self.emptyRows) {
            let filter = filters.indices.contains(index) ? filters[index] : [:]
            let reason = filters.indices.contains(index) ? ClaimFilter.defect(of: filter) : nil
            let alarm: HTML =
                reason.map { "<strong class=\"bad\">✗ Broken: \($0). It matches nothing, so every token is rejected.</strong>" } ?? ""
            form.add("<div class=\"full fields\">\n")
            form.text(
                "filter-name-\(index)", "Filter \(index + 1): claim", filter["name"]?.stringValue ?? "", at: "filters[\(index)].name",
                hint: alarm)
            var types = [("", "include (default)"), ("include", "include"), ("exclude", "exclude")]
            let type = filter["type"]?.stringValue ?? ""
            if !types.contains(where: { $0.0 == type }) { types.append((type, type)) }
            form.select(
                "filter-type-\(index)", "Filter \(index + 1): type", types, type, at: "filters[\(index)].type")
            form.text(
                "filter-values-\(index)", "Filter \(index + 1): values",
                (filter["values"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", "), at: "filters[\(index)].values",
                isWide: true)
            form.add("</div>\n")
        }
    }

    private func addBackends(to form: inout MobileForm, _ issuer: JSONObject) async {
        form.add("<h4 class=\"full\">allowedMbes</h4>\n")
        let entries = issuer["allowedMbes"]?.arrayValue
        form.select(
            "allowed", "Backends that may use the issuer's tokens", [("any", "any (default)"), ("listed", "only those below")],
            entries == nil ? "any" : "listed", at: "allowedMbes")
        let backends = await site.list("backends").compactMap(\.objectValue).map(\.versionedName)
        let chosen = (entries ?? []).compactMap(\.objectValue).filter { $0["clientId"] == nil }.map(\.versionedName)
        form.checks(
            "backends", "name and version", backends, chosen, at: "allowedMbes-names", empty: "<p class=\"soft\">There is no backend.</p>")
        form.area(
            "clients", "clientId", (entries ?? []).compactMap { $0["clientId"]?.stringValue }.joined(separator: "\n"), rows: 2,
            hint: "Client IDs of backends, one per line.")
    }

    // MARK: The document

    /// The text of a number.
    private static func text(_ value: JSONValue?) -> String { value.map { $0.stringValue ?? $0.serialized() } ?? "" }

    /// Returns the number that was typed; the text if it is none, so that the check names the field; `nil` for nothing.
    static func number(_ text: String) -> JSONValue? {
        let text = text.trimmed
        if text.isEmpty { return nil }
        return Int64(text).map { .integer($0) } ?? .string(text)
    }

    /// Returns the issuer of the form that was sent.
    /// - Parameter before: what was saved. Members that the form does not know stay.
    func document(_ before: JSONObject) -> JSONObject {
        let form = site.visit.form
        var issuer = before
        issuer["issuerName"] = .string(site.field("issuerName").trimmed)
        func optional(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .texts(texts) }
        func optional(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }
        func toggle(_ name: String, usual: Bool, in object: inout JSONObject) {
            let isOn = form.first(name) == "on"
            object[name] = isOn == usual && object[name] == nil ? nil : .bool(isOn)
        }
        toggle("enabled", usual: true, in: &issuer)
        toggle("virtualUserEnabled", usual: false, in: &issuer)
        toggle("requireClientAuth", usual: true, in: &issuer)
        issuer["audience"] = optional(site.field("audience").nonemptyLines)
        for name in ["usernameAttribute", "clientIdAttribute", "userMappingAttribute", "tokenTimeoutPolicy"] {
            issuer[name] = optional(site.field(name).trimmed)
        }
        issuer["tokenTimeoutSeconds"] = Self.number(site.field("tokenTimeoutSeconds"))
        if site.field("source") == "certificates" {
            issuer["jwks"] = nil
            issuer["certificateSubjectNames"] = .texts(form.all(named: "subjects"))
        } else {
            var jwks = before["jwks"]?.objectValue ?? [:]
            for name in ["discoveryUri", "jwksUri", "authorizationHeader"] { jwks[name] = optional(site.field(name).trimmed) }
            for name in ["minReloadInterval", "maxReloadInterval", "connectTimeout", "readTimeout"] {
                jwks[name] = Self.number(site.field(name))
            }
            toggle("allowHttp", usual: false, in: &jwks)
            jwks["tlsVersions"] = optional(form.all(named: "tlsVersions"))
            issuer["jwks"] = .object(jwks)
            issuer["certificateSubjectNames"] = nil
        }
        issuer["filters"] = filters(before)
        issuer["allowedMbes"] = site.field("allowed") == "listed" ? backends : Optional.none
        issuer["roleAttributes"] = optional(site.field("roleAttributes").listed)
        let mappings = RoleMappings.json(site.field("roleMappings"))
        issuer["roleMappings"] = mappings == [] ? Optional.none : mappings
        issuer["defaultRoles"] = optional(form.all(named: "defaultRoles"))
        issuer["issuerRoles"] = optional(form.all(named: "issuerRoles"))
        return issuer
    }

    private func filters(_ before: JSONObject) -> JSONValue? {
        let count = (before["filters"]?.arrayValue?.count ?? 0) + Self.emptyRows
        let filters = (0..<count).compactMap { index -> JSONValue? in
            let (name, type) = (site.field("filter-name-\(index)").trimmed, site.field("filter-type-\(index)"))
            let values = site.field("filter-values-\(index)").listed
            guard !name.isEmpty || !type.isEmpty || !values.isEmpty else { return nil }
            var filter: JSONObject = [:]
            if !name.isEmpty { filter["name"] = .string(name) }
            if !type.isEmpty { filter["type"] = .string(type) }
            filter["values"] = .texts(values)
            return .object(filter)
        }
        return filters.isEmpty ? nil : .array(filters)
    }

    private var backends: JSONValue {
        let named = site.visit.form.all(named: "backends").map { key -> JSONValue in
            let name = key.prefix { $0 != "(" }
            return ["name": .string(String(name)), "version": .string(String(key.dropFirst(name.count + 1).dropLast()))]
        }
        return .array(named + site.field("clients").nonemptyLines.map { ["clientId": .string($0)] })
    }
}
