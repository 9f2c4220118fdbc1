import Directory

/// What `GET /info` returns.
package struct InfoMembers: DeclaredMembers {
    package var (version, sandbox, origin, addresses) = (text("version"), text("sandbox"), text("origin"), texts("addresses"))
    package var (tls, control) = (document("tls", TLSMembers.self).orNull, document("control", ProtectionMembers.self))
    package var (authorization, generation) = (choice("authorization", ["enforce", "report"]), integer("generation"))
    package var (clock, accounts) = (document("clock", ClockMembers.self), list(of: AccountMembers.self, "accounts"))
    package var (services, providers) = (texts("services"), list(of: ProviderMembers.self, "providers"))
    package var upstreams = list(of: UpstreamMembers.self, "upstreams")
    package var (seeds, counts) = (texts("seeds"), document("counts", CountMembers.self))
    package var (journal, faults) = (document("journal", JournalStateMembers.self), integer("faults"))
}

/// A server that AWS services are forwarded to.
package struct UpstreamMembers: DeclaredMembers {
    package var (address, services) = (text("address"), texts("services"))
    package var (state, error) = (choice("state", ["unused", "answering", "unreachable"]), text("error").orNull)
}

/// The ports with TLS.
package struct TLSMembers: DeclaredMembers { package var (addresses, certificate) = (texts("addresses"), text("certificate")) }

/// Whether the control API requires a token.
package struct ProtectionMembers: DeclaredMembers { package var token = flag("token") }

/// How much a sandbox contains.
package struct CountMembers: DeclaredMembers {
    package var (buckets, objects, users) = (integer("buckets"), integer("objects"), integer("users"))
    package var (roles, people, clients) = (integer("roles"), integer("people"), integer("clients"))
}

/// What `GET /clock` returns.
package struct ClockMembers: DeclaredMembers {
    package var (now, mode, wall) = (date("now"), choice("mode", ["running", "frozen", "set"]), date("wall"))
    package var ages = list(of: AgeMembers.self, "ages")
}

/// By how much older everything became that had been issued before.
package struct AgeMembers: DeclaredMembers { package var (declared, age) = (date("declared"), duration("age")) }

/// What a change of the clock returns.
package struct ChangedClockMembers: DeclaredMembers {
    package var (status, clock) = (choice("status", ["ok"]), included(ClockMembers.self))
}

/// An account without secrets.
package struct AccountMembers: DeclaredMembers {
    package var (id, vendor) = (text("id"), choice("vendor", ["aws", "alibaba"]))
    package var (name, alias, root) = (text("name"), text("alias").orNull, text("root"))
    package var (accessKeys, users, roles) = (texts("access_keys"), integer("users"), integer("roles"))
}

/// An identity provider in a list.
package struct ProviderMembers: DeclaredMembers {
    package var (name, kind) = (text("name"), choice("kind", IdentityProvider.Kind.allCases.map(\.rawValue)))
    package var (url, issuer, canonicalIssuer) = (text("url"), text("issuer").orNull, text("canonical_issuer").orNull)
    package var (people, clients, saml) = (integer("people"), integer("clients"), flag("saml"))
}

/// What `GET /providers` returns.
package struct ProviderListMembers: DeclaredMembers { package var providers = list(of: ProviderMembers.self, "providers") }
