import AWSIdentityFaces
import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import MobileCloudFace
import OSSFace
import RequestSigning
import WireFormats

/// The destination of a request.
enum Route: Equatable {
    /// The control API; the path after `/_virga`.
    case control(path: String)
    /// S3, with the bucket that the host names, if any.
    case s3(bucketFromHost: String?)
    /// The website of a bucket that the host names.
    case website(bucket: String)
    /// A part of S3 that is not implemented, recognized by the host or the scope of the signature.
    case s3Unavailable
    case sts
    case iam
    /// OSS, with the bucket that the host names, if it does.
    case oss(bucketFromHost: String?)
    /// Alibaba Cloud's STS, RAM or IMS.
    case alibabaRPC
    /// The app server.
    case appServer
    /// A service whose requests are signed but which is not implemented.
    case unavailable(service: String)
    /// An identity provider; the path after `/idp/<name>`, or the whole path if the request uses the real service's host.
    case identityProvider(name: String, path: String)
    /// WebFinger, which returns the issuer of a user.
    case webFinger
    /// The issuer of an account's tokens for external services; the path after its URL.
    case outboundIssuer(id: String, path: String)
    /// Oracle Mobile Cloud Service.
    case mobileCloud
    /// A token vending machine; the path below it.
    case vendingMachine(VendingMachines.Kind, path: String)
    /// An unsigned form at `/`, routed by its `Version`, see ``Route/init(action:version:)``.
    case form
    /// The icon that browsers request from every host; there is none.
    case icon
    /// The health path of LocalStack.
    case localStackHealth
    /// A browser that opens the root of this process, which is sent to the web console.
    case console
}

extension Route {
    /// Routes a request. The first matching rule applies.
    init(_ facts: RoutingFacts) {
        self =
            Route.byControlPath(facts) ?? Route.byAccount(facts) ?? Route.byHost(facts) ?? Route.byBrowser(facts)
            ?? Route.bySignature(facts) ?? Route.byAction(facts) ?? Route.byPath(facts) ?? Route.byUnsignedCall(facts)
            ?? Route.byDialect(facts) ?? Route.byProbe(facts)
            ?? .s3(bucketFromHost: nil)
    }

    /// Rule 4 for a form: routes an unsigned `Action`. Any other form at `/` goes to S3.
    init(action: String?, version: String?) {
        self = Route.byVersion(action: action, version: version) ?? .s3(bucketFromHost: nil)
    }

    /// Rule 1: the control API, except at a host that names a bucket.
    private static func byControlPath(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/_virga" || facts.path.begins(with: "/_virga/") else { return nil }
        // A page in a bucket must not share its origin with the control API.
        if let route = byHost(facts), route.isOfBucketHost { return nil }
        return .control(path: String(facts.path.dropFirst("/_virga".count)))
    }

    /// Matches requests of S3 Control for an account, which is not implemented. They are signed like S3 requests, and clients put the
    /// account before the configured host. (Amazon S3 API Reference, "Amazon S3 Control", GetPublicAccessBlock.)
    private static func byAccount(_ facts: RoutingFacts) -> Route? {
        guard facts.path.begins(with: "/v20180820/"), facts.header(.accountID) != nil else { return nil }
        return .unavailable(service: "s3-control")
    }

    /// Whether the request goes to the control API.
    var isControl: Bool {
        if case .control = self { true } else { false }
    }

