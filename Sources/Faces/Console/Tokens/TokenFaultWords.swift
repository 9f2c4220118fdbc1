import Federation
import WireFormats

/// What is wrong with a token that was made with a fault, and what must notice it.
enum TokenFaultWords {
    /// Returns the words for a fault of `POST /_virga/tokens`.
    static func text(for fault: String, isAssertion: Bool) -> (wrong: String, noticed: String) {
        if isAssertion { return assertion(fault) }
        return TokenFault(rawValue: fault).map(words) ?? (fault, "")
    }

    /// The faults of tokens, in the order of the control API.
    static var tokenFaults: [String] { TokenFault.allCases.map(\.rawValue) }

    /// The faults of SAML responses.
    static var assertionFaults: [String] { AssertionDefect.allCases.map(\.rawValue) }

    private static func words(_ fault: TokenFault) -> (wrong: String, noticed: String) {
        switch fault {
        case .revoked: ("The provider has no record of the token, as after a revocation.", "STS and the provider must refuse it.")
        case .expired: ("The token expired an hour ago (exp).", "Every receiver must refuse it.")
        case .notYetValid: ("The token is valid in an hour only (nbf).", "Every receiver must refuse it.")
        case .issuedInTheFuture: ("The token was issued an hour from now (iat).", "Every receiver must refuse it.")
        case .wrongAudience:
            (
                "The token is for another application (aud, azp).",
                "The application must refuse it, and STS if the account lists its client IDs."
            )
        case .wrongIssuer: ("The issuer has a suffix (iss).", "A receiver that compares only the beginning accepts it.")
        case .wrongNonce: ("The nonce is not that of the request.", "Only the application can notice it: STS does not know the nonce.")
        case .wrongAccessTokenHash:
            (
                "The hash is that of another access token (at_hash).",
                "Only the application can notice it: STS does not have the access token."
            )
        case .unknownKeyID: ("The header names a key that the issuer does not publish (kid).", "Every receiver must refuse it.")
        case .missingKeyID: ("The header names no key (kid).", "STS refuses it. Others may try each key of the issuer.")
        case .algNone: ("The algorithm is none, and there is no signature.", "Every receiver must refuse it. (RFC 8725 section 2.1)")
        case .hs256WithPublicKey:
            (
                "The algorithm is HS256, with the public key as secret.",
                "A receiver that lets the token choose the algorithm accepts it. (RFC 8725 section 2.1)"
            )
        case .flippedSignatureBit: ("One bit of the signature is flipped.", "Every receiver must refuse it.")
        case .emptySignature: ("The signature is empty.", "Every receiver must refuse it.")
        case .otherKey: ("Another key made the signature, under the name of the right one.", "Every receiver must refuse it.")
        case .embeddedKey:
            (
                "Another key made the signature, and the header contains it (jwk).",
                "A receiver that uses keys from the token accepts it."
            )
        case .keySetURL:
            (
                "Another key made the signature, and the header has the URL of its set (jku).",
                "A receiver that fetches keys from the token's URL accepts it."
            )
        case .embeddedCertificate:
            (
                "Another key made the signature, and the header contains its certificate (x5c).",
                "A receiver that uses certificates from the token accepts it."
            )
        case .certificateURL:
            (
                "Another key made the signature, and the header has the URL of its certificate (x5u).",
                "A receiver that fetches certificates from the token's URL accepts it."
            )
        case .criticalExtension:
            (
                "The header requires an unknown extension (crit).",
                "Every receiver must refuse it. (RFC 7515 section 4.1.11)"
            )
        case .duplicateClaims:
            (
                "The claim sub is there twice, the second time with another person.",
                "Receivers differ: some use the first one, some the last one."
            )
        case .nestedToken: ("The payload is another token (cty).", "Most receivers cannot read it. (RFC 7519 section 5.2)")
        case .hugeClaims:
            (
                "A claim with 5,000 groups makes the token very long.",
                "STS accepts 20,000 characters at most, and web servers about 8,000 in a header."
            )
        }
    }

    private static func assertion(_ fault: String) -> (wrong: String, noticed: String) {
        switch AssertionDefect(rawValue: fault) {
        case .expired: ("The assertion has expired.", "Every service provider must refuse it.")
        case .notYetValid: ("The assertion is not valid yet.", "Service providers must refuse it. STS does not check it.")
        case .wrongRecipient:
            (
                "The assertion is for another URL (Recipient).",
                "The service provider must refuse it. STS does not check it."
            )
        case .wrongAudience:
            (
                "The assertion is for another service provider (Audience).",
                "The service provider must refuse it. STS does not check it."
            )
        case .wrongIssuer: ("The assertion is of another issuer.", "Every service provider must refuse it.")
        case .unsignedAssertion: ("Only the response is signed, not the assertion.", "STS refuses it. Others may accept it.")
        case .unsigned: ("Nothing is signed.", "Every service provider must refuse it.")
        case .flippedSignatureBit: ("One bit of the signature is flipped.", "Every service provider must refuse it.")
        case .sha1: ("The signature uses SHA-1.", "Many service providers refuse it.")
        case .otherKey: ("Another key made the signature.", "Every service provider must refuse it.")
        case nil: (fault, "")
        }
    }
}
