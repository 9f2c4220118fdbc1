import Directory
package import WireFormats

extension Person {
    /// Returns the claims that the scopes grant: `profile`, `email`, `address` and `phone` as in OpenID Connect Core 1.0 section 5.4.
    ///
    /// Claims that belong to no scope are always included, as are those requested by name (section 5.5). Claims that the token itself sets
    /// are left out.
    package func claims(for scopes: [String], and names: [String] = []) -> JSONObject {
        JSONObject(
            claims.members.filter { name, _ in
                if ClaimMapping.ownClaims.contains(name) { return false }
                guard let scope = Person.scopeOfClaim[name] else { return true }
                return scopes.contains(scope) || names.contains(name)
            }.map { ($0.name, $0.value) })
    }

    /// The claims that each scope grants (OpenID Connect Core 1.0 section 5.4).
    package static let claimsOfScopes: [(scope: String, claims: [String])] = [
        (
            "profile",
            [
                "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
                "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
            ]
        ),
        ("email", ["email", "email_verified"]),
        ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]

    private static let scopeOfClaim: [String: String] = claimsOfScopes.reduce(into: [:]) { scopes, entry in
        for claim in entry.claims { scopes[claim] = entry.scope }
    }
}
