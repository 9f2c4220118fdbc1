import Cloud
import Directory
import WireFormats

/// The rules that map a token to mobile user roles: the attributes that name roles, their mapping, and the default roles.
/// (Using Oracle Mobile Cloud Service, "JWT Tokens and Virtual Users" and "SAML Tokens and Virtual Users".)
struct RoleRules: Sendable {
    var attributes: [String]
    var mappings: [RoleMapping]
    var defaults: [String]

    init(_ reader: ConfigurationReader) throws(ConfigurationFault) {
        attributes = try reader.texts("roleAttributes") ?? []
        mappings = []
        for (index, entry) in (try reader.list("roleMappings") ?? []).enumerated() {
            let entry = try ConfigurationReader(entry, place: "\(reader.place).roleMappings[\(index)]")
            guard let role = try entry.text("tokenRole") else { throw entry.fault("tokenRole", "a string") }
            guard let mapped = try entry.texts("mappedRoles") else { throw entry.fault("mappedRoles", "a list of strings") }
            mappings.append(RoleMapping(tokenRole: role, mappedRoles: mapped))
        }
        defaults = try reader.texts("defaultRoles") ?? []
    }

    /// Reads the rules of an issuer that is registered with its certificates.
    init(_ issuer: SAMLTokenIssuer) {
        attributes = issuer.roleAttributes
        mappings = issuer.roleMappings
        defaults = issuer.defaultRoles
    }

    /// Returns the roles for a token's claims. The default applies only if no claim names a role, even one that maps to nothing.
    func roles(of claims: JSONObject) -> [String] {
        let named = attributes.flatMap { Self.texts(claims[$0]) }
        return named.isEmpty ? defaults : mapped(named)
    }

    /// Returns the roles for a token's attributes. The default applies if no attribute leads to a role of the environment.
    /// - Parameters:
    ///   - values: returns the values of all attributes with a name.
    ///   - known: the roles of the environment.
    func roles(ofAttributes values: (String) -> [String], known: [String]) -> [String] {
        let named = mapped(attributes.flatMap(values).filter { !$0.isEmpty })
        return named.contains(where: known.contains) ? named : defaults
    }

    /// Returns the strings of a claim: a string is one value, a list has several.
    static func texts(_ claim: JSONValue?) -> [String] {
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
