package import Directory
import Tokens
import WireFormats

extension IdentityProvider {
    /// Identity providers in seeds.
    package static let record = SeedRecord<IdentityProvider>(
        "Identity provider",
        blank: IdentityProvider(name: "", kind: .openIDConnect, issuer: nil, clients: [], people: [], tokenLifetime: 3600),
        fields: [
            .required("name", \.name, nameCodec, "The name; facebook, amazon, google and github are those providers."),
            .optional("kind", \.givenKind, Codec.word(Kind.self), "The kind; it follows from the name."),
            .optional("issuer", \.givenIssuer, issuerCodec, "The issuer's URL; required for openIDConnect."),
            .defaulted("clients", \.clientList, Codec.list(Client.record), "Relying parties."),
            .defaulted("people", \.peopleList, Codec.list(Person.record), "Users who can log in."),
            .defaulted(
                "tokenLifetime", \.tokenLifetime, Codec.integer(1...315_360_000, "seconds"), "Seconds that tokens live.",
                isAlwaysWritten: true),
            .optional("origins", \.origins, Codec.record(IssuerOrigins.record), "Origins of the issuer's endpoints."),
            .optional(
                "initialAccessToken", \.initialAccessToken, Codec.nonempty("a token"), "The token that client registration requires."),
            .optional(
                "accessTokenFormat", \.accessTokenFormat, Codec.word(AccessTokenFormat.self, expecting: "opaque or jwt"),
                "The format of access tokens."),
            .defaulted("apis", \.apis, Codec.list(ResourceServer.record), "APIs that access tokens are for."),
            .optional(
                "unknownScopes", \.unknownScopes, Codec.word(UnknownScopes.self),
                "What happens to scopes that the provider does not know; refuse without it."),
            .optional("requiresDPoPNonce", \.requiresDPoPNonce, Codec.flag, "Whether DPoP proofs need a nonce."),
            .optional("signingAlgorithm", \.signingAlgorithm, algorithmCodec, "The algorithm of the issuer's key."),
            .optional("product", \.product, Codec.word(IssuerProduct.self), "The product whose paths and claims the issuer has."),
            .optional("saml", \.saml, Codec.record(SAMLIdentityProvider.record), "The issuer as SAML identity provider."),
            .optional("jobs", \.jobs, Codec.list(WorkflowJob.record), "Jobs of GitHub Actions and other services that get ID tokens."),
            .optional("keycloak", \.keycloak, Codec.record(KeycloakRealm.record), "Roles and groups of the Keycloak realm."),
            .optional(
                "registrationAllowed", \.allowsRegistration, Codec.flag,
                "Whether people may register at the login page of the Keycloak realm; false by default."),
            .optional(
                "revokeRefreshToken", \.revokesRefreshTokens, Codec.flag,
                "Whether a refresh token can be used only once; by default true at /idp/, and false at Keycloak's paths."),
        ]
    ) { provider, members in try provider.finish(members) }

    private static let nameCodec = Codec.form(
        .pattern("^[A-Za-z0-9._-]+$"), expecting: "a provider name of letters, digits and -._"
    ) { name in
        !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }

    /// Issuers, whose rule depends on the kind of the provider.
    private static let issuerCodec: FieldCodec<String> = Codec.plain(.issuer) { JSONValue.string($0) }

    private static let algorithmCodec: FieldCodec<SignatureAlgorithm> = Codec.named(
        .words(SignatureAlgorithm.published.map(\.rawValue)), expecting: "an algorithm with a public key, such as RS256 or ES256",
        make: { name in SignatureAlgorithm.asymmetric.first { $0.rawValue == name } }, text: { $0.rawValue })

    /// The kind that follows from the name: Facebook, Amazon, Google and GitHub can each be present once, and are identified by it.
    private var kindOfName: Kind { Kind(rawValue: name) ?? .openIDConnect }

    /// The kind. Exports have it only if the name means another one.
    private var givenKind: Kind? {
        get { kind == kindOfName ? nil : kind }
        set { kind = newValue ?? kindOfName }
    }

    /// The issuer, which only providers of the kind openIDConnect can choose.
    private var givenIssuer: String? {
        get { kind.isSocial ? nil : issuer }
        set { issuer = newValue }
    }

    private var clientList: [Client] {
        get { Array(clients) }
        set { clients = Roster(newValue) }
    }

