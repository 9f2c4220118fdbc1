/// The reason why an external issuer's token is not exchanged.
struct ExternalTokenError: Error, Equatable {
    var detail: String

    init(_ detail: String) { self.detail = detail }

    // These messages were observed at the service. ("Oracle Mobile Cloud & JWTs", 2018.)

    static func expired(_ issuer: String) -> Self { Self("User assertion from issuer \(issuer) has expired.") }

    static func notConfigured(_ issuer: String) -> Self { Self("Issuer \(issuer) has not been configured.") }

    /// - Parameter reason: a sentence.
    static func noKey(_ issuer: String, _ reason: String) -> Self { Self("No matching public key found for issuer \(issuer). \(reason)") }
}

/// The reason, as a sentence, why no key of an issuer could be used to verify a token.
struct KeyNotFound: Error, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
