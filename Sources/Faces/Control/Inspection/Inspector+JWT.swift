import Calls
import Cloud
import ControlDocuments
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
        } else if let (kind, name) = Self.recorded(header, claims) {
            if let owner = try owner(of: text, kind) ?? provider {
                try await check(text, kind, name, owner, &found)
            } else {
                found.check("issuer", false, "the issuer \(issuer.isEmpty ? "(none)" : issuer) is not of this sandbox.")
            }
            checkAudience(claims, &found)
        } else if provider == nil, let client = Self.client(ofAssertion: claims, in: cloud.directory) {
            found.isUndecided = true
            found.check(
                "assertion", nil, "the token is an assertion of the client \(client); the token endpoint of its provider decides about it.")
        } else {
            try await checkIDToken(text, header, claims, &found)
        }
        checkBinding(claims, header, &found)
        if let provider {
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

    /// Compares the audience of an access token with the expected one.
    private func checkAudience(_ claims: JSONObject, _ found: inout Inspection) {
        let audiences = claims.audiences
        let shown = audiences.isEmpty ? "(none)" : audiences.joined(separator: ", ")
        if let audience = expected["audience"] {
            found.check("audience", audiences.contains(audience), "the audience is \(shown); expected \(audience).")
        } else {
            found.check("audience", nil, "the audience is \(shown); the API that receives the token decides about it.")
        }
    }

    /// Returns the kind of a token of which its provider has a record, and its name; `nil` for another token.
    ///
    /// (RFC 9068 section 2.1; the claim `typ` of Keycloak's access and refresh tokens.)
    private static func recorded(_ header: JSONObject, _ claims: JSONObject) -> (kind: Grant.Kind, name: String)? {
        switch claims["typ"]?.stringValue {
        case "Bearer": (.accessToken, "access token")
        case "Refresh", "Offline": (.refreshToken, "refresh token")
        default: header["typ"] == "at+jwt" ? (.accessToken, "access token") : nil
        }
    }

    /// Returns the provider that has a record of a token.
    private func owner(of token: String, _ kind: Grant.Kind) throws -> IdentityProvider? {
        try cloud.directory.providers.values.first { try cloud.grants.look(up: token, kind: kind, at: $0.name) != nil }
    }

    /// Returns the client that made a token as an assertion about itself or about a user (RFC 7523 section 3); `nil` for another token.
    private static func client(ofAssertion claims: JSONObject, in directory: Directory) -> String? {
        guard let issuer = claims["iss"]?.stringValue else { return nil }
        return directory.providers.values.contains { $0.client(issuer) != nil } ? issuer : nil
    }

    /// Returns the expiry of a token that any aging makes effective; `nil` if the claim is no time.
    func effectiveExpiry(of claims: JSONObject) -> Timestamp? {
        func time(_ name: String) -> Timestamp? {
            claims[name]?.integerValue.flatMap { $0.magnitude < 1 << 40 ? Timestamp(seconds: $0) : nil }
        }
        return time("exp").map { $0 - .seconds(time("iat").map(cloud.clock.aging(since:)) ?? 0) }
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
                let verdict = call.decide(assumption: identity, of: role, sessionName: "inspect")
                let isAllowed = verdict.decision.isAllowed
                found.roles.append(
                    Document { [$0.arn(role.arn), $0.accepts(isAllowed), $0.reason(isAllowed ? nil : verdict.trace.reason)] })
            case .failure(let error):
                let reason = (error as? WebIdentityError).map { $0.cause ?? "\($0)" } ?? "\(error)"
                found.roles.append(Document { [$0.arn(role.arn), $0.accepts(false), $0.reason(reason)] })
            case nil: break
            }
        }
    }
}
