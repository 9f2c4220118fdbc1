package import Exchange
package import Federation
import HTTPTypes
package import Logging
import WireFormats

/// The Security Token Service over the AWS Query protocol.
/// (STS API Reference, version 2011-06-15; XML namespace `https://sts.amazonaws.com/doc/2011-06-15/`.)
package struct STSFace: Sendable {
    let service: QueryService
    var authenticator: Authenticator { service.authenticator }
    var tokens: SessionTokens { authenticator.sessions }

    /// - Parameter logger: hears of failures that are nobody's mistake but ours.
    package init(authenticator: Authenticator, logger: Logger) {
        // A SAML assertion has at most 100,000 characters, a session policy 2,048; everything else is small.
        service = QueryService(
            name: "sts", version: "2011-06-15", namespace: "https://sts.amazonaws.com/doc/2011-06-15/", bodyLimit: 256 << 10,
            authenticator: authenticator, logger: logger)
    }

    /// Answers one call.
    /// - Parameter form: the form, where the front door has read it already.
    package func respond(to exchange: Exchange, form: QueryForm?) async -> Response {
        await service.respond(to: exchange, form: form, perform: perform)
    }

    private func perform(_ call: QueryCall) async throws -> QueryService.Result? {
        guard Self.modelled.contains(call.action) else { throw service.unknown(call) }
        call.exchange.note(operation: call.action)
        switch call.action {
        case "AssumeRoleWithWebIdentity":
            return try await assumeRoleWithWebIdentity(AssumeRoleWithWebIdentityInput(call.fields), call.exchange).encode
        case "DecodeAuthorizationMessage": return try decodeAuthorizationMessage(call)
        case "GetCallerIdentity": return CallerIdentity(try service.authenticate(call)).encode
        default:
            throw QueryError("NotImplemented", .notImplemented, "The action \(call.action) is not implemented by this sandbox.")
        }
    }

    /// Every operation of the service's model; those that have no case above answer that they are not here.
    private static let modelled: Set<String> = [
        "AssumeRole", "AssumeRoleWithSAML", "AssumeRoleWithWebIdentity", "AssumeRoot", "DecodeAuthorizationMessage",
        "GetAccessKeyInfo", "GetCallerIdentity", "GetDelegatedAccessToken", "GetFederationToken", "GetSessionToken",
        "GetWebIdentityToken",
    ]
}

/// What `GetCallerIdentity` answers. Every caller with credentials may ask, whatever a policy says.
struct CallerIdentity {
    var userID: String
    var account: String
    var arn: String

    init(_ caller: Caller) {
        userID = caller.userID
        account = caller.account ?? ""
        arn = caller.arn ?? ""
    }

    func encode(into xml: inout XMLWriter) {
        xml.element("Arn", arn)
        xml.element("UserId", userID)
        xml.element("Account", account)
    }
}
