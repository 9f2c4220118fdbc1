import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

extension Route {
    /// Rule 2: the host of a real service, a host below a name of this process, or a bucket's own host.
    static func byHost(_ facts: RoutingFacts) -> Route? {
        // The loopback address, which most clients use, names no service.
        if HostNames.isLoopback(facts.host) { return nil }
        if let kind = facts.residents.vendingMachineOfHost(facts.host) { return .vendingMachine(kind, path: facts.path) }
        if let route = byIssuer(facts) { return route }
        if let route = byIdentityCenter(facts) { return route }
        if let route = byUserPoolDomain(facts) { return route }
        switch HostRoute(facts.host, names: facts.names) {
        case .endpoint(.oss, name: nil): return bucketCalledAsEndpoint(facts) ?? .oss(bucketFromHost: nil)
        case .endpoint(let endpoint, let name):
            let seesPath = endpoint == .identityProvider || endpoint == .outboundIssuer
            return Route(endpoint, name: name, path: seesPath ? facts.path : "")
        case .absent(let service):
            return bySignature(facts) ?? RoutingIndex.endpoint(ofScope: service).map { Route($0) } ?? facts.forwarded(service)
                ?? .unavailable(service: service)
        case .maybe(let bucket):
            if let mapped = facts.residents.bucketOfHost(facts.host) { return .oss(bucketFromHost: mapped) }
            if let kind = vendingMachine(labels: bucket), facts.residents.hasVendingMachine(kind) {
                return .vendingMachine(kind, path: facts.path)
            }
            if facts.residents.isBucket(bucket) { return store(facts, bucketFromHost: bucket) }
            return concernsBucketOfHost(facts) ? store(facts, bucketFromHost: bucket) : nil
        case .none:
            guard facts.host.contains("."), !facts.names.contains(facts.host) else { return nil }
            // A custom domain (OSS User Guide, "Access OSS through a custom domain name").
            if let mapped = facts.residents.bucketOfHost(facts.host) { return .oss(bucketFromHost: mapped) }
            // A bucket whose name is the host is addressed by the host alone. (Amazon S3 User Guide, "Virtual hosting", "Customizing Amazon
            // S3 URLs with CNAME records".)
            guard facts.residents.isBucket(facts.host) else { return nil }
            return .s3(bucketFromHost: facts.host)
        }
    }

    /// Matches the host of an issuer's canonical name, except signed requests and those for a bucket that the host names.
    private static func byIssuer(_ facts: RoutingFacts) -> Route? {
        guard let place = facts.residents.issuer(atHost: facts.host, path: facts.path),
            EmulatedHosts.identityProviders[facts.host] == nil, !facts.names.contains(facts.host), bySignature(facts) == nil,
            !namesBucket(facts)
        else { return nil }
        return Route(.identityProvider, name: place.provider, path: place.path)
    }

    /// Matches the domains of user pools. A domain of the customer's own is not a name of this process or of another service.
    private static func byUserPoolDomain(_ facts: RoutingFacts) -> Route? {
        let isOfCognito = facts.host.hasSuffix("." + UserPoolDomain.suffix)
        guard let pool = facts.residents.userPool(ofDomain: facts.host) else {
            return isOfCognito ? Route(.userPools, name: "", path: facts.path) : nil
        }
        guard isOfCognito || !facts.names.contains(facts.host) && !EmulatedHosts.contains(facts.host) else { return nil }
        return Route(.userPools, name: pool, path: facts.path)
    }

    /// Matches the hosts of IAM Identity Center. They also have the pages of issuers, to which its own paths lead.
    private static func byIdentityCenter(_ facts: RoutingFacts) -> Route? {
        guard facts.residents.isIdentityCenter(host: facts.host), bySignature(facts) == nil else { return nil }
        return facts.path.hasPrefix(IssuerPaths.own) ? byPath(facts) : Route(.credentials)
    }

    /// Matches a path of an issuer whose host is also an alias of this process. There, buckets and the services come first.
    static func byAliasOfIssuer(_ facts: RoutingFacts) -> Route? {
        guard facts.path != "/", facts.names.aliases.contains(facts.host),
            let place = facts.residents.issuer(atHost: facts.host, path: facts.path),
            !facts.residents.isBucket(String(facts.path.dropFirst().prefix { $0 != "/" }))
        else { return nil }
        return Route(.identityProvider, name: place.provider, path: place.path)
    }

