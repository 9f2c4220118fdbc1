package import WireFormats

/// A claim that an identity provider adds to tokens for a client or an API.
package struct ClaimMapping: Hashable, Sendable, Codable {
    /// Where a claim is delivered.
    package enum Place: String, Sendable, Codable, CaseIterable {
        case idToken, accessToken, userinfo
    }

    /// The name of the claim.
    package var name: String
    /// Where the value comes from.
    package var source: ClaimSource
    /// Where the claim is delivered; `nil` for everywhere if it is a client's, and for access tokens if it is an API's.
    package var places: [Place]?

    package init(_ name: String, _ source: ClaimSource, places: [Place]? = nil) {
        self.name = name
        self.source = source
        self.places = places
    }

    /// The claims that tokens set themselves, which people, clients and mappings cannot replace.
    package static let ownClaims: Set<String> = [
        "iss", "sub", "aud", "azp", "exp", "iat", "nbf", "jti", "auth_time", "nonce", "at_hash", "c_hash", "s_hash", "sid",
    ]
    /// The claims that access tokens or introspection set themselves beside ``ownClaims``.
    package static let ownClaimsOfAccess: Set<String> = ["client_id", "scope", "cnf", "act", "active", "token_type", "username"]

    /// Returns whether a mapping may set a claim.
    package static func maySet(_ name: String) -> Bool {
        !name.isEmpty && !ownClaims.contains(name) && !ownClaimsOfAccess.contains(name)
    }
}

extension Person {
    /// The attributes that mappings read: the claims, `username` and `sub`.
    package var attributes: JSONObject {
        var attributes = claims
        attributes["username"] = .string(name)
        attributes["sub"] = .string(subject)
        return attributes
    }

    /// The claims about a person's authorization that access tokens contain (RFC 9068 section 2.2.3.1, RFC 7643 section 4.1.2).
    fileprivate static let authorizationClaims = ["groups", "roles", "entitlements"]
}

extension Client {
    /// Whether the client has claims or attributes, which only issuers of the kind openIDConnect put into tokens.
    package var hasClaims: Bool { claims != nil || attributes != nil }
}

extension IdentityProvider {
    /// Returns the claims that the mappings of a client, and of the APIs among the audiences, add.
    /// - Parameter person: `nil` if the client acts for itself. The attributes are then its own.
    package func mappedClaims(
        in place: ClaimMapping.Place, for client: Client, person: Person?, audiences: [String]
    ) -> JSONObject {
        let wanted = audiences.flatMap { api($0)?.claims ?? [] }.filter { $0.places?.contains(place) ?? (place == .accessToken) }
        let mappings = (client.claims ?? []).filter { $0.places?.contains(place) ?? true } + wanted
        if mappings.isEmpty { return [:] }
        var attributes = person?.attributes ?? client.attributes ?? [:]
        if let person {
            attributes["sub"] = .string(subject(of: person, for: client))
        } else {
            attributes["client_id"] = .string(client.id)
        }
        var claims = JSONObject()
        for mapping in mappings { claims[mapping.name] = mapping.source.value(from: attributes) ?? claims[mapping.name] }
        return claims
    }

    /// Returns the claims of an access token that do not describe the token itself: what the person or the client may do, and the mapped
    /// ones.
    package func accessClaims(for client: Client, person: Person?, audiences: [String]) -> JSONObject {
        var claims = JSONObject()
        if let person {
            for name in Person.authorizationClaims { claims[name] = person.claims[name] }
        } else {
            claims = client.attributes ?? [:]
        }
        for (name, value) in mappedClaims(in: .accessToken, for: client, person: person, audiences: audiences).members {
            claims[name] = value
        }
        return claims
    }
}
