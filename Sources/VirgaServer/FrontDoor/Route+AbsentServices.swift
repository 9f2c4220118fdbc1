import Calls
import HTTPTypes
import WireFormats

extension Route {
    /// Matches unsigned calls of AWS services that are not here: those of the access portal by their token, those of IAM Identity Center's OIDC
    /// service and of AWS Sign-In by path and content type. (Their API references; S3 has no unsigned POST of JSON.)
    static func byUnsignedCall(_ facts: RoutingFacts) -> Route? {
        if facts.header(.portalToken) != nil { return .unavailable(service: "awsssoportal") }
        guard facts.method == .post, let type = facts.contentType?.lowercased(),
            type.hasPrefix("application/json") || type.hasPrefix("application/x-amz-json-")
        else { return nil }
        return switch facts.path {
        case "/client/register", "/device_authorization", "/token": .unavailable(service: "sso-oauth")
        case "/v1/token": .unavailable(service: "signin")
        default: nil
        }
    }
}

extension HTTPField.Name {
    /// The access token of a call to the access portal.
    fileprivate static let portalToken = HTTPField.Name(literal: "x-amz-sso_bearer_token")
}
