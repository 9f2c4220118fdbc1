import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// `POST /v1/token` of AWS Sign-In: exchanges a code or a refresh token for credentials of the identity.
/// (AWS Sign-In API Reference, "CreateOAuth2Token"; the messages are Virga's.)
struct SignInTokenEndpoint {
    let call: CredentialCall
    let door: SignInDoor

    /// The issuer of ID tokens.
    private static let issuer = "https://signin.aws.amazon.com/signin"
    /// The name of the keys that sign them.
    private static let keyName = "aws/signin"

    func respond() async throws -> Response {
        let body = try await body()
        let proof = try SignInProof(of: call.http)
        func member(_ name: String) throws(DoorFailure) -> String {
            guard let text = body[name]?.stringValue, !text.isEmpty else {
                throw SignInError.invalidRequest.failure("\(name) is required.")
            }
            return text
        }
        let client = try member("clientId")
        switch try member("grantType") {
        case "authorization_code":
            return try await exchange(
                code: member("code"), client: client, verifier: member("codeVerifier"), redirect: member("redirectUri"), proof)
        case "refresh_token": return try await refresh(member("refreshToken"), client: client, proof)
        default: throw SignInError.invalidRequest.failure("grantType must be authorization_code or refresh_token.")
        }
    }

    private static let members = ["clientId", "grantType", "code", "redirectUri", "codeVerifier", "refreshToken"]

    private func body() async throws -> JSONObject {
        let bytes: [UInt8]
        do { bytes = try await call.http.collectBody(upTo: 1 << 16) } catch is BodyTooLarge {
            throw SignInError.invalidRequest.failure("The request is too large.")
        }
        guard let object = (try? JSONValue(parsing: bytes))?.objectValue else {
            throw SignInError.invalidRequest.failure("The body must be a JSON object.")
        }
        if let name = object.names.first(where: { name in !Self.members.contains { $0 == name } }) {
            throw SignInError.invalidRequest.failure("Virga does not know the parameter \(name).")
        }
        return object
    }

    private func exchange(
        code text: String, client: String, verifier: String, redirect: String, _ proof: SignInProof
    ) async throws -> Response {
        guard let code = SignInGrant(text, .code, in: call.cloud) else {
            throw SignInError.invalidRequest.failure("The code is not valid.")
        }
        guard !call.cloud.clock.hasExpired(code.begun + SignInGrant.codeLifetime, issuedAt: code.begun) else {
            throw SignInError.codeExpired.failure("The code has expired.")
        }
        guard code.client == client, code.redirect == redirect else {
            throw SignInError.invalidRequest.failure("The code is for another clientId or redirectUri.")
        }
        guard PKCE.matches(verifier: verifier, challenge: code.challenge) else {
            throw SignInError.invalidRequest.failure("The codeVerifier does not match the challenge of the code.")
        }
        return try await issue(code, proof, hasIDToken: true, ifUsed: .codeExpired)
    }

    private func refresh(_ text: String, client: String, _ proof: SignInProof) async throws -> Response {
        guard let grant = SignInGrant(text, .refresh, in: call.cloud), grant.client == client else {
            throw SignInError.invalidRequest.failure("The refresh token is not valid for the client.")
        }
        guard grant.keyThumbprint == proof.thumbprint else {
            throw SignInError.invalidRequest.failure("The refresh token is bound to another key.")
        }
        return try await issue(grant, proof, hasIDToken: false, ifUsed: .tokenExpired)
    }

    /// Issues credentials for a login that has not ended. Only a call that succeeds uses up the code or the refresh token.
    /// - Parameter error: the error for a text that was used before.
    private func issue(
        _ grant: SignInGrant, _ proof: SignInProof, hasIDToken: Bool, ifUsed error: SignInError
    ) async throws -> Response {
        guard let identity = SignInIdentity(arn: grant.identity, in: call.directory), identity.mark == grant.mark else {
            throw SignInError.credentialsChanged.failure("The credentials of the identity have changed since the login.")
        }
        let end = call.cloud.clock.effectiveExpiry(grant.begun + .seconds(identity.longestSession), issuedAt: grant.begun)
        let rest = end.seconds - call.cloud.clock.now.seconds
        guard rest > 0 else { throw SignInError.tokenExpired.failure("The session of the login has ended.") }
        try await call.applyFaults(at: door, caller: identity.arn, resources: [identity.arn])
        try door.authorize(identity, "signin:CreateOAuth2Token", client: grant.client, call)
        switch try await grant.use(proof: proof.identifier, in: call.cloud) {
        case .first: break
        case .again: throw error.failure("The code or the refresh token was used before.")
        case .proofAgain: throw SignInProof.usedBefore
        case .ended: throw error.failure("The login has ended, because a code or a refresh token was used again later.")
        }
        let duration = min(SessionTokens.signInLifetime, Int(rest))
        let issued = try call.sessions.session(signedInAs: identity, duration: duration)
        var next = SignInGrant(client: grant.client, begun: grant.begun)
        (next.identity, next.mark, next.keyThumbprint, next.family) = (grant.identity, grant.mark, proof.thumbprint, grant.family)
        var answer: JSONObject = [
            "accessToken": [
                "accessKeyId": .string(issued.credentials.accessKeyID), "secretAccessKey": .string(issued.credentials.secretAccessKey),
                "sessionToken": .string(issued.token),
            ],
            "tokenType": "aws_sigv4", "expiresIn": .integer(Int64(duration)),
            "refreshToken": .string(try next.sealed(.refresh, in: call.cloud)),
        ]
        if hasIDToken { answer["idToken"] = .string(try await idToken(of: identity, client: grant.client)) }
        return .json(.object(answer), headers: .unstored)
    }

