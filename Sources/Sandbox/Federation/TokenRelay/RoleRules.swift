package import Directory
package import WireFormats

/// The rules that map a token to mobile user roles: the attributes that name roles, their mapping, and the default roles.
/// (Using Oracle Mobile Cloud Service, "JWT Tokens and Virtual Users" and "SAML Tokens and Virtual Users".)
package struct RoleRules: Sendable {
    /// The names of the attributes with names of roles.
    package var attributes: [String]
    /// Which roles a value of an attribute gives.
    package var mappings: [RoleMapping]
    /// The roles of everybody whose token gives none.
    package var defaults: [String]

    init(_ reader: ConfigurationReader) {
        attributes = reader.texts("roleAttributes") ?? []
        mappings = (reader.list("roleMappings") ?? []).enumerated().compactMap { index, entry in
            Self.mapping(entry, place: "\(reader.place).roleMappings[\(index)]", reader.findings)
        }
        defaults = reader.texts("defaultRoles") ?? []
    }

    private static func mapping(_ entry: JSONValue, place: String, _ findings: ConfigurationFindings) -> RoleMapping? {
        guard let reader = ConfigurationReader(entry, place: place, findings) else { return nil }
        guard let role = reader.required("tokenRole", "a string", reader.text) else { return nil }
        guard let mapped = reader.required("mappedRoles", "a list of strings", reader.texts) else { return nil }
        return RoleMapping(tokenRole: role, mappedRoles: mapped)
    }

    /// Reads the rules of an issuer that is registered with its certificates.
    package init(_ issuer: SAMLTokenIssuer) {
        attributes = issuer.roleAttributes
        mappings = issuer.roleMappings
        defaults = issuer.defaultRoles
    }

    /// Returns the roles for a token's claims. The default applies only if no claim names a role, even one that maps to nothing.
    package func roles(of claims: JSONObject) -> [String] {
        let named = attributes.flatMap { Self.texts(claims[$0]) }
        return named.isEmpty ? defaults : mapped(named)
    }

    /// Returns the roles for a token's attributes. The default applies if no attribute leads to a role of the environment.
    /// - Parameters:
    ///   - values: returns the values of all attributes with a name.
    ///   - known: the roles of the environment.
    package func roles(ofAttributes values: (String) -> [String], known: [String]) -> [String] {
        let named = mapped(attributes.flatMap(values).filter { !$0.isEmpty })
        return named.contains(where: known.contains) ? named : defaults
    }

    /// Returns the strings of a claim: a string is one value, a list has several.
    package static func texts(_ claim: JSONValue?) -> [String] {
        guard let claim else { return [] }
        return (claim.arrayValue ?? [claim]).compactMap(\.stringValue).filter { !$0.isEmpty }
    }

    /// Replaces the roles that have a mapping; others keep their names.
    private func mapped(_ roles: [String]) -> [String] {
        roles.flatMap { role in
            let fitting = mappings.filter { $0.tokenRole == role }
            return fitting.isEmpty ? [role] : fitting.flatMap(\.mappedRoles)
        }
    }
}
