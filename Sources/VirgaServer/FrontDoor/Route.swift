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

/// Where a request goes.
enum Route: Equatable {
    /// Path after `/_virga`.
    case control(path: String)
    /// With the bucket that the host names, if it does.
    case s3(bucketFromHost: String?)
    /// The website of a bucket, which its host names.
    case website(bucket: String)
    /// What S3 has and this process has not, by its host or the scope of its signatures.
    case s3Unavailable
    case sts
    case iam
    /// OSS, with the bucket that the host names, if it does.
    case oss(bucketFromHost: String?)
    /// Alibaba Cloud's STS, RAM or IMS.
    case alibabaRPC
    /// The business server of an app.
    case appServer
    /// A service that signs its requests but has no face here.
    case unavailable(service: String)
    /// Path after `/idp/<name>`, or the whole path where the real service's host was addressed.
    case identityProvider(name: String, path: String)
    /// Which issuer somebody logs in at.
    case webFinger
    /// The issuer of an account's tokens for services elsewhere; path after its URL.
    case outboundIssuer(id: String, path: String)
    /// Oracle Mobile Cloud Service.
    case mobileCloud
    /// A token vending machine; path below it.
    case vendingMachine(VendingMachines.Kind, path: String)
    /// An unsigned form at `/`: its `Version` decides, see ``Route/init(action:version:)``.
    case form
    /// The icon that a browser wants of every host, and that is not here.
    case icon
}

/// What of a request decides its route.
struct RoutingFacts {
    var method: HTTPRequest.Method
    /// Lower case, without port.
    var host: String
    var path: String
    var query: String
    var authorization: String?
    var contentType: String?
    /// What this process is called.
    var names = HostNames()
    var headers = HTTPFields()
    /// What the sandbox has.
    var residents: any Residents

    /// The first value of a header field.
    func header(_ name: HTTPField.Name) -> String? { headers[name] }

    /// Whether there is a header field of OSS's own.
    func hasOSSHeader() -> Bool { headers.contains { $0.name.canonicalName.hasPrefix("x-oss-") } }
}

/// What a sandbox has that paths and hosts can mean.
protocol Residents {
    /// Whether a bucket of this name exists; decides what `<name>.localhost` means.
    func isBucket(_ name: String) -> Bool
    /// Whether it is a bucket that only OSS shows.
    func isOSSBucket(_ name: String) -> Bool
    /// Whether it is a bucket that only S3 shows.
    func isS3Bucket(_ name: String) -> Bool
    /// The bucket that OSS finds under this host, or `nil` if it finds none.
    func bucketOfHost(_ host: String) -> String?
    /// Whether there is an identity provider of this name.
    func isProvider(_ name: String) -> Bool
    /// Whether the mobile cloud has any backend.
    func hasMobileBackends() -> Bool
    /// Whether there is a token vending machine of this kind.
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool
    /// Whether the app server answers at a path.
    func isAppServer(_ path: String) -> Bool
    /// The token vending machine that has a host of its own.
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind?
    /// The identity provider that the fixed paths of SAML mean, or `nil` if there is none.
    func samlProvider() -> String?
}

extension Route {
    /// The first rule that holds wins; the order is the plan of the front door.
    init(_ facts: RoutingFacts) {
        self =
            Route.byControlPath(facts) ?? Route.byAccount(facts) ?? Route.byHost(facts) ?? Route.bySignature(facts)
            ?? Route.byAction(facts) ?? Route.byPath(facts) ?? Route.byDialect(facts) ?? Route.byIcon(facts)
            ?? .s3(bucketFromHost: nil)
    }

    /// Rule 4 for a form: which service an unsigned `Action` is for. Anything else at `/` is for S3.
    init(action: String?, version: String?) {
        self = Route.byVersion(action: action, version: version) ?? .s3(bucketFromHost: nil)
    }

    /// What browsers ask every host for; no bucket, unless a request for it is signed.
    private static func byIcon(_ facts: RoutingFacts) -> Route? {
        facts.path == "/favicon.ico" && (facts.method == .get || facts.method == .head) ? .icon : nil
    }

    /// Rule 1: the control API, but at a host that names a bucket.
    private static func byControlPath(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/_virga" || facts.path.hasPrefix("/_virga/") else { return nil }
        // A page in a bucket must not share its origin with the control API.
        if let route = byHost(facts), route.isOfBucketHost { return nil }
        return .control(path: String(facts.path.dropFirst("/_virga".count)))
    }

    /// What is asked of an account at S3 Control, which has no face: it signs as S3 does, and clients put the account before whatever host
    /// they were given. (Amazon S3 API Reference, "Amazon S3 Control", GetPublicAccessBlock.)
    private static func byAccount(_ facts: RoutingFacts) -> Route? {
        guard facts.path.hasPrefix("/v20180820/"), facts.header(.accountID) != nil else { return nil }
        return .unavailable(service: "s3-control")
    }