    /// The ID token, which names the identity. (Claims of the CLI's test vectors.)
    private func idToken(of identity: SignInIdentity, client: String) async throws -> String {
        let now = call.cloud.clock.now.seconds
        let key = try await call.cloud.signingKey(for: Self.keyName, algorithm: .es384)
        return try JSONWebToken.sign(
            claims: [
                "iss": .string(Self.issuer), "aud": .string(client), "sub": .string(identity.arn), "session_arn": .string(identity.arn),
                "iat": .integer(now), "exp": .integer(now + 900),
            ], key: key)
    }
}

/// The DPoP proof of a request, which proves that the client has a key (RFC 9449). AWS Sign-In requires one with ES256.
struct SignInProof {
    /// The thumbprint of the key, to which refresh tokens are bound.
    let thumbprint: String
    /// Identifies the proof among all.
    let identifier: String

    /// The number of seconds for which a proof is valid, before and after it was made.
    private static let window: Int64 = 300

    init(of call: Call) throws(DoorFailure) {
        func invalid(_ message: String) -> DoorFailure { SignInError.invalidRequest.failure(message) }
        let proofs = call.headers[values: .dpop]
        guard proofs.count == 1, let text = proofs.first else { throw invalid("The request must have one header DPoP.") }
        guard let token = try? JSONWebToken(parsing: text, accepting: [.es256]), token.header["typ"] == "dpop+jwt",
            let members = token.header["jwk"]?.objectValue, !JSONWebKey.isSecret(members), let key = JSONWebKey(members),
            (try? token.verify(with: key.key)) != nil, let thumbprint = try? key.thumbprint
        else { throw invalid("The DPoP proof must be a JWT of the type dpop+jwt with ES256, signed with the key in it.") }
        guard token.claims["htm"]?.stringValue == call.method.rawValue else { throw invalid("The DPoP proof is for another method.") }
        guard let url = token.claims["htu"]?.stringValue, Self.isRequest(call, to: url) else {
            throw invalid("The DPoP proof is for another URL.")
        }
        // Clients sign with the wall clock's time.
        guard let made = token.claims["iat"]?.numberValue, abs(made - Double(call.arrived.seconds)) <= Double(Self.window) else {
            throw invalid("The DPoP proof is too old, or from the future.")
        }
        guard let identifier = token.claims["jti"]?.stringValue, !identifier.isEmpty else { throw invalid("The DPoP proof has no jti.") }
        self.thumbprint = thumbprint
        self.identifier = "\(thumbprint) \(identifier)"
        let answer = call.cloud.usedIdentifiers.take(
            identifier, of: thumbprint, .proofs, until: call.arrived + .seconds(2 * Self.window), now: call.arrived)
        guard case .new = answer else { throw Self.usedBefore }
    }

    static let usedBefore = SignInError.invalidRequest.failure("The DPoP proof was used before.")

    /// Returns whether a URL is that of the request, ignoring query and fragment (RFC 9449 section 4.3, item 9). The scheme is not compared: a
    /// proxy may terminate TLS.
    private static func isRequest(_ call: Call, to url: String) -> Bool {
        let url = NormalizedURL.text(of: String(url.prefix { $0 != "?" && $0 != "#" }))
        let origins = [call.origin, "http://\(call.authority)", "https://\(call.authority)"]
        return origins.contains { url == NormalizedURL.text(of: $0 + call.path) }
    }
}

extension HTTPField.Name {
    static let dpop = HTTPField.Name(literal: "DPoP")
}
