import Calls
import Directory
import Federation
import GatewayFace
import HTTPTypes
import Testing

@testable import VirgaServer

/// A request and its route. The first matching rule applies.
struct RouteRow: Sendable, CustomTestStringConvertible {
    var method = HTTPRequest.Method.get
    var host = "localhost"
    var path = "/"
    var query = ""
    var authorization: String?
    var contentType: String?
    var agent: String?
    /// The header `x-amz-sdk-checksum-algorithm`.
    var checksum: String?
    /// The header `X-Amz-Target`.
    var target: String?
    /// The header `x-amz-account-id`.
    var account: String?
    /// The services that are forwarded.
    var upstreams: Upstreams?
    var route: Route

    var testDescription: String { "\(method) \(host) \(path)?\(query) \(authorization ?? "") → \(route)" }

    static let form = "application/x-www-form-urlencoded"

    static func signed(_ service: String, key: String = "test") -> String {
        "AWS4-HMAC-SHA256 Credential=\(key)/20261121/us-east-1/\(service)/aws4_request, SignedHeaders=host, Signature=0"
    }

    static func presigned(_ service: String) -> String {
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20261121%2Fus-east-1%2F\(service)%2Faws4_request"
    }

    /// Expects that the request has the route.
    func check() { #expect(found == route) }

    /// The route of the request, in a cloud with buckets, a provider, token vending machines and an app server.
    var found: Route {
        var headers = HTTPFields()
        headers[.userAgent] = agent
        headers[HTTPField.Name(literal: "x-amz-sdk-checksum-algorithm")] = checksum
        headers[HTTPField.Name(literal: "x-amz-account-id")] = account
        headers[HTTPField.Name(literal: "x-amz-target")] = target
        let facts = RoutingFacts(
            method: method, host: host, path: path, query: query, authorization: authorization,
            contentType: contentType,
            names: HostNames(aliases: ["storage.example", "deep.storage.example"]),
            headers: headers, residents: FewResidents(), upstreams: upstreams)
        return Route(facts)
    }
}

extension Route {
    static let s3Unavailable = Route(.s3Unavailable)
    static let sts = Route(.sts)
    static let iam = Route(.iam)
    static let alibabaRPC = Route(.alibabaRPC)
    static let appServer = Route(.appServer)
    static let webFinger = Route(.webFinger)
    static let form = Route(.form)
    static let localStackHealth = Route(.localStackHealth)
    static let console = Route(.consoleEntrance)

    static func control(path: String) -> Route { Route(.control, path: path) }
    static func website(bucket: String) -> Route { Route(.website, name: bucket) }
    static func identityProvider(name: String, path: String) -> Route { Route(.identityProvider, name: name, path: path) }
    static func outboundIssuer(id: String, path: String) -> Route { Route(.outboundIssuer, name: id, path: path) }
}

/// A stub with buckets of both clouds, a provider, token vending machines and an app server.
private struct FewResidents: Residents {
    func isBucket(_ name: String) -> Bool {
        ["known", "files.example.org", "auth", "harbour", "mapped", "oss-my-files"].contains(name)
    }
    func isOSSBucket(_ name: String) -> Bool { ["harbour", "mapped"].contains(name) }
    func isS3Bucket(_ name: String) -> Bool { name == "known" }
    func bucketOfHost(_ host: String) -> String? { ["files.example.net", "cdn.localhost"].contains(host) ? "mapped" : nil }
    func isProvider(_ name: String) -> Bool { name == "demorealm" }
    func issuer(atHost host: String, path: String) -> IssuerPlace? {
        let isIssuer = ["login.company.example", "known.s3.amazonaws.com", "storage.example"].contains(host)
        return isIssuer && path.hasPrefix("/issuer/") ? IssuerPlace(provider: "company", path: String(path.dropFirst(7))) : nil
    }
    func hasMobileBackends() -> Bool { false }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { true }
    func hasInstances() -> Bool { true }
    func hasTasks() -> Bool { true }
    func hasIdentityCenter() -> Bool { true }
    func isIdentityCenter(host: String) -> Bool {
        ["oidc.us-east-1.amazonaws.com", "portal.sso.us-east-1.amazonaws.com", "d-0123456789.awsapps.com"].contains(host)
    }
    func userPool(ofDomain host: String) -> String? {
        ["lighthouse.auth.us-east-1.amazoncognito.com", "sign-in.lighthouse.example", "storage.example"].contains(host)
            ? "us-east-1_AbC" : nil
    }
    func isAppServer(_ path: String) -> Bool { path == "/sign" }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { host == "vending.example" ? .anonymous : nil }
    func samlProvider() -> String? { "company" }
}
