import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations that enable and disable the account's own issuer. (IAM User Guide, "Getting started with outbound identity federation".)
    static let outboundFederation: [String: Operation] = [
        "DisableOutboundWebIdentityFederation": .authorized(disable), "EnableOutboundWebIdentityFederation": .authorized(enable),
        "GetOutboundWebIdentityFederationInfo": .authorized(getInfo),
    ]

    /// EnableOutboundWebIdentityFederation. The issuer keeps its name when it is enabled again.
    private static func enable(_ call: IAMCall) async throws -> QueryService.Result? {
        let (account, id) = (call.account, RequestID().uuid)
        let issuer = try await call.cloud.edit(saying: { ServiceError($0, account) }) { directory throws(OutboundIssuerRefusal) in
            try directory.enableOutboundIssuer(of: account, id: id)
        }
        let url = issuer.url(for: call.http)
        return { xml in xml.element("IssuerIdentifier", url) }
    }

    /// DisableOutboundWebIdentityFederation. Tokens that were issued can still be verified.
    private static func disable(_ call: IAMCall) async throws -> QueryService.Result? {
        let account = call.account
        try await call.cloud.edit(saying: { ServiceError($0, account) }) { directory throws(OutboundIssuerRefusal) in
            try directory.disableOutboundIssuer(of: account)
        }
        return nil
    }

    /// GetOutboundWebIdentityFederationInfo.
    private static func getInfo(_ call: IAMCall) async throws -> QueryService.Result? {
        guard let issuer = call.directory.accounts[call.account]?.outboundIssuer, issuer.isEnabled else {
            throw ServiceError.outboundFederationDisabled("disabled", call.account)
        }
        let url = issuer.url(for: call.http)
        return { xml in
            xml.element("IssuerIdentifier", url)
            xml.element("JwtVendingEnabled", true)
        }
    }
}

extension ServiceError {
    /// A refusal to switch the issuer of an account.
    fileprivate init(_ refusal: OutboundIssuerRefusal, _ account: String) {
        self =
            switch refusal {
            case .alreadyEnabled:
                ServiceError("FeatureEnabled", .conflict, "Outbound identity federation is already enabled for account \(account)")
            case .alreadyDisabled: .outboundFederationDisabled("already disabled", account)
            }
    }

    /// - Parameter state: how the refusal calls it.
    fileprivate static func outboundFederationDisabled(_ state: String, _ account: String) -> ServiceError {
        ServiceError("FeatureDisabled", .notFound, "Outbound identity federation is \(state) for account \(account)")
    }
}