    private var peopleList: [Person] {
        get { Array(people) }
        set { people = Roster(newValue) }
    }

    private mutating func finish(_ members: SeedMembers) throws {
        // Issuers may have the name of a provider that STS does not know, such as one of GitHub Actions.
        let isIssuerOfThatName = kind == .openIDConnect && !kindOfName.descriptor.isKnownToSTS
        guard kind == kindOfName || isIssuerOfThatName else {
            let isSocial = kindOfName.isSocial
            throw members.fault(
                "kind",
                expecting: isSocial
                    ? "the kind \(kindOfName.rawValue), by the provider's name" : "openIDConnect, or the provider's own name")
        }
        if !members.has("tokenLifetime") { tokenLifetime = kind.descriptor.tokenLifetime }
        guard Set(apis.map { TextKey($0.identifier) }).count == apis.count else {
            throw members.fault("apis", expecting: "APIs of different identifiers")
        }
        guard kind.isSocial else {
            try checkRealm(members)
            return try checkIssuer(members)
        }
        let fixed = [
            (
                "issuer",
                kind.descriptor.isKnownToSTS
                    ? "no issuer, since the provider's own is fixed" : "no issuer, or the kind openIDConnect, which has one"
            ),
            ("initialAccessToken", "nothing, since it is for providers of the kind openIDConnect"),
            ("accessTokenFormat", "nothing, since it is for providers of the kind openIDConnect"),
            ("requiresDPoPNonce", "nothing, since it is for providers of the kind openIDConnect"),
            ("apis", "no APIs, since the provider's own scopes are fixed"),
            ("unknownScopes", "nothing, since the provider's own behaviour is fixed"),
            ("origins", "no origins, since the provider's own are fixed"),
            ("signingAlgorithm", "no algorithm, since the provider's own is fixed"),
            ("product", "nothing, since it is for providers of the kind openIDConnect"),
            ("jobs", "nothing, since it is for providers of the kind openIDConnect"),
            ("keycloak", "nothing, since it is for providers of the kind openIDConnect"),
            ("registrationAllowed", "nothing, since it is for providers of the kind openIDConnect"),
            ("revokeRefreshToken", "nothing, since it is for providers of the kind openIDConnect"),
            ("saml", "nothing, since it is for providers of the kind openIDConnect"),
        ]
        for (name, expected) in fixed where members.has(name) { throw members.fault(name, expecting: expected) }
        guard !clients.contains(where: \.hasClaims) else {
            throw members.fault("clients", expecting: "clients without claims and attributes, since the provider's own tokens are fixed")
        }
        guard !clients.contains(where: { $0.requiresConsent != nil || $0.webOrigins != nil || $0.formerSecret != nil }) else {
            throw members.fault(
                "clients",
                expecting: "clients without consentRequired, webOrigins and formerSecret, which are for providers of the kind openIDConnect"
            )
        }
        guard !clients.contains(where: \.metadata.namesAlgorithms) else {
            throw members.fault("clients", expecting: "clients without algorithms in metadata, since the provider's own tokens are fixed")
        }
        issuer = kind.descriptor.issuer
    }

    private func checkIssuer(_ members: SeedMembers) throws {
        let key = FieldName("issuer")
        guard members.contains(key) else { return try members.reportMissing(key, expecting: issuerForm) }
        if let issuer, !isIssuer(issuer) { try members.refuse(key, expecting: issuerForm) }
        guard let issuer, let row = product?.descriptor, !row.isIssuer(issuer) else { return }
        try members.refuse(key, expecting: "the form of the product's issuers: \(row.issuerForm)")
    }
}

extension IssuerOrigins {
    fileprivate static let record = SeedRecord<IssuerOrigins>(
        "Origins of an issuer", blank: IssuerOrigins(),
        fields: [
            .optional("issuer", \.issuer, origin, "The origin of its URLs."),
            .optional("browser", \.browser, origin, "The origin of its URLs."),
            .optional("backChannel", \.backChannel, origin, "The origin of its URLs."),
        ])

    private static let origin = Codec.form(
        .pattern("^https?://[^/?#@ ]+$"), expecting: "http:// or https:// with a host and nothing after it"
    ) { text in
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let authority = text.dropFirst(scheme.count)
        return !authority.isEmpty && !authority.contains { "/?#@ ".contains($0) }
    }
}