    /// Rule 2: the host of a real service, a host below a name of this process, or a bucket's own host.
    private static func byHost(_ facts: RoutingFacts) -> Route? {
        // The loopback address, which most clients use, names no service.
        if HostNames.isLoopback(facts.host) { return nil }
        if let kind = facts.residents.vendingMachineOfHost(facts.host) { return .vendingMachine(kind, path: facts.path) }
        switch HostRoute(facts.host, names: facts.names) {
        case .s3(let bucket): return .s3(bucketFromHost: bucket)
        case .website(let bucket): return .website(bucket: bucket)
        case .s3Unavailable: return .s3Unavailable
        case .s3Control: return .unavailable(service: "s3-control")
        case .absent(let service): return bySignature(facts) ?? .unavailable(service: service)
        case .sts: return .sts
        case .iam: return .iam
        case .oss(bucket: nil): return bucketCalledAsEndpoint(facts) ?? .oss(bucketFromHost: nil)
        case .oss(let bucket): return .oss(bucketFromHost: bucket)
        case .alibabaRPC: return .alibabaRPC
        case .identityProvider(let name): return .identityProvider(name: name, path: facts.path)
        case .outboundIssuer(let id): return .outboundIssuer(id: id, path: facts.path)
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
        switch bySignature(facts) {
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
        HTTPField.Name.ofObjects.contains { facts.header($0) != nil } || has("x-id=PutObject", facts)
    }

    /// Chooses S3 or OSS by what the request presents or, if it presents nothing, by the bucket's owner.
    private static func store(_ facts: RoutingFacts, bucketFromHost bucket: String) -> Route {
        switch bySignature(facts) ?? byDialect(facts) {
        case .oss: .oss(bucketFromHost: bucket)
        case nil where facts.residents.isOSSBucket(bucket): .oss(bucketFromHost: bucket)
        default: .s3(bucketFromHost: bucket)
        }
    }

    /// Rule 3: the service in the credential scope. Version 2 signatures belong to S3.
    private static func bySignature(_ facts: RoutingFacts) -> Route? {
        if let authorization = facts.authorization {
            if authorization.begins(with: "AWS4-") { return byScope(inHeader: authorization, facts) }
            if authorization.begins(with: "AWS ") { return .s3(bucketFromHost: nil) }
            if authorization.begins(with: "OSS ") || authorization.begins(with: "OSS2 ") || authorization.begins(with: "OSS4-") {
                return .oss(bucketFromHost: nil)
            }
            if authorization.begins(with: "ACS3-") { return .alibabaRPC }
        }
        if facts.header(.acsAction) != nil { return .alibabaRPC }
        guard !facts.query.isEmpty else { return nil }
        if has("x-oss-signature-version=", facts) || has("OSSAccessKeyId=", facts) { return .oss(bucketFromHost: nil) }
        // Requests of the Query protocol also present a key like this, but with an action.
        if has("AWSAccessKeyId=", facts), has("Signature=", facts), !has("Action=", facts) {
            return .s3(bucketFromHost: nil)
        }
        guard facts.queryContains("X-Amz-Credential="), var credential = facts.queryFields?.first("X-Amz-Credential")
        else { return nil }
        return credential.withUTF8 { byScope($0[...], facts) }
    }

    /// Returns whether the query has a parameter whose name begins like this. A value that contains the text does not match.
    private static func has(_ name: String, _ facts: RoutingFacts) -> Bool {
        facts.query.utf8.starts(with: name.utf8) || facts.queryContains("&" + name)
    }

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
        switch service {
        case "sts": return .sts
        case "iam": return .iam
        case "s3": return .s3(bucketFromHost: nil)
        case "s3-outposts" where facts.path.hasPrefix("/S3Outposts/"): return .unavailable(service: service)
        case "s3express", "s3-object-lambda", "s3-outposts": return .s3Unavailable
        case CredentialScope.namelessService: return nil
        case let label where CredentialScope.isLabel(label, ofHost: facts.host): return nil
        default: return .unavailable(service: service)
        }
    }

    /// Rule 4: an unsigned request of the Query protocol or RPC, with parameters in the query or a form. They are always sent to the root.
    private static func byAction(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/" else { return nil }
        // A preflight request for a page's call of STS, the only one of these services that supports CORS.
        if facts.method == .options, facts.header(.accessControlRequestMethod) == "POST" { return .sts }
        // Services with the AWS JSON protocol; some of their calls need no signature.
        if facts.method == .post, let target = facts.header(.amazonTarget) {
            return .unavailable(service: String(target.prefix { $0 != "." }))
        }
        if !facts.query.isEmpty, facts.queryContains("Action="), let fields = facts.queryFields {
            if let route = byVersion(action: fields.first("Action"), version: fields.first("Version")) { return route }
        }
        let isForm = facts.contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        return facts.method == .post && isForm ? .form : nil
    }

    private static func byVersion(action: String?, version: String?) -> Route? {
        guard action != nil else { return nil }
        return switch version {
        case "2011-06-15": .sts
        case "2010-05-08": .iam
        case "2015-04-01", "2015-05-01", "2019-08-15": .alibabaRPC
        default: nil
        }
    }

    /// Rule 5: a path that belongs to a service.
    private static func byPath(_ facts: RoutingFacts) -> Route? {
        if let (name, path) = split(facts.path, after: "/idp/") { return .identityProvider(name: name, path: path) }
        if OSSFace.isPublicKey(facts.path) { return .oss(bucketFromHost: nil) }
        if facts.path == WellKnownPath.webFinger { return .webFinger }
        if let metadata = WellKnownPath(facts.path) {
            let issuer = IssuerPaths.realm(in: metadata.issuerPath).map { ($0.name, $0.rest) } ?? split(metadata.issuerPath, after: "/idp/")
            guard let (name, rest) = issuer, rest.isEmpty else { return nil }
            return .identityProvider(name: name, path: metadata.document)
        }
        if let realm = IssuerPaths.realm(in: facts.path) {
            // A bucket may have the name with which Keycloak's paths begin. Then only existing realms match.
            let first = facts.path.dropFirst().prefix { $0 != "/" }
            guard facts.residents.isProvider(realm.name) || !facts.residents.isBucket(String(first)) else { return nil }
            return .identityProvider(name: realm.name, path: realm.rest)
        }
        if let (id, path) = split(facts.path, after: OutboundIssuer.path) { return .outboundIssuer(id: id, path: path) }
        if let (name, path) = split(facts.path, after: "/tvm/"), let kind = VendingMachines.Kind(rawValue: name),
            facts.residents.hasVendingMachine(kind)
        {
            return .vendingMachine(kind, path: path)
        }
        if facts.residents.isAppServer(facts.path) { return .appServer }
        if MobileCloudFace.answers(facts.path, hasBackends: facts.residents.hasMobileBackends()),
            facts.residents.hasMobileBackends() || !facts.residents.isBucket("mobile")
        {
            return .mobileCloud
        }
        if SAMLPaths.areFixed(facts.path), let name = facts.residents.samlProvider() {
            return .identityProvider(name: name, path: facts.path)
        }
        return nil
    }

    /// Rule 6: a feature that only OSS has, or a bucket that is visible only through OSS.
    private static func byDialect(_ facts: RoutingFacts) -> Route? {
        if facts.hasOSSHeader() || has("x-oss-", facts) { return .oss(bucketFromHost: nil) }
        if let agent = facts.header(.userAgent), ossAgents.contains(where: agent.hasPrefix) { return .oss(bucketFromHost: nil) }
        let bucket = String(facts.path.dropFirst().prefix { $0 != "/" })
        // S3 ignores unknown parameters, so requests for its buckets may have any.
        let asksForOSS = facts.query.utf8.split(separator: UInt8(ascii: "&")).contains { part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            return name.count <= longestOSSSubResource && ossSubResources.contains(Substring(name))
        }
        if asksForOSS, !facts.residents.isS3Bucket(bucket) {
            return .oss(bucketFromHost: nil)
        }
        return !bucket.isEmpty && facts.residents.isOSSBucket(bucket) ? .oss(bucketFromHost: nil) : nil
    }

    /// The user agents of the OSS SDKs.
    private static let ossAgents = ["aliyun-sdk-", "alibabacloud-"]
    /// Sub-resources that S3 does not have.
    private static let ossSubResources: Set<Substring> = ["append", "bucketInfo", "live", "objectMeta", "regions", "stat", "symlink"]

    private static let longestOSSSubResource = 10

    /// Returns the segment after a prefix, and the rest of the path.
    private static func split(_ path: String, after prefix: String) -> (String, String)? {
        guard path.hasPrefix(prefix) else { return nil }
        // Compares bytes, since every request to an identity provider needs it.
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        return (String(Substring(name)), String(Substring(rest[name.endIndex...])))
    }
}

extension HTTPField.Name {
    /// The action of a request with Alibaba Cloud's ACS3 signature.
    fileprivate static let acsAction = HTTPField.Name(literal: "x-acs-action")

    /// The account of an S3 Control request.
    fileprivate static let accountID = HTTPField.Name(literal: "x-amz-account-id")

    /// Headers of requests that write an object.
    fileprivate static let ofObjects = [
        "x-amz-sdk-checksum-algorithm", "x-amz-decoded-content-length", "x-amz-copy-source", "x-amz-storage-class", "x-amz-tagging",
        "x-amz-server-side-encryption", "if-none-match", "if-match",
    ].map { HTTPField.Name(constant: $0) }
}
