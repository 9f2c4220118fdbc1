import Cryptography
import Federation
import Tokens
import WireFormats

@Sendable func fuzzJWS(_ bytes: [UInt8]) {
    _ = JSONWebKeySet(parsing: bytes)
    // A token, or its header, claims and signature before they are encoded, separated by NUL bytes.
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    let text = parts.count == 3 ? parts.map { Array($0).base64url }.joined(separator: ".") : String(decoding: bytes, as: UTF8.self)
    guard let token = try? JSONWebToken(parsing: text, accepting: Set(SignatureAlgorithm.allCases)) else { return }
    precondition((try? token.verify(secret: unusedSecret)) == nil, "a forged token is valid")
    for key in unusedKeys { precondition((try? token.verify(with: key.verificationKey)) == nil, "a forged token is valid") }
}

/// A secret that no input can have signed with.
private let unusedSecret: [UInt8] = (0..<64).map { _ in UInt8.random(in: 0...255) }

/// Keys that no input can be signed with.
private let unusedKeys = [SignatureAlgorithm.rs256, .es256, .es384, .es512, .edDSA].compactMap { algorithm in
    try? SigningKey.generate(algorithm: algorithm, created: Timestamp(seconds: 0))
}

@Sendable func fuzzSAML(_ bytes: [UInt8]) {
    _ = try? PresentedAssertion(parsing: bytes)
    if let assertion = try? verifier.verify(bytes) {
        // The corpus has responses that are signed with this key, for the user "alice" alone.
        precondition(assertion.nameID?.value == "alice", "a forged response is valid")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // A query, or a message before compression.
    let queries = [text, "SAMLRequest=\(percentEncoded(bytes.deflated.base64))"]
    for query in queries {
        for kind in [SAMLRedirect.Kind.request, .response] {
            guard let redirect = try? SAMLRedirect(RawQuery(Substring(query)), kind: kind, limit: 1 << 16) else { continue }
            precondition((try? redirect.verify(with: [])) == nil, "a message without a key is valid")
        }
    }
}

private let verifier = SAMLResponseVerifier(issuer: "i", keys: signer.map { [$0.key] } ?? [])

/// The key of the signed responses in the corpus, whose private half is not kept.
private let signer = JSONWebKey([
    "kty": "EC", "crv": "P-256", "x": "8Q7HebuRS8ABnIuyv7o7idCkIlttEb2BL8wDc68U7To", "y": "cwg9h8gN3Qp6YuwYFGGynQcUF4Cdh-Mx0nsfoN6oNoo",
])
