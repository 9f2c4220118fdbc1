import Calls
import Cloud
import Directory
import Federation
import Policy
import Tokens
import WireFormats

extension Inspector {
    /// The issuer of the mobile cloud's tokens.
    private static let mobileCloud = "mobile cloud"

    /// Inspects a JSON Web Token; `nil` for another text.
    func inspect(jwt text: String) async throws -> Inspection? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.decoded(parts[0]), header["alg"] != nil, let payload = [UInt8](base64url: parts[1]) else {
            return nil
        }
        guard let claims = Self.object(payload) else { return try await inspect(nested: payload, header, text) }
        let issuer = claims["iss"]?.stringValue ?? ""
        let isOfMobileCloud = issuer == Self.mobileCloud
        var found = Inspection(isOfMobileCloud ? "mobile_token" : "jwt")
        found.decoded = ["header": .object(header), "claims": .object(claims), "signature": .string(String(parts[2]))]
        let provider = cloud.directory.provider(issuer: issuer, names: call.names)
        noteForm(header, payload, &found)
        if isOfMobileCloud {
            try await checkMobileToken(text, header, claims, &found)
        } else if Self.isAccessToken(header, claims) {
            try await checkIssued(text, header, claims, by: provider?.name, &found)
            checkAudience(claims, provider, &found)
            checkTimes(claims, &found)
        } else {
            try await checkIDToken(text, header, claims, &found)
        }
        checkBinding(claims, header, &found)
        if let provider {
            try checkRecord(text, header, claims, provider, &found)
            checkSubject(claims["sub"]?.stringValue ?? "", provider, &found)
            try await findRoles(text, providerID: nil, &found)
        }
        let signer = isOfMobileCloud ? issuer : provider?.name ?? issuer
        found.conclude("A valid token of \(signer)\(claims["sub"]?.stringValue.map { " for \($0)" } ?? "").")
        return found
    }

    /// Describes a token whose payload is not an object of claims; `nil` unless the payload is another token.
    private func inspect(nested payload: [UInt8], _ header: JSONObject, _ text: String) async throws -> Inspection? {
        let inner = String(decoding: payload, as: UTF8.self)
        let parts = inner.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let innerHeader = Self.decoded(parts[0]), let claims = Self.decoded(parts[1]) else { return nil }
        var found = Inspection("jwt")
        let signature = text.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        found.decoded = [
            "header": .object(header), "nested": ["header": .object(innerHeader), "claims": .object(claims)],
            "signature": .string(String(signature)),
        ]
        found.check(
            "payload", nil,
            "the payload is another token (cty \(header["cty"]?.stringValue ?? "is missing")) instead of claims; services do not accept nested tokens."
        )
        try await checkIDToken(text, header, claims, &found)
        found.conclude("")
        return found
    }

    private static func decoded(_ part: Substring) -> JSONObject? { [UInt8](base64url: part).flatMap(object) }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        (try? JSONValue(parsing: bytes, repeatedNames: .lastCounts))?.objectValue
    }

    /// Describes what services ignore, but other readers may not.
    private func noteForm(_ header: JSONObject, _ payload: [UInt8], _ found: inout Inspection) {
        if (try? JSONValue(parsing: payload)) == nil {
            let place = Self.fault(ofJSON: payload, repeatedNames: .refused) ?? ""
            found.check("claims", nil, "a claim is there twice (\(place)); the last one counts at STS, but readers differ.")
        }
        let keySources = ["jwk": "a key", "jku": "the URL of keys", "x5c": "a certificate", "x5u": "the URL of a certificate"]
        for (name, content) in keySources.sorted(by: { $0.key < $1.key }) where header[name] != nil {
            found.check("key source", nil, "the header has \(content) (\(name)); only the keys that the issuer publishes count.")
        }
    }

    /// Checks the claims that bind a token to a request: the nonce and the hash of the access token.
    private func checkBinding(_ claims: JSONObject, _ header: JSONObject, _ found: inout Inspection) {
        let nonce = claims["nonce"]?.stringValue
        if let wanted = expected["nonce"] {
            found.check("nonce", nonce == wanted, "the nonce is \(nonce ?? "(none)"); expected \(wanted).")
        } else if let nonce {
            found.check("nonce", nil, "the nonce is \(nonce); the application compares it with the one that it sent.")
        }
        let hash = claims["at_hash"]?.stringValue
        if let accessToken = expected["accessToken"] {
            let algorithm = header["alg"]?.stringValue.flatMap(SignatureAlgorithm.init(rawValue:)) ?? .rs256
            let isSame = hash == JSONWebToken.accessTokenHash(accessToken, algorithm: algorithm)
            found.check(
                "access token", isSame,
                hash == nil
                    ? "the token has no hash of an access token (at_hash)."
                    : isSame ? "the hash (at_hash) is that of the access token." : "the hash (at_hash) is that of another access token.")
        } else if hash != nil {
            found.check("access token", nil, "the token has the hash of an access token (at_hash); the application compares it.")
        }
    }

    /// Checks that the provider has a record of an access token. ID tokens have none.
    private func checkRecord(
        _ text: String, _ header: JSONObject, _ claims: JSONObject, _ provider: IdentityProvider, _ found: inout Inspection
    ) throws {
        guard Self.isAccessToken(header, claims) else { return }
        let isKnown = try cloud.grants.look(up: text, kind: .accessToken, at: provider.name) != nil
        found.check(
            "revocation", isKnown,
            isKnown
                ? "\(provider.name) has a record of the access token."
                : "\(provider.name) has no record of the access token: it was revoked, or changed after it was issued.")
    }

    /// Checks that an issuer of this sandbox signed a token.
    private func checkIssued(
        _ text: String, _ header: JSONObject, _ claims: JSONObject, by ring: String?, _ found: inout Inspection
    ) async throws {
        let issuer = claims["iss"]?.stringValue ?? ""
        found.check(
            "issuer", ring != nil,
            ring.map { "the issuer \(issuer) is \($0) of this sandbox." }
                ?? "the issuer \(issuer.isEmpty ? "(none)" : issuer) is not of this sandbox.")
        try await checkSignature(text, header, ring, &found)
    }

    private func checkSignature(_ text: String, _ header: JSONObject, _ ring: String?, _ found: inout Inspection) async throws {
        let name = header["alg"]?.stringValue ?? ""
        let token: JSONWebToken
        do {
            token = try JSONWebToken(parsing: text, repeatedNames: .lastCounts)
        } catch .invalidEncoding {
            return found.check("signature", false, "the signature is not valid base64url: the token may be cut off.")
        } catch {
            found.check("algorithm", false, Self.words(for: error, algorithm: name))
            return
        }
        found.check("algorithm", true, "the algorithm is \(name).")
        guard let ring else { return found.check("signature", nil, "the keys of the issuer are not known here.") }
        guard let keyID = token.keyID else { return found.check("signature", false, "the header names no key (kid).") }
        guard let key = try await cloud.verificationKey(keyID, of: ring) else {
            return found.check("signature", false, "\(ring) publishes no key '\(keyID)'.")
        }
        do {
            try token.verify(with: key)
            found.check("signature", true, "the signature is of the key '\(keyID)'.")
        } catch {
            let isEmpty = token.signature.isEmpty
            found.check(
                "signature", false,
                isEmpty
                    ? "the signature is empty."
                    : error == .unfitKey
                        ? "the key '\(keyID)' is not for the algorithm \(name)."
                        : "the signature is not of the key '\(keyID)': the token was changed, or another key signed it.")
        }
    }

    private static func words(for error: JSONWebTokenError, algorithm: String) -> String {
        switch error {
        case .unsupportedAlgorithm("none"): "the algorithm is none: the token is not signed."
        case .unsupportedAlgorithm(let name) where name.hasPrefix("HS"):
            "the algorithm \(name) uses a shared secret; issuers sign with a key pair, so a public key must not count as a secret."
        case .unsupportedAlgorithm(let name): "the algorithm \(name) is not accepted."
        case .criticalExtension: "the algorithm is \(algorithm), but the header requires an extension that is not known here (crit)."
        case .tooLong: "the signature with \(algorithm) is not verified, because the token is too long."
        default: "the token with the algorithm \(algorithm) cannot be verified: \(error)."
        }
    }

    private func checkAudience(_ claims: JSONObject, _ provider: IdentityProvider?, _ found: inout Inspection) {
        let audiences = claims["aud"]?.stringValue.map { [$0] } ?? claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let party = claims["azp"]?.stringValue ?? claims["client_id"]?.stringValue
        let shown = audiences.isEmpty ? "(none)" : audiences.joined(separator: ", ")
        if let audience = expected["audience"] {
            found.check("audience", audiences.contains(audience), "the audience is \(shown); expected \(audience).")
        } else if let provider {
            let isClient = (audiences + [party].compactMap(\.self)).contains { provider.client($0) != nil }
            found.check("audience", isClient, "the audience is \(shown), which is \(isClient ? "a" : "no") client of \(provider.name).")
        } else {
            found.check("audience", nil, "the audience is \(shown).")
        }
    }

    /// Whether a token is an access token of an identity provider. ID tokens are verified by STS.
    private static func isAccessToken(_ header: JSONObject, _ claims: JSONObject) -> Bool {
        header["typ"] == "at+jwt" || claims["typ"] == "Bearer"
    }

    private func checkTimes(_ claims: JSONObject, _ found: inout Inspection) {
        let now = cloud.clock.now
        let times = AgedTimes(claims, cloud.clock)
        guard let expires = times.expiry else { return found.check("times", false, "the token has no expiry (exp).") }
        if expires <= now {
            return found.check("times", false, "the token expired at \(expires.iso8601); it is \(self.now).")
        }
        if let start = times.notBefore, start > now {
            return found.check("times", false, "the token is valid from \(start.iso8601); it is \(self.now).")
        }
        if let issued = times.issued, issued > now {
            return found.check("times", false, "the token was issued at \(issued.iso8601), which is in the future; it is \(self.now).")
        }
        found.check("times", true, "the token expires at \(expires.iso8601); it is \(self.now).")
    }

    /// Finds the person with a subject. Pairwise subjects are not resolved.
    func checkSubject(_ subject: String, _ provider: IdentityProvider, _ found: inout Inspection) {
        if let person = provider.people.first(.subject(TextKey(subject))) {
            found.subject = ["provider": .string(provider.name), "person": .string(person.name), "subject": .string(subject)]
            found.check("subject", true, "the subject \(subject) is \(person.name).")
        } else {
            found.check("subject", nil, "no person of \(provider.name) has the subject \(subject); it may be a pairwise one.")
        }
    }

    /// Evaluates for every role of AWS whether it accepts the token.
    func findRoles(_ token: String, providerID: String?, _ found: inout Inspection) async throws {
        guard let services else { return }
        let roles = cloud.directory.roles.values.filter { Vendor(account: $0.role.account) == .aws }.sorted { $0.arn < $1.arn }
        var identities: [String: Result<WebIdentity, any Error>] = [:]
        for role in roles {
            let account = role.role.account
            if identities[account] == nil {
                do {
                    identities[account] = .success(try await services.verifyWebIdentity(token, providerID, account, nil, call.names))
                } catch { identities[account] = .failure(error) }
            }
            let identity = identities[account]?.flatMap { identity in
                Result { try identity.checkRoles(for: role.arn) }.map { identity }
            }
            switch identity {
            case .success(let identity):
                let facts = RequestFacts(
                    time: call.received, isSecure: call.isSecure, userAgent: nil, region: "us-east-1", sourceIP: { "" })
                let verdict = Authorizer.decide(WebIdentity.action, by: identity, on: role, sessionName: "inspect", facts: facts)
                found.roles.append([
                    "arn": .string(role.arn), "accepts": .bool(verdict.decision.isAllowed),
                    "reason": verdict.decision.isAllowed ? .null : verdict.trace.reason.map(JSONValue.string) ?? .null,
                ])
            case .failure(let error):
                let reason = (error as? WebIdentityError).map { $0.cause ?? "\($0)" } ?? "\(error)"
                found.roles.append(["arn": .string(role.arn), "accepts": false, "reason": .string(reason)])
            case nil: break
            }
        }
    }
}

/// The times of a token that any ageing makes effective; `nil` for a claim that is no time.
struct AgedTimes {
    let issued, notBefore, expiry: Timestamp?

    init(_ claims: JSONObject, _ clock: SandboxClock) {
        func time(_ name: String) -> Timestamp? {
            claims[name]?.integerValue.flatMap { $0.magnitude < 1 << 40 ? Timestamp(seconds: $0) : nil }
        }
        let issue = time("iat")
        let aging = Duration.seconds(issue.map(clock.aging(since:)) ?? 0)
        (issued, notBefore, expiry) = (issue.map { $0 - aging }, time("nbf").map { $0 - aging }, time("exp").map { $0 - aging })
    }
}
