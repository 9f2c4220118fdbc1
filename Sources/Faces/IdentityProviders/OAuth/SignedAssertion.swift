import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// A token that a client or another issuer signed to identify a client or a user (RFC 7523 section 3). Everything is checked except the
/// signature, for which the issuer must be known first.
struct SignedAssertion {
    struct Fault: Error {
        var explanation: String

        init(_ explanation: String) { self.explanation = explanation }
    }

    let token: JSONWebToken
    let issuer: String
    let subject: String
    private let expiry: Timestamp

    /// The number of seconds by which the signer's clock may be ahead.
    static let tolerance = 60.0
    /// The maximum lifetime of an assertion in seconds; unreasonable times are rejected (section 3, item 4). Okta has the same limit.
    private static let longestLifetime = 3600.0

    init(_ text: String, to visit: Visit) throws(Fault) {
        do throws(JSONWebTokenError) {
            token = try JSONWebToken(parsing: text, accepting: Set(SignatureAlgorithm.allCases))
        } catch {
            throw Fault(error.explanation(of: "The assertion"))
        }
        let claims = token.claims
        guard let issuer = claims["iss"]?.stringValue, let subject = claims["sub"]?.stringValue else {
            throw Fault("The assertion must have the claims iss and sub.")
        }
        self.issuer = issuer
        self.subject = subject
        guard claims.audiences.contains(where: visit.isMeant(byAudience:)) else {
            throw Fault("The assertion's audience is neither the issuer nor its token endpoint.")
        }
        // Clients sign with the wall clock's time.
        let now = Double(visit.call.arrived.seconds)
        guard let end = claims["exp"]?.numberValue, end.magnitude < 1e12 else { throw Fault("The assertion must have the claim exp.") }
        guard end > now else { throw Fault("The assertion has expired.") }
        guard end <= now + Self.longestLifetime + Self.tolerance else {
            throw Fault("The assertion lives too long: its exp must be at most an hour ahead.")
        }
        expiry = Timestamp(seconds: Int64(end))
        for (name, value) in [("nbf", claims["nbf"]), ("iat", claims["iat"])] {
            guard let value else { continue }
            guard let begin = value.numberValue, begin <= now + Self.tolerance else {
                throw Fault("The assertion's claim \(name) is not a time, or lies in the future.")
            }
        }
    }

    /// Marks the assertion as used; a replay is rejected (section 3, item 7).
    /// - Parameters:
    ///   - signer: the client that signed the assertion.
    ///   - isIdentified: whether the assertion must have an identifier.
    func spend(by signer: Client, in visit: Visit, isIdentified: Bool) throws(Fault) {
        guard let identifier = token.claims["jti"]?.stringValue else {
            guard !isIdentified else { throw Fault("The assertion must have the claim jti.") }
            return
        }
        let source = "\(visit.provider.name)\u{0}\(signer.id)"
        let answer = visit.cloud.usedIdentifiers.take(
            identifier, of: source, signer.isOpenlyRegistered == true ? .openClients : .knownClients, until: expiry, now: visit.call.arrived
        )
        switch answer {
        case .new: return
        case .used: throw Fault("The assertion was used before.")
        case .tooMany: throw Fault("The client has used too many assertions that have not expired. Let them expire sooner, or retry later.")
        }
    }
}

extension Visit {
    /// Returns whether an audience is this issuer, its token endpoint or the requested endpoint, under any of their names.
    func isMeant(byAudience audience: String) -> Bool {
        if audience == provider.issuer || audience == issuer || audience == url(of: .token) { return true }
        guard let path = call.names.path(ofOwn: audience) else { return false }
        return path == call.path
            || IssuerPaths.all.contains { prefix in
                let base = prefix + provider.name
                let endpoint = prefix == IssuerPaths.own ? ProviderEndpoint.token.path : ProviderEndpoint.token.realmPath
                return path == base || path == base + endpoint
            }
    }
}
