import Calls
import Cloud
import Directory
import Federation
import Policy
import Tokens
import WireFormats

extension Inspector {
    /// The name of the mobile cloud's signing keys, and the issuer of its tokens.
    private static let mobileCloud = "mobile cloud"

    /// Inspects a JSON Web Token; `nil` for another text.
    func inspect(jwt text: String) async throws -> Inspection? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.decoded(parts[0]), let claims = Self.decoded(parts[1]), header["alg"] != nil else {
            return nil
        }
        let issuer = claims["iss"]?.stringValue ?? ""
        let isOfMobileCloud = issuer == Self.mobileCloud
        var found = Inspection(isOfMobileCloud ? "mobile_token" : "jwt")
        found.decoded = ["header": .object(header), "claims": .object(claims), "signature": .string(String(parts[2]))]
        let provider = cloud.directory.provider(issuer: issuer, names: call.names)
        let ring = isOfMobileCloud ? Self.mobileCloud : provider?.name
        found.check(
            "issuer", ring == nil ? false : true,
            ring.map { "the issuer \(issuer) is \($0) of this sandbox." }
                ?? "the issuer \(issuer.isEmpty ? "(none)" : issuer) is not of this sandbox.")
        try await checkSignature(text, header, ring, &found)
        if !isOfMobileCloud { checkAudience(claims, provider, &found) }
        checkTimes(claims, &found)
        if let nonce = expected["nonce"] {
            let actual = claims["nonce"]?.stringValue
            found.check("nonce", actual == nonce, "the nonce is \(actual ?? "(none)"); expected \(nonce).")
        }
        if let provider {
            checkSubject(claims["sub"]?.stringValue ?? "", provider, &found)
            try await findRoles(text, providerID: nil, &found)
        }
        found.conclude("A valid token of \(ring ?? issuer)\(claims["sub"]?.stringValue.map { " for \($0)" } ?? "").")
        return found
    }

    private static func decoded(_ part: Substring) -> JSONObject? {
        [UInt8](base64url: part).flatMap { try? JSONValue(parsing: $0, repeatedNames: .lastCounts) }?.objectValue
    }

    private func checkSignature(_ text: String, _ header: JSONObject, _ ring: String?, _ found: inout Inspection) async throws {
        let name = header["alg"]?.stringValue ?? ""
        let token: JSONWebToken
        do {
            token = try JSONWebToken(parsing: text, repeatedNames: .lastCounts)
        } catch {
            found.check("algorithm", false, "the token with the algorithm \(name) cannot be verified: \(error).")
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
            found.check("signature", false, "the signature is not of the key '\(keyID)': \(error).")
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

    private func checkTimes(_ claims: JSONObject, _ found: inout Inspection) {
        func time(_ name: String) -> Timestamp? { claims[name]?.integerValue.map { Timestamp(seconds: $0) } }
        let now = cloud.clock.now
        guard let expires = time("exp") else { return found.check("times", false, "the token has no expiry (exp).") }
        let issued = time("iat") ?? now
        if isExpired(expires, issued: issued) {
            return found.check("times", false, "the token expired at \(expires.iso8601), or was aged; it is \(self.now).")
        }
        if let start = time("nbf"), start > now {
            return found.check("times", false, "the token is valid from \(start.iso8601); it is \(self.now).")
        }
        if issued > now {
            return found.check("times", false, "the token was issued at \(issued.iso8601), which is in the future; it is \(self.now).")
        }
        found.check("times", true, "the token expires at \(expires.iso8601); it is \(self.now).")
    }

    /// Finds the person with a subject. Pairwise subjects are not resolved.
    func checkSubject(_ subject: String, _ provider: IdentityProvider, _ found: inout Inspection) {
        if let person = provider.people.first(where: { $0.subject == subject }) {
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
                    identities[account] = .success(try await services.verifyWebIdentity(token, providerID, account, call.names))
                } catch { identities[account] = .failure(error) }
            }
            switch identities[account] {
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
