import Calls
import Federation
import WireFormats

extension STSFace {
    /// Returns the subject of the call's web identity token, as named in the journal; `nil` if the token is not valid.
    static func webIdentity(of call: ServiceCall, issuers: ForeignIssuers, _ dialect: Dialect) async -> String? {
        guard let token = call.fields.first("WebIdentityToken"),
            let account = call.fields.first("RoleArn").flatMap({ RoleName(arn: $0, dialect)?.account }),
            let identity = try? await WebIdentityVerifier(
                cloud: call.http.cloud, names: call.http.names, issuers: issuers, dialect: dialect.ofPolicies
            ).verify(token: token, providerID: call.fields.first("ProviderId"), account: account)
        else { return nil }
        return "\(identity.federatedPrincipal):\(identity.subject)"
    }
}
