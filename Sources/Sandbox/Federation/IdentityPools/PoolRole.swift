package import Directory
package import Policy
import WireFormats

/// Why an identity gets no role. The face has the error of each.
package enum PoolRoleError: Error, Equatable, Sendable {
    /// The pool has no role for the identity.
    case noRole
    /// No role follows from the token, and the mapping denies that.
    case ambiguous
    /// The token does not name the role that the call asks for.
    case roleNotNamed
    /// The call asks for a role where roles do not follow from the token.
    case customRoleNotSupported
}

/// The choice of a role for an identity. (Amazon Cognito Developer Guide, "Role-based access control" and "SAML identity providers".)
package enum PoolRole {
    /// Returns the ARN of the role.
    /// - Parameters:
    ///   - logins: the logins of the call; none for a guest. The first one with a mapping decides.
    ///   - custom: the role that the call asks for.
    package static func choose(
        for logins: [PoolLogin], in pool: IdentityPool, custom: String?
    ) throws(PoolRoleError) -> String {
        guard !logins.isEmpty else {
            guard custom == nil else { throw .customRoleNotSupported }
            guard let role = pool.guestRole else { throw .noRole }
            return role
        }
        for login in logins {
            for name in login.names {
                guard let mapping = pool.roleMappings.first(where: { $0.provider == name }) else { continue }
                return try choose(by: mapping, for: login, in: pool, custom: custom)
            }
        }
        if let roles = logins.lazy.compactMap(\.roles).first(where: { !$0.isEmpty }) {
            guard let custom else {
                guard roles.count == 1 else { throw .ambiguous }
                return roles[0]
            }
            guard roles.contains(custom) else { throw .roleNotNamed }
            return custom
        }
        guard custom == nil else { throw .customRoleNotSupported }
        guard let role = pool.authenticatedRole else { throw .noRole }
        return role
    }

    private static func choose(
        by mapping: PoolRoleMapping, for login: PoolLogin, in pool: IdentityPool, custom: String?
    ) throws(PoolRoleError) -> String {
        switch mapping.kind {
        case .token:
            if let custom {
                guard texts(login.claims["cognito:roles"]).contains(custom) else { throw .roleNotNamed }
                return custom
            }
            if let preferred = login.claims["cognito:preferred_role"]?.stringValue, !preferred.isEmpty { return preferred }
        case .rules:
            guard custom == nil else { throw .customRoleNotSupported }
            if let rule = mapping.rules.first(where: { $0.matches(login.claims) }) { return rule.role }
        }
        guard mapping.resolution == .authenticatedRole else { throw .ambiguous }
        guard let role = pool.authenticatedRole else { throw .noRole }
        return role
    }

    /// Returns the roles of the claim `cognito:roles`: an array in tokens of user pools, and a text with commas in the Developer Guide.
    private static func texts(_ value: JSONValue?) -> [String] {
        if let text = value?.stringValue { return text.split(separator: ",").map(String.init) }
        return value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Returns the tags of the session: those of the map of the first login that has one.
    package static func tags(for logins: [PoolLogin], in pool: IdentityPool) -> [Tag] {
        for login in logins {
            for name in login.names {
                guard let map = pool.tagMap(of: name) else { continue }
                return (map.usesDefaults ? PrincipalTagMap.defaults : map.claims).compactMap { tag in
                    tagValue(of: login.claims[tag.value]).map { Tag(key: tag.key, value: $0) }
                }
            }
        }
        return []
    }

    /// Returns the value that a claim has as a tag; `nil` for an absent claim, a list and an object.
    private static func tagValue(of claim: JSONValue?) -> String? {
        switch claim {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .array(let values) where values.count == 1: values[0].stringValue
        default: nil
        }
    }
}

extension PoolRoleMapping.Rule {
    /// Returns whether the rule matches claims. An absent claim matches no rule. (Recorded answers of AWS.)
    func matches(_ claims: JSONObject) -> Bool {
        guard let claim = claims[self.claim] else { return false }
        let values: [String]
        switch claim {
        case .string(let text): values = [text]
        case .integer(let number): values = [String(number)]
        case .bool(let flag): values = [flag ? "true" : "false"]
        case .array(let elements): values = elements.compactMap(\.stringValue)
        case .null, .number, .object: return false
        }
        let isList = claim.arrayValue != nil
        return switch comparison {
        case .equals: values.count == 1 && values[0] == value
        case .notEqual: !(values.count == 1 && values[0] == value)
        case .startsWith: values.count == 1 && values[0].hasPrefix(value)
        case .contains: isList ? values.contains(value) : values[0].contains(value)
        }
    }
}
