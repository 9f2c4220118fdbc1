import Cloud
import Directory
import WireFormats

/// How mobile user roles are made of what a token says: the attributes that name roles, their mapping, and the default.
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
            guard let role = try entry.text("tokenRole") else { throw entry.fault("tokenRole", "a text") }
            guard let mapped = try entry.texts("mappedRoles") else { throw entry.fault("mappedRoles", "a list of texts") }
            mappings.append(RoleMapping(tokenRole: role, mappedRoles: mapped))
        }
        defaults = try reader.texts("defaultRoles") ?? []
    }

    /// Those of an issuer that was registered beside its certificates.
    init(_ issuer: SAMLTokenIssuer) {
        attributes = issuer.roleAttributes
        mappings = issuer.roleMappings
        defaults = issuer.defaultRoles
    }

    /// The roles that claims lead to. A claim that names any role keeps the default away, even if no role comes of it.
    func roles(of claims: JSONObject) -> [String] {
        let named = attributes.flatMap { Self.texts(claims[$0]) }
        return named.isEmpty ? defaults : mapped(named)
    }

    /// The roles that attributes lead to. The default is given where no role of the environment comes of them.
    /// - Parameters:
    ///   - values: those of all attributes of a name.
    ///   - known: the roles of the environment.
    func roles(ofAttributes values: (String) -> [String], known: [String]) -> [String] {
        let named = mapped(attributes.flatMap(values).filter { !$0.isEmpty })
        return named.contains(where: known.contains) ? named : defaults
    }

    /// A text is one role, a list of texts as many.
    static func texts(_ claim: JSONValue?) -> [String] {
        guard let claim else { return [] }
        return (claim.arrayValue ?? [claim]).compactMap(\.stringValue).filter { !$0.isEmpty }
    }

    /// What is mapped is replaced by what it is mapped to; everything else keeps its name.
    private func mapped(_ roles: [String]) -> [String] {
        roles.flatMap { role in
            let fitting = mappings.filter { $0.tokenRole == role }
            return fitting.isEmpty ? [role] : fitting.flatMap(\.mappedRoles)
        }
    }
}
