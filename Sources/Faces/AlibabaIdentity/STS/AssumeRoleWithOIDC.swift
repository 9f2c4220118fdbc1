import Calls
package import Cloud
package import Directory
package import Federation
import HTTPTypes
import Policy
import WireFormats

extension RPCService {
    /// AssumeRoleWithOIDC. Verifies the token, evaluates the role's trust policy, and issues credentials for a session of the role. The
    /// call is not signed. (STS API Reference, "AssumeRoleWithOIDC".)
    @Sendable static func assumeRoleWithOIDC(_ call: RPCCall) async throws -> RPCValue {
        let parameters = try SessionParameters(call)
        if call.cloud.faults.isArmed { try await call.applyProviderFaults() }
        let identity = try await call.oidcIdentity()
        call.http.note(caller: identity.name)
        let session = try call.session(for: identity, parameters)
        return .object(session.members + [.init(name: "OIDCTokenInfo", value: identity.info)])
    }
}

/// The subject of an ID token, as RAM's trust policies see it.
struct OIDCIdentity: FederatedIdentity {
    // (RAM User Guide, "Trust policy of a RAM role for an OIDC IdP".)
    static let action = "sts:AssumeRole"

    /// The ARN of the provider.
    let federatedPrincipal: String
    let token: VerifiedIDToken
    /// When the token was issued and when it expires, as any aging makes it.
    private let (issued, expiry): (Timestamp, Timestamp)
    let trustKeys: [SessionCredentials.Claim]
    let sessionKeys: [SessionCredentials.Claim] = []
    let requests = SessionRequests()

    init(_ token: VerifiedIDToken, provider: String, clock: SandboxClock) {
        self.token = token
        (issued, expiry) = (clock.effective(token.issuedAt), clock.effectiveExpiry(token.expiry, issuedAt: token.issuedAt))
        federatedPrincipal = provider
        trustKeys = [
            .init(key: "oidc:iss", values: [token.issuer]), .init(key: "oidc:aud", values: token.audiences),
            .init(key: "oidc:sub", values: [token.subject]),
        ]
    }

    /// The caller's name in the journal.
    var name: String { "\(federatedPrincipal):\(token.subject)" }

    /// `OIDCTokenInfo`
    var info: RPCValue {
        [
            "Subject": .text(token.subject), "Issuer": .text(token.issuer), "ClientIds": .text(token.audiences.joined(separator: ",")),
            "ExpirationTime": .text(expiry.iso8601), "IssuanceTime": .text(issued.iso8601), "VerificationInfo": "Success",
        ]
    }
}

extension RPCCall {
    /// Verifies the token of the call and returns its subject.
    /// - Throws: `RPCError`, or an error of the database.
    func oidcIdentity() async throws -> OIDCIdentity {
        let arn = try required("OIDCProviderArn")
        let token = try required("OIDCToken")
        try AlibabaRPCFace.checkSize(ofIDToken: token)
        guard let trust = directory.trusts[arn], Vendor(account: trust.account) == .alibaba else {
            throw RPCError("AuthenticationFail.NoPermission", .unauthorized, "No such OIDC Provider registered.")
        }
        do {
            let verifier = WebIdentityVerifier(cloud: cloud, names: http.names, issuers: face.issuers)
            return OIDCIdentity(try await verifier.verify(idToken: token, of: trust), provider: arn, clock: cloud.clock)
        } catch let error as WebIdentityError {
            if let cause = error.defect(of: token) { http.note(cause: cause) }
            throw RPCError(error)
        }
    }

    /// Returns a session of a role for a federated identity, if the role trusts it.
    func session(for identity: some FederatedIdentity, _ parameters: SessionParameters) throws -> RoleSession {
        guard let role = directory.role(arn: parameters.roleARN, at: .alibaba) else { throw RPCError.noSuchRole }
        guard http.authorize(assumption: identity, of: role, sessionName: parameters.sessionName ?? "").isAllowed else {
            throw RPCError.notTrusted
        }
        return try face.authenticator.sessions.session(of: role.role, parameters)
    }

    /// Applies errors on demand to the request with which the real service would fetch the identity provider's keys.
    /// - Throws: `RPCError`
    fileprivate func applyProviderFaults() async throws {
        guard let trust = text("OIDCProviderArn").flatMap({ directory.trusts[$0] }),
            let provider = directory.provider(issuer: trust.url, names: http.names)
        else { return }
        let outcome = try await http.applyFaults(calling: FaultableCall(service: provider.name, action: "KeySet"))
        guard case .answered = outcome else { throw RPCError(WebIdentityError.unreachableProvider) }
    }
}

extension AlibabaRPCFace {
    fileprivate static func checkSize(ofIDToken token: String) throws(RPCError) {
        guard 4...20_000 ~= token.utf8.count else { throw RPCError.wronglyFormed("OIDCToken") }
    }

    /// Returns every check that `AssumeRoleWithOIDC` makes of an ID token for an identity provider.
    /// - Throws: an error of the database.
    package func checks(
        ofIDToken token: String, provider: OpenIDConnectTrust, in cloud: Cloud, names: HostNames
    ) async throws -> [ServiceCheck] {
        var size = ServiceCheck(name: "size")
        do throws(RPCError) { try Self.checkSize(ofIDToken: token) } catch {
            size.refusal = ServiceCheck.Refusal(error)
        }
        let verified = try await WebIdentityVerifier(cloud: cloud, names: names, issuers: issuers)
            .checks(ofIDToken: token, by: .provider(provider))
        return [size]
            + verified.map { check in ServiceCheck(check, refusal: { ServiceCheck.Refusal(RPCError($0)) }) }
    }
}

extension RPCError {
    /// Translates the error of a rejected token. (STS API Reference, "AssumeRoleWithOIDC", "Error codes"; the messages with the code
    /// `Invalid` are Virga's wording.)
    fileprivate init(_ error: WebIdentityError) {
        func fail(_ code: String, _ message: String) -> RPCError {
            RPCError("AuthenticationFail.OIDCToken.\(code)", .unauthorized, message)
        }
        self =
            switch error {
            case .expired: fail("Expired", "This JsonWebToken is expired.")
            case .audienceNotAccepted: fail("AudienceNotMatch", "Invalid audience.")
            case .notValidated, .noVerificationKey: fail("InvalidSignature", "OIDC token validate failed: invalid signature.")
            case .unreachableProvider: fail("Invalid", "The keys of the identity provider could not be fetched.")
            case .unknownIssuer: fail("Invalid", "The issuer of the token is not that of the identity provider.")
            case .missingClaim(let name), .emptyClaim(let name): fail("Invalid", "The token lacks the claim \(name).")
            case .malformedClaim(let name): fail("Invalid", "The claim \(name) of the token is malformed.")
            case .issuedInTheFuture, .notYetValid: fail("Invalid", "The token is not valid yet.")
            case .issuedTooLongAgo: fail("Invalid", "The token was issued longer ago than the identity provider allows.")
            case .notAToken, .malformedTimestamp, .severalAudiences, .roleNotNamed, .malformedSessionClaim, .unrecognizedProvider,
                .notALoginWithAmazonToken, .rejected:
                fail("Invalid", "The token is malformed.")
            }
    }
}
