import AWSIdentityFaces
import Calls
import CognitoFaces
import Federation
import GatewayFace
import HTTPTypes
import RequestSigning
import WireFormats

extension Route {
    /// Rule 3: the service in the credential scope. Version 2 signatures belong to S3.
    static func bySignature(_ facts: RoutingFacts) -> Route? {
        if let authorization = facts.authorization {
            // Some calls of Amazon Cognito need no signature, and a wrong one changes nothing.
            if facts.method == .post, facts.path == "/", let target = facts.header(.amazonTarget) {
                if target.hasPrefix(poolTarget) { return Route(.identityPools) }
                if target.hasPrefix(userPoolTarget) { return Route(.userPools) }
            }
            if authorization.begins(with: "AWS4-") { return byScope(inHeader: authorization, facts) }
            if let row = RoutingIndex.schemes.first(where: { authorization.hasPrefix($0.text) }) { return Route(row.endpoint) }
        }
        if facts.header(.acsAction) != nil { return Route(.alibabaRPC) }
        guard !facts.query.isEmpty else { return nil }
        if let row = RoutingIndex.parameters.first(where: { facts.hasParameter($0.text) }) { return Route(row.endpoint) }
        // Requests of the Query protocol also present a key like this, but with an action.
        if facts.hasParameter("AWSAccessKeyId="), facts.hasParameter("Signature="), !facts.hasParameter("Action=") {
            return .s3(bucketFromHost: nil)
        }
        guard facts.queryContains("X-Amz-Credential="), var credential = facts.queryFields?.first("X-Amz-Credential")
        else { return nil }
        return credential.withUTF8 { byScope($0[...], facts) }
    }

    private static let poolTarget = IdentityPoolsFace.target + "."
    private static let userPoolTarget = UserPoolsFace.target + "."

    /// Finds the scope in `AWS4-HMAC-SHA256 Credential=…, …`. It is read in place, since every signed request needs it.
    private static func byScope(inHeader authorization: String, _ facts: RoutingFacts) -> Route? {
        var authorization = authorization
        return authorization.withUTF8 { bytes -> Route? in
            let label: StaticString = "Credential="
            let length = label.utf8CodeUnitCount
            var start = bytes.place(of: label.utf8Start[0], from: 0)
            while start + length <= bytes.count {
                let isLabel = label.withUTF8Buffer { label in
                    for index in 0..<length where bytes[start + index] != label[index] { return false }
                    return true
                }
                if isLabel {
                    let rest = bytes[(start + length)...]
                    return byScope(rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") }, facts)
                }
                start = bytes.place(of: label.utf8Start[0], from: start + 1)
            }
            return .s3(bucketFromHost: nil)
        }
    }

    /// Routes by the service in `key/date/region/service/aws4_request`. Key IDs may contain slashes, so it counts from the end. If the
    /// client left the service empty or took it from the host name, the parameters decide.
    private static func byScope(_ credential: Slice<UnsafeBufferPointer<UInt8>>, _ facts: RoutingFacts) -> Route? {
        let slash = UInt8(ascii: "/")
        guard let terminator = credential.lastIndex(of: slash), let start = credential[..<terminator].lastIndex(of: slash),
            let region = credential[..<start].lastIndex(of: slash), credential[..<region].contains(slash)
        else { return .s3(bucketFromHost: nil) }
        let service = String(decoding: credential[(start + 1)..<terminator], as: UTF8.self)
        if service == "s3-outposts", facts.path.hasPrefix("/S3Outposts/") { return .unavailable(service: service) }
        if let endpoint = RoutingIndex.endpoint(ofScope: service) { return Route(endpoint) }
        if let route = facts.forwarded(service) { return route }
        if service == CredentialScope.namelessService || CredentialScope.isLabel(service, ofHost: facts.host) { return nil }
        return .unavailable(service: service)
    }

    /// Rule 4: an unsigned request of the Query protocol or RPC, with parameters in the query or a form. They are always sent to the root.
    static func byAction(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/" else { return nil }
        // A preflight request for a page's call of STS, the only one of these services that supports CORS.
        if facts.method == .options, facts.header(.accessControlRequestMethod) == "POST" { return Route(.sts) }
        // Services with the AWS JSON protocol; some of their calls need no signature.
        if facts.method == .post, let target = facts.header(.amazonTarget) {
            let service = String(target.prefix { $0 != "." })
            return RoutingIndex.endpoint(ofTarget: service).map { Route($0) } ?? facts.forwarded(service) ?? .unavailable(service: service)
        }
        if !facts.query.isEmpty, facts.queryContains("Action="), let fields = facts.queryFields {
            let (action, version) = (fields.first("Action"), fields.first("Version"))
            if let route = byVersion(action: action, version: version, facts.upstreams) { return route }
        }
        let isForm = facts.contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        return facts.method == .post && isForm ? Route(.form) : nil
    }

    private static func byVersion(action: String?, version: String?, _ upstreams: Upstreams?) -> Route? {
        guard action != nil, let version else { return nil }
        if let endpoint = RoutingIndex.endpoint(ofVersion: version) { return Route(endpoint) }
        return upstreams?.service(marked: version).map { .forwarded(service: $0) }
    }

    /// Rule 4 for a form: routes an unsigned `Action`. Any other form at `/` goes to S3.
    /// - Parameter upstreams: the services that are forwarded; `nil` if none is.
    init(action: String?, version: String?, upstreams: Upstreams? = nil) {
        self = Route.byVersion(action: action, version: version, upstreams) ?? .s3(bucketFromHost: nil)
    }
}

extension HTTPField.Name {
    /// The action of a request with Alibaba Cloud's ACS3 signature.
    fileprivate static let acsAction = HTTPField.Name(literal: "x-acs-action")
}
