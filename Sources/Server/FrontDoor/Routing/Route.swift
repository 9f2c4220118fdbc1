import Calls
import Directory
import HTTPTypes
import WireFormats

/// The destination of a request, and what its address says besides.
struct Route: Equatable {
    let endpoint: Endpoint
    /// The bucket of the host, the identity provider, the issuer, or the service that is forwarded or not implemented; `nil` if the address
    /// has no name.
    let name: String?
    /// The path that the endpoint sees: the rest after a prefix, or the whole path if the request uses the real service's host. It is empty
    /// for endpoints that read the path of the request.
    let path: String

    init(_ endpoint: Endpoint, name: String? = nil, path: String = "") {
        (self.endpoint, self.name, self.path) = (endpoint, name, path)
    }

    /// S3, with the bucket that the host names, if it does.
    static func s3(bucketFromHost bucket: String?) -> Route { Route(.s3, name: bucket) }

    /// OSS, with the bucket that the host names, if it does.
    static func oss(bucketFromHost bucket: String?) -> Route { Route(.oss, name: bucket) }

    /// A service whose calls go to another server.
    static func forwarded(service: String) -> Route { Route(.forwarded, name: service) }

    /// A service that is not implemented.
    static func unavailable(service: String) -> Route { Route(.unavailable, name: service) }

    /// A token vending machine; the path below it.
    static func vendingMachine(_ kind: VendingMachines.Kind, path: String) -> Route {
        switch kind {
        case .anonymous: Route(.anonymousVendingMachine, path: path)
        case .identity: Route(.identityVendingMachine, path: path)
        }
    }

    /// Whether the host names a bucket and serves nothing else.
    var isOfBucketHost: Bool {
        switch endpoint {
        case .s3, .oss, .website: name != nil
        default: false
        }
    }
}

extension Route {
    /// Routes a request. The first matching rule applies.
    init(_ facts: RoutingFacts) {
        self =
            Route.byControlPath(facts) ?? Route.byAccount(facts) ?? Route.byHost(facts) ?? Route.byBrowser(facts)
            ?? Route.bySignature(facts) ?? Route.byAction(facts) ?? Route.byPath(facts) ?? Route.byAliasOfIssuer(facts)
            ?? Route.byUnsignedCall(facts) ?? Route.byDialect(facts) ?? Route.byProbe(facts)
            ?? .s3(bucketFromHost: nil)
    }

    /// Rule 1: the control API and the web console, except at a host that names a bucket.
    private static func byControlPath(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/_virga" || facts.path.begins(with: "/_virga/") else { return nil }
        // A page in a bucket must not share its origin with the control API.
        if let route = byHost(facts), route.isOfBucketHost { return nil }
        let path = String(facts.path.dropFirst("/_virga".count))
        guard path == "/ui" || path.hasPrefix("/ui/") else { return Route(.control, path: path) }
        return Route(.consolePages, path: String(path.dropFirst("/ui".count)))
    }

    /// Matches requests of S3 Control for an account, which is not implemented. They are signed like S3 requests, and clients put the
    /// account before the configured host. (Amazon S3 API Reference, "Amazon S3 Control", GetPublicAccessBlock.)
    private static func byAccount(_ facts: RoutingFacts) -> Route? {
        guard facts.path.begins(with: "/v20180820/"), facts.header(.accountID) != nil else { return nil }
        return .unavailable(service: "s3-control")
    }
}

extension HTTPField.Name {
    /// The account of an S3 Control request.
    fileprivate static let accountID = HTTPField.Name(literal: "x-amz-account-id")
}