    /// Returns whether a host names a bucket that exists.
    private static func namesBucket(_ facts: RoutingFacts) -> Bool {
        let residents = facts.residents
        if residents.isBucket(facts.host) || residents.bucketOfHost(facts.host) != nil { return true }
        return switch HostRoute(facts.host, names: facts.names) {
        case .endpoint(.s3, let name?), .endpoint(.oss, let name?), .endpoint(.website, let name?), .maybe(let name):
            residents.isBucket(name)
        default: false
        }
    }

    /// Resolves hosts such as `oss-my-files` before a name of this process, which may be a bucket or an OSS endpoint.
    private static func bucketCalledAsEndpoint(_ facts: RoutingFacts) -> Route? {
        guard !facts.host.hasSuffix(".\(EmulatedHosts.alibabaSuffix)") else { return nil }
        let label = String(facts.host.prefix { $0 != "." })
        if facts.residents.isBucket(label) { return store(facts, bucketFromHost: label) }
        guard bySignature(facts) == .s3(bucketFromHost: nil) else { return nil }
        return .s3(bucketFromHost: concernsBucketOfHost(facts) ? label : nil)
    }

    /// Returns the token vending machine for `anonymous.tvm` or `identity.tvm` before a name of this process.
    private static func vendingMachine(labels: String) -> VendingMachines.Kind? {
        labels.hasSuffix(".tvm") ? VendingMachines.Kind(rawValue: String(labels.dropLast(4))) : nil
    }

    /// Returns whether a signed request means the bucket of its host, even if it does not exist yet. At `/`, only a listing of all buckets
    /// does not. At other paths, only a request whose path names an existing bucket or creates one does not.
    private static func concernsBucketOfHost(_ facts: RoutingFacts) -> Bool {
        switch bySignature(facts)?.endpoint {
        case .s3:
            guard facts.path == "/" else { return !namesBucketInPath(facts) }
            return facts.method != .get || !RawQuery(facts.query).items.allSatisfy(isOfBucketListing)
        case .oss:
            guard facts.path == "/" else { return false }
            return facts.method != .get || ["list-type=", "location", "uploads", "versions"].contains(where: facts.queryContains)
        default: return false
        }
    }

    /// Returns whether a parameter belongs to ListBuckets or to a signature. (S3 API Reference, ListBuckets.)
    private static func isOfBucketListing(_ item: RawQuery.Item) -> Bool {
        switch item.name {
        case "bucket-region", "continuation-token", "max-buckets", "prefix": true
        case "x-id": item.value == "ListBuckets"
        case "AWSAccessKeyId", "Expires", "Signature": true
        default: item.name.hasPrefix("X-Amz-") || item.name.hasPrefix("x-amz-")
        }
    }

    /// Returns whether the path begins with an existing bucket, or is the name of a bucket to create.
    private static func namesBucketInPath(_ facts: RoutingFacts) -> Bool {
        let rest = facts.path.dropFirst()
        let name = rest.prefix { $0 != "/" }
        if facts.residents.isBucket(String(name)) { return true }
        return facts.method == .put && rest.utf8.count - name.utf8.count <= 1 && (3...63).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
            && !writesObject(facts)
    }

    /// Returns whether a PUT must be for an object and not create a bucket: it has headers about the body's checksum or encoding, or the
    /// query names the operation, as some SDKs do.
    private static func writesObject(_ facts: RoutingFacts) -> Bool {
        HTTPField.Name.ofObjects.contains { facts.header($0) != nil } || facts.hasParameter("x-id=PutObject")
    }

    /// Chooses S3 or OSS by what the request presents or, if it presents nothing, by the bucket's owner.
    private static func store(_ facts: RoutingFacts, bucketFromHost bucket: String) -> Route {
        switch (bySignature(facts) ?? byDialect(facts))?.endpoint {
        case .oss: .oss(bucketFromHost: bucket)
        case nil where facts.residents.isOSSBucket(bucket): .oss(bucketFromHost: bucket)
        default: .s3(bucketFromHost: bucket)
        }
    }
}

extension HTTPField.Name {
    /// Headers of requests that write an object.
    fileprivate static let ofObjects = [
        "x-amz-sdk-checksum-algorithm", "x-amz-decoded-content-length", "x-amz-copy-source", "x-amz-storage-class", "x-amz-tagging",
        "x-amz-server-side-encryption", "if-none-match", "if-match",
    ].map { HTTPField.Name(constant: $0) }
}
