import Tokens
import WireFormats

extension WebIdentityError {
    /// The exact defect of a token, for the log and the journal; `nil` where the service's own message contains it.
    package var cause: String? {
        switch self {
        case .notAToken(let error): error.map(Self.cause)
        case .noVerificationKey: "the issuer publishes no key with the token's \"kid\", or the key cannot verify the token."
        case .notValidated(let keyID, let issuer):
            "the signature does not verify with key \(keyID.map { "\"\($0)\"" } ?? "(none named)") of \(issuer)."
        case .audienceNotAccepted(let presented, let accepted):
            "the token's audience is \(Self.list(presented)); the provider accepts the client IDs \(Self.list(accepted))."
        case .unknownIssuer(let issuer): "no identity provider that is trusted here has the issuer \"\(issuer)\"."
        case .issuedTooLongAgo: "the token was issued longer ago than the provider's issuance limit."
        case .expired(let now, let expiry): "the token expired at \(Self.text(expiry)); it is \(Self.text(now))."
        case .issuedInTheFuture(let issued): "the token was issued at \(Self.text(issued)), which is in the future."
        case .notYetValid(let now, let notBefore): "the token is valid from \(Self.text(notBefore)); it is \(Self.text(now))."
        default: nil
        }
    }

    /// Returns the ``cause`` of a token that was sent. SDKs send the content of a file as it is, with a line break at its end.
    package func defect(of token: String) -> String? {
        guard case .notAToken = self, let last = token.utf8.last, [0x0A, 0x0D].contains(last) else { return cause }
        return "the token ends with a line break; write its file without one."
    }

    /// Says why a text is not a token.
    private static func cause(_ error: JSONWebTokenError) -> String {
        switch error {
        case .tooLong: "the token has more than \(JSONWebToken.longest) bytes."
        case .notThreeParts: "the token has not three parts."
        case .invalidEncoding: "a part of the token is not valid base64url: the token may be cut off."
        case .invalidHeader: "the header is not an object with an \"alg\", or its \"alg\", \"kid\" or \"typ\" is not a string."
        case .invalidClaims: "the payload is not an object of claims."
        case .unsupportedAlgorithm("none"): "the algorithm is none: the token is not signed."
        case .unsupportedAlgorithm(let name) where name.hasPrefix("HS"):
            "the algorithm \(name) uses a shared secret; issuers sign with a key pair, so a public key must not count as a secret."
        case .unsupportedAlgorithm(let name): "the algorithm \(name) is not accepted."
        case .criticalExtension: "the header requires an extension that is not known here (crit)."
        case .unfitKey, .invalidSignature: "the signature is not valid."
        }
    }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "(none)" : values.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private static func text(_ seconds: Int64) -> String { Timestamp(seconds: seconds).iso8601 }
}
