import WireFormats

extension WebIdentityError {
    /// The exact defect of a token, for the log and the journal; `nil` where the service's own message contains it.
    package var cause: String? {
        switch self {
        case .noVerificationKey: "the issuer publishes no key with the token's \"kid\", or the key cannot verify the token."
        case .notValidated(let keyID, let issuer):
            "the signature does not verify with key \(keyID.map { "\"\($0)\"" } ?? "(none named)") of \(issuer)."
        case .audienceNotAccepted(let presented, let accepted):
            "the token's audience is \(Self.list(presented)); the provider accepts the client IDs \(Self.list(accepted))."
        case .issuedTooLongAgo: "the token was issued longer ago than the provider's issuance limit."
        case .expired(let now, let expiry): "the token expired at \(Self.text(expiry)); it is \(Self.text(now))."
        case .issuedInTheFuture(let issued): "the token was issued at \(Self.text(issued)), which is in the future."
        case .notYetValid(let now, let notBefore): "the token is valid from \(Self.text(notBefore)); it is \(Self.text(now))."
        default: nil
        }
    }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "(none)" : values.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private static func text(_ seconds: Int64) -> String { Timestamp(seconds: seconds).iso8601 }
}