    /// Whether the control API answers.
    var isControl: Bool {
        if case .control = self { true } else { false }
    }

    /// Rule 2: the name of a real service, one below a name of this process, or a bucket's own.
    private static func byHost(_ facts: RoutingFacts) -> Route? {
        // This machine's own address, which most clients use, says nothing.
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
            // (OSS User Guide, "Access OSS through a custom domain name".)
            if let mapped = facts.residents.bucketOfHost(facts.host) { return .oss(bucketFromHost: mapped) }
            // A bucket that is called as its host is reached by that alone. (Amazon S3 User Guide, "Virtual hosting", "Customizing
            // Amazon S3 URLs with CNAME records".)
            guard facts.residents.isBucket(facts.host) else { return nil }
            return .s3(bucketFromHost: facts.host)
        }
    }

    /// Before a name of this process `oss-my-files` may be a bucket as well as an endpoint of OSS.
    private static func bucketCalledAsEndpoint(_ facts: RoutingFacts) -> Route? {
        guard !facts.host.hasSuffix(".\(EmulatedHosts.alibabaSuffix)") else { return nil }
        let label = String(facts.host.prefix { $0 != "." })
        if facts.residents.isBucket(label) { return store(facts, bucketFromHost: label) }
        guard bySignature(facts) == .s3(bucketFromHost: nil) else { return nil }
        return .s3(bucketFromHost: concernsBucketOfHost(facts) ? label : nil)
    }

    /// The token vending machine of `anonymous.tvm` or `identity.tvm` before a name of this process.
    private static func vendingMachine(labels: String) -> VendingMachines.Kind? {
        labels.hasSuffix(".tvm") ? VendingMachines.Kind(rawValue: String(labels.dropLast(4))) : nil
    }

    /// Whether a signed request means a bucket that is not there (yet): at `/`, only a listing of all buckets means none, and elsewhere only
    /// what names a bucket that is there, or makes one.
    private static func concernsBucketOfHost(_ facts: RoutingFacts) -> Bool {
        switch bySignature(facts) {
        case .s3:
            guard facts.path == "/" else { return !namesBucketInPath(facts) }
            return facts.method != .get || !RawQuery(facts.query).items.allSatisfy(isOfBucketListing)
        case .oss:
            guard facts.path == "/" else { return false }
            return facts.method != .get || ["list-type=", "location", "uploads", "versions"].contains { facts.query.contains($0) }
        default: return false
        }
    }

    /// Whether ListBuckets knows a parameter: its own, and those of a signature. (S3 API Reference, ListBuckets.)
    private static func isOfBucketListing(_ item: RawQuery.Item) -> Bool {
        switch item.name {
        case "bucket-region", "continuation-token", "max-buckets", "prefix": true
        case "x-id": item.value == "ListBuckets"
        case "AWSAccessKeyId", "Expires", "Signature": true
        default: item.name.hasPrefix("X-Amz-") || item.name.hasPrefix("x-amz-")
        }
    }

    /// Whether a path begins with a bucket that is there, or is the name of one to be made.
    private static func namesBucketInPath(_ facts: RoutingFacts) -> Bool {
        let rest = facts.path.dropFirst()
        let name = rest.prefix { $0 != "/" }
        if facts.residents.isBucket(String(name)) { return true }
        return facts.method == .put && rest.utf8.count - name.utf8.count <= 1 && (3...63).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
            && !writesObject(facts)
    }

    /// Whether a PUT says something that clients say of objects alone, and never of a bucket to be made: how the body is checked or framed,
    /// or the operation's name, which some SDKs put into the query.
    private static func writesObject(_ facts: RoutingFacts) -> Bool {
        HTTPField.Name.ofObjects.contains { facts.header($0) != nil } || has("x-id=PutObject", in: facts.query)
    }

    /// The door to the store that is meant by what a request presents, and by whose the bucket is where it presents nothing.
    private static func store(_ facts: RoutingFacts, bucketFromHost bucket: String) -> Route {
        switch bySignature(facts) ?? byDialect(facts) {
        case .oss: .oss(bucketFromHost: bucket)
        case nil where facts.residents.isOSSBucket(bucket): .oss(bucketFromHost: bucket)
        default: .s3(bucketFromHost: bucket)
        }
    }

    /// Rule 3: the service in the credential scope; version 2 signatures are S3's.
    private static func bySignature(_ facts: RoutingFacts) -> Route? {
        if let authorization = facts.authorization {
            if authorization.hasPrefix("AWS4-") { return byScope(inHeader: authorization, facts) }
            if authorization.hasPrefix("AWS ") { return .s3(bucketFromHost: nil) }
            if authorization.hasPrefix("OSS ") || authorization.hasPrefix("OSS2 ") || authorization.hasPrefix("OSS4-") {
                return .oss(bucketFromHost: nil)
            }
            if authorization.hasPrefix("ACS3-") { return .alibabaRPC }
        }
        if facts.header(.acsAction) != nil { return .alibabaRPC }
        guard !facts.query.isEmpty else { return nil }
        if has("x-oss-signature-version=", in: facts.query) || has("OSSAccessKeyId=", in: facts.query) { return .oss(bucketFromHost: nil) }
        // Calls of the Query protocol present a key in the same way, and an action with it.
        if has("AWSAccessKeyId=", in: facts.query), has("Signature=", in: facts.query), !has("Action=", in: facts.query) {
            return .s3(bucketFromHost: nil)
        }
        guard facts.query.contains("X-Amz-Credential="),
            var credential = FormFields(parsing: facts.query)?.first("X-Amz-Credential")
        else { return nil }
        return credential.withUTF8 { byScope($0[...], facts) }
    }

    /// Whether the name of a parameter begins so; values may hold anything.
    private static func has(_ name: String, in query: String) -> Bool { query.hasPrefix(name) || query.contains("&" + name) }

    /// The scope in `AWS4-HMAC-SHA256 Credential=…, …`; read in place, since every signed request passes here.
    private static func byScope(inHeader authorization: String, _ facts: RoutingFacts) -> Route? {
        var authorization = authorization
        return authorization.withUTF8 { bytes -> Route? in
            let label: StaticString = "Credential="
            let length = label.utf8CodeUnitCount
            var start = 0
            while start + length <= bytes.count {
                let isLabel = label.withUTF8Buffer { label in
                    for index in 0..<length where bytes[start + index] != label[index] { return false }
                    return true
                }
                if isLabel {
                    let rest = bytes[(start + length)...]
                    return byScope(rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") }, facts)
                }
                start += 1
            }
            return .s3(bucketFromHost: nil)
        }
    }

    /// The service in `key/date/region/service/aws4_request`. Key identifiers may hold slashes, so it counts from the end. A client that
    /// knows no name for the service, or takes it from the host's, leaves it to the parameters.
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

    /// Rule 4: an unsigned call of a query protocol, in the query or in a form. All of them are made at the root.
    private static func byAction(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/" else { return nil }
        // A browser asks before a page's call of STS, which alone of these services answers pages of other origins.
        if facts.method == .options, facts.header(.accessControlRequestMethod) == "POST" { return .sts }
        // Services with JSON are called so, those with calls that need no signature among them.
        if facts.method == .post, let target = facts.header(.amazonTarget) {
            return .unavailable(service: String(target.prefix { $0 != "." }))
        }
        if !facts.query.isEmpty, facts.query.contains("Action="), let fields = FormFields(parsing: facts.query) {
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

    /// Rule 5: a path that belongs to a face.
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
            // A bucket may have the name that Keycloak's paths begin with; then only realms that are there are meant.
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

    /// Rule 6: what only OSS has, and a bucket that OSS alone shows.
    private static func byDialect(_ facts: RoutingFacts) -> Route? {
        if facts.hasOSSHeader() || has("x-oss-", in: facts.query) { return .oss(bucketFromHost: nil) }
        if let agent = facts.header(.userAgent), ossAgents.contains(where: agent.hasPrefix) { return .oss(bucketFromHost: nil) }
        let bucket = String(facts.path.dropFirst().prefix { $0 != "/" })
        // S3 looks at no parameter that it does not know: readers of its buckets may add what they like.
        let asksForOSS = facts.query.split(separator: "&").contains { ossSubResources.contains($0.prefix { $0 != "=" }) }
        if asksForOSS, !facts.residents.isS3Bucket(bucket) {
            return .oss(bucketFromHost: nil)
        }
        return !bucket.isEmpty && facts.residents.isOSSBucket(bucket) ? .oss(bucketFromHost: nil) : nil
    }

    /// How the SDKs of OSS call themselves.
    private static let ossAgents = ["aliyun-sdk-", "alibabacloud-"]
    /// Sub-resources that S3 does not have.
    private static let ossSubResources: Set<Substring> = ["append", "bucketInfo", "live", "objectMeta", "regions", "stat", "symlink"]

    /// The segment after a prefix, and what follows it.
    private static func split(_ path: String, after prefix: String) -> (String, String)? {
        guard path.hasPrefix(prefix) else { return nil }
        // Byte by byte: every call of an identity provider passes here.
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        return (String(Substring(name)), String(Substring(rest[name.endIndex...])))
    }
}

extension HTTPField.Name {
    /// The action of a call by Alibaba Cloud's third signature.
    fileprivate static let acsAction = HTTPField.Name(literal: "x-acs-action")

    /// The account that a call of S3 Control is about.
    fileprivate static let accountID = HTTPField.Name(literal: "x-amz-account-id")

    /// Of requests that write an object.
    fileprivate static let ofObjects = [
        "x-amz-sdk-checksum-algorithm", "x-amz-decoded-content-length", "x-amz-copy-source", "x-amz-storage-class", "x-amz-tagging",
        "x-amz-server-side-encryption", "if-none-match", "if-match",
    ].map { HTTPField.Name(constant: $0) }
}
