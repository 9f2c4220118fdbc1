import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension Inspector {
    /// Adds the checks of the relying party that judges an ID token: an application with the expected audience, or else those that trust its
    /// issuer. If several trust it, those of the first one that accepts it, or else of the first one.
    func checkIDToken(_ text: String, _ header: JSONObject, _ claims: JSONObject, _ found: inout Inspection) async throws {
        guard let services else { return }
        let parties =
            expected["audience"].map { [RelyingParty.application(clientIDs: [$0])] }
            ?? cloud.directory.relyingParties(ofIssuer: claims["iss"]?.stringValue ?? "", names: call.names)
        var judged: (party: RelyingParty, checks: [ServiceCheck])?
        for party in parties {
            let checks = try await services.checkIDToken(text, party, call.names)
            let isAccepted = checks.allSatisfy { $0.refusal == nil }
            if isAccepted || judged == nil { judged = (party, checks) }
            if isAccepted { break }
        }
        guard let (party, checks) = judged else { return found.check("issuer", nil, "no service of this sandbox accepts ID tokens.") }
        for check in checks {
            let words = words(for: check.name, header, claims, party)
            if case .application = party {
                // An application has its own words for errors.
                let refusal = check.refusal.map { check.cause ?? $0.message }
                found.check(check.name, refusal == nil, refusal ?? words)
            } else {
                found.check(check, passed: words)
            }
        }
    }

    /// Says what a check that passed has found.
    private func words(for check: String, _ header: JSONObject, _ claims: JSONObject, _ party: RelyingParty) -> String {
        func text(_ value: JSONValue?) -> String { value.map { $0.stringValue ?? $0.serialized() } ?? "(none)" }
        let name =
            switch party {
            case .account(let account): "STS for roles of the account \(account)"
            case .provider(let trust): "the provider \(trust.arn)"
            case .application: "the application"
            }
        switch check {
        case "size": return "the token is not too long."
        case "format": return "the text is a JSON Web Token; the algorithm is \(text(header["alg"]))."
        case "required claims": return "the claims that \(name) requires are there."
        case "issuer":
            let provider = cloud.directory.provider(issuer: text(claims["iss"]), names: call.names)
            let place = provider.map { "\($0.name) of this sandbox" } ?? "trusted, and not of this sandbox"
            return "the issuer \(text(claims["iss"])) is \(place)."
        case "signature": return "the signature is of the key '\(text(header["kid"]))'."
        case "times":
            let expiry = effectiveExpiry(of: claims)?.iso8601 ?? text(claims["exp"])
            return "\(name) accepts the times: the token expires at \(expiry); it is \(now)."
        case "audience": return "\(name) accepts the audience \(text(claims["azp"] ?? claims["aud"]))."
        default: return "\(name) accepts it."
        }
    }
}
