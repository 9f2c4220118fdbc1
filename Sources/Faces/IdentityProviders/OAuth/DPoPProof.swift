import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// A DPoP proof, which proves that the sender of a request has a key (RFC 9449).
struct DPoPProof {
    /// The thumbprint of the key that signed the proof, to which tokens are bound (section 6.1).
    var keyThumbprint: String

    /// The names of the accepted signature algorithms: all asymmetric ones.
    static let algorithms = ClientMetadata.signingAlgorithms

    struct Fault: Error {
        var code: OAuthError.Code
        var explanation: String

        init(_ explanation: String, code: OAuthError.Code = .invalidDPoPProof) {
            self.code = code
            self.explanation = explanation
        }
    }

    /// The number of seconds for which a proof is valid, before and after it was made.
    private static let window: Int64 = 300

    /// Reads and verifies the request's proof (section 4.3); `nil` if it has none.
    /// - Parameter accessToken: the access token that the request presents beside the proof, at a protected resource.
    init?(of visit: Visit, accessToken: String? = nil) throws(Fault) {
        let proofs = visit.call.headers[values: .dpop]
        guard let text = proofs.first else { return nil }
        guard proofs.count == 1 else { throw Fault("There is more than one proof.") }
        let token: JSONWebToken
        do throws(JSONWebTokenError) {
            token = try JSONWebToken(parsing: text)
        } catch {
            throw Fault(error.explanation(of: "The proof"))
        }
        guard token.header["typ"] == "dpop+jwt" else { throw Fault("The proof's typ is not dpop+jwt.") }
        guard let members = token.header["jwk"]?.objectValue, !JSONWebKey.isSecret(members),
            let key = JSONWebKey(members), key.allows(token.algorithm)
        else { throw Fault("The proof's jwk must be a public key that fits its alg: \(SignatureAlgorithm.supportedKeys).") }
        do {
            try token.verify(with: key.key)
            keyThumbprint = try key.thumbprint
        } catch {
            throw Fault("The proof is not signed with the key in it.")
        }
        try Self.check(token.claims, in: visit, accessToken: accessToken)
        try take(token.claims, in: visit)
    }

    private static func check(_ claims: JSONObject, in visit: Visit, accessToken: String?) throws(Fault) {
        guard claims["htm"]?.stringValue == visit.call.method.rawValue else { throw Fault("The proof is for another method.") }
        guard let url = claims["htu"]?.stringValue, visit.isRequest(to: url) else { throw Fault("The proof is for another URL.") }
        if visit.provider.requiresDPoPNonce == true {
            guard let nonce = claims["nonce"]?.stringValue, DPoPNonce.isGood(nonce, in: visit) else {
                throw Fault("The proof must repeat the nonce of the header DPoP-Nonce.", code: .useDPoPNonce)
            }
        }
        // Clients sign with the wall clock's time.
        guard let made = claims["iat"]?.numberValue, abs(made - Double(visit.call.arrived.seconds)) <= Double(window) else {
            throw Fault("The proof is too old, or from the future.")
        }
        if let accessToken, claims["ath"]?.stringValue != SHA256.hash(accessToken).base64url {
            throw Fault("The proof is for another access token.")
        }
    }

    private func take(_ claims: JSONObject, in visit: Visit) throws(Fault) {
        guard let identifier = claims["jti"]?.stringValue, !identifier.isEmpty else { throw Fault("The proof has no jti.") }
        let now = visit.call.arrived
        let answer = visit.cloud.usedIdentifiers.take(
            identifier, of: keyThumbprint, .proofs, until: now + .seconds(2 * Self.window), now: now)
        switch answer {
        case .new: return
        case .used: throw Fault("The proof was used before.")
        case .tooMany: throw Fault("Too many proofs were used that are still valid. Retry later.")
        }
    }
}

extension Visit {
    /// Returns whether a URL is that of the request, under any name of this process and in any equivalent spelling, ignoring query and
    /// fragment (RFC 9449 section 4.3, item 9).
    fileprivate func isRequest(to url: String) -> Bool {
        let url = NormalizedURL.text(of: String(url.prefix { $0 != "?" && $0 != "#" }))
        return url == NormalizedURL.text(of: call.origin + call.path)
            || call.names.path(ofOwn: url) == NormalizedURL.path(of: call.path)
    }
}

extension HTTPField.Name {
    static let dpop = HTTPField.Name(literal: "DPoP")
}
