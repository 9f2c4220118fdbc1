import Calls
import Directory
import Federation
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
    /// The header `x-amz-account-id`.
    var account: String?
    var route: Route

    var testDescription: String { "\(method) \(host) \(path)?\(query) \(authorization ?? "") → \(route)" }

    static let form = "application/x-www-form-urlencoded"

    static func signed(_ service: String, key: String = "test") -> String {
        "AWS4-HMAC-SHA256 Credential=\(key)/20261121/us-east-1/\(service)/aws4_request, SignedHeaders=host, Signature=0"
    }

    static func presigned(_ service: String) -> String {
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20261121%2Fus-east-1%2F\(service)%2Faws4_request"
    }

    /// Expects that the request has the route, in a cloud with buckets, a provider, token vending machines and an app server.
    func check() {
        var headers = HTTPFields()
        headers[.userAgent] = agent
        headers[HTTPField.Name(literal: "x-amz-sdk-checksum-algorithm")] = checksum
        headers[HTTPField.Name(literal: "x-amz-account-id")] = account
        let facts = RoutingFacts(
            method: method, host: host, path: path, query: query, authorization: authorization,
            contentType: contentType,
            names: HostNames(aliases: ["storage.example", "deep.storage.example"]),
            headers: headers, residents: FewResidents())
        #expect(Route(facts) == route)
    }
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
    func hasMobileBackends() -> Bool { false }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { true }
    func isAppServer(_ path: String) -> Bool { path == "/sign" }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { host == "vending.example" ? .anonymous : nil }
    func samlProvider() -> String? { "company" }
}
