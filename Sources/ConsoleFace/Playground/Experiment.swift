/// Something to break on purpose, and what the service answers then.
struct Experiment: Sendable {
    /// What is done.
    enum Act: Sendable {
        /// A token with a defect is sent to STS. The names are those of `POST /_virga/tokens`.
        case badToken(fault: String)
        case wrongProviderID
        /// The trust policy is changed to another application, and back.
        case otherApplication
        case denyingSessionPolicy
        case otherPrefix, listingWithoutPrefix
        case wrongSecret, cutSessionToken
        case keyRotation
        case unreachableProvider, throttling
        case ageing
    }

    let id: String
    let title: String
    let act: Act
    /// The codes that are expected.
    let expected: [String]

    init(_ id: String, _ title: String, _ act: Act, _ expected: String...) {
        (self.id, self.title, self.act, self.expected) = (id, title, act, expected)
    }

    /// Returns the experiments for a provider.
    static func all(for provider: WalkProvider) -> [Experiment] {
        (provider.isOpaque ? opaqueTokens : signedTokens(isRegistered: provider.kind == "openIDConnect")) + requests
            + [wrongProviderID(isAmazon: provider.kind == "amazon")] + (provider.isOpaque ? [] : [rotation]) + [ageing]
    }

    private static let opaqueTokens: [Experiment] = [
        Experiment("expired", "An expired token", .badToken(fault: "expired"), "IDPRejectedClaim"),
        Experiment("revoked", "A token that the provider has revoked", .badToken(fault: "revoked"), "IDPRejectedClaim"),
    ]

    /// - Parameter isRegistered: whether the account lists the client IDs that it accepts, so that STS checks the audience itself.
    private static func signedTokens(isRegistered: Bool) -> [Experiment] {
        [
            Experiment("expired", "An expired token", .badToken(fault: "expired"), "ExpiredTokenException"),
            Experiment("flipped", "One bit of the signature is flipped", .badToken(fault: "flippedSignatureBit"), "InvalidIdentityToken"),
            Experiment("other-key", "Another key made the signature", .badToken(fault: "otherKey"), "InvalidIdentityToken"),
            Experiment("alg-none", "alg is none, and there is no signature", .badToken(fault: "algNone"), "InvalidIdentityToken"),
            Experiment(
                "hs256", "alg is HS256 with the public key as secret", .badToken(fault: "hs256WithPublicKey"), "InvalidIdentityToken"),
            Experiment(
                "audience", "The token is for another application", .badToken(fault: "wrongAudience"),
                isRegistered ? "InvalidIdentityToken" : "AccessDenied"),
            Experiment("issuer", "The issuer has a suffix", .badToken(fault: "wrongIssuer"), "InvalidIdentityToken"),
        ]
    }

    private static let requests: [Experiment] = [
        Experiment("other-app", "The trust policy is for another application", .otherApplication, "AccessDenied"),
        Experiment("session-policy", "The session policy denies everything", .denyingSessionPolicy, "AccessDenied"),
        Experiment("other-prefix", "Another person's file", .otherPrefix, "AccessDenied"),
        Experiment("no-prefix", "A listing without a prefix", .listingWithoutPrefix, "AccessDenied"),
        Experiment("secret", "The wrong secret", .wrongSecret, "SignatureDoesNotMatch"),
        Experiment("cut", "The session token is cut", .cutSessionToken, "InvalidToken"),
        Experiment("unreachable", "STS cannot reach the provider", .unreachableProvider, "IDPCommunicationError"),
        Experiment("throttled", "STS throttles the call", .throttling, "Throttling"),
    ]

    /// - Parameter isAmazon: whether the token is of Amazon, which the request calls a token of Facebook.
    private static func wrongProviderID(isAmazon: Bool) -> Experiment {
        Experiment("provider-id", "The wrong ProviderId", .wrongProviderID, isAmazon ? "IDPRejectedClaim" : "InvalidIdentityToken")
    }

    private static let rotation = Experiment(
        "rotation", "The provider replaces its key at once", .keyRotation, "InvalidIdentityToken")

    private static let ageing = Experiment(
        "age", "An hour and five minutes pass", .ageing, "ExpiredToken")
}
