import Cloud
import Directory
import Federation

/// What a host name says of the service and bucket that are meant.
enum HostRoute: Equatable {
    /// S3, with the bucket before the service's own labels.
    case s3(bucket: String?)
    /// The website of a bucket.
    case website(bucket: String)
    /// What S3 has hosts for and this process has not: access points, directory buckets, objects of Lambda, Outposts.
    case s3Unavailable
    /// The control plane of S3.
    case s3Control
    /// A service of AWS that has no face here, by its label.
    case absent(service: String)
    case sts
    case iam
    /// OSS, with the bucket before the service's own labels.
    case oss(bucket: String?)
    /// Alibaba Cloud's STS, RAM or IMS, or a service that is not here, whose version it refuses.
    case alibabaRPC
    case identityProvider(name: String)
    case outboundIssuer(id: String)
    /// Labels before a name of this process, which may be a bucket's name or that of the machine.
    case maybe(bucket: String)

    /// `nil` if the host says nothing.
    /// - Parameter host: lower case, without port.
    init?(_ host: String, names: HostNames) {
        // Most hosts are an address or one label.
        guard let last = host.utf8.last, host.utf8.contains(UInt8(ascii: ".")), !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= last),
            last != UInt8(ascii: "]")
        else { return nil }
        if let provider = EmulatedHosts.identityProviders[host] {
            self = .identityProvider(name: provider)
        } else if let labels = Self.labels(of: host, before: OutboundIssuer.domain), let id = labels.first, labels.count == 1 {
            self = .outboundIssuer(id: String(id))
        } else if let labels = EmulatedHosts.amazonSuffixes.lazy.compactMap({ Self.labels(of: host, before: $0) }).first {
            // `<service>.<region>`, perhaps with a label of a resource before.
            self = Self.service(in: labels) ?? .absent(service: String(labels.count < 3 ? labels[0] : labels[labels.count - 2]))
        } else if let labels = Self.labels(of: host, before: EmulatedHosts.alibabaSuffix) {
            self = Self.alibabaService(in: labels) ?? .alibabaRPC
        } else if let base = names.base(of: host) {
            guard let labels = Self.labels(of: host, before: base) else { return nil }
            // OSS's own label stands last, whatever a bucket before it is called.
            self = Self.ossService(in: labels) ?? Self.service(in: labels) ?? .maybe(bucket: labels.joined(separator: "."))
        } else {
            return nil
        }
    }

    /// `nil` if `host` does not lie below `suffix`.
    private static func labels(of host: String, before suffix: String) -> [Substring]? {
        guard host.count > suffix.count, host.hasSuffix(suffix) else { return nil }
        let rest = host.dropLast(suffix.count)
        guard rest.last == "." else { return nil }
        return rest.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Services by the label that names them. A bucket ends where the service's own labels begin, so the last such label counts: the
    /// name of a bucket may itself hold dots. (Amazon S3 User Guide, "Virtual hosting of general purpose buckets", "Website endpoints",
    /// "Dual-stack endpoints", "Transfer Acceleration".)
    private static func service(in labels: [Substring]) -> HostRoute? {
        guard let index = labels.lastIndex(where: { $0 == "s3" || $0.hasPrefix("s3-") || $0.hasPrefix("s3express-") }) else {
            switch labels.first {
            case "sts", "sts-fips": return .sts
            case "iam" where labels.count <= 2: return .iam
            default: return nil
            }
        }
        if labels[index] == "s3-control" || labels[index] == "s3-control-fips" { return .s3Control }
        if unavailable.contains(labels[index]) || labels[index].hasPrefix("s3express-") { return .s3Unavailable }
        let bucket = index == 0 ? nil : labels[..<index].joined(separator: ".")
        if labels[index].hasPrefix("s3-website"), let bucket { return .website(bucket: bucket) }
        return .s3(bucket: bucket)
    }

    /// (Amazon S3 API Reference, "Access points", "Directory buckets", "S3 Object Lambda", "S3 on Outposts".)
    private static let unavailable: Set<Substring> = [
        "s3-accesspoint", "s3-accesspoint-fips", "s3-global", "s3-object-lambda", "s3-object-lambda-fips", "s3-outposts",
        "s3-outposts-fips",
    ]

    /// `sts[-vpc][.<region>]`, `ram`, `ims` or a name of OSS. (Alibaba Cloud OpenAPI, "Endpoints".)
    private static func alibabaService(in labels: [Substring]) -> HostRoute? {
        if let oss = ossService(in: labels) { return oss }
        switch labels.first {
        case "sts" where labels.count <= 2, "sts-vpc" where labels.count <= 2, "ram" where labels.count == 1, "ims" where labels.count == 1:
            return .alibabaRPC
        default: return nil
        }
    }

    /// OSS by the last label, `oss` or `oss-<region>`; a bucket's name, which holds no dots, may stand before it.
    /// (OSS User Guide, "Regions and endpoints".)
    private static func ossService(in labels: [Substring]) -> HostRoute? {
        guard let last = labels.last, labels.count <= 2, last == "oss" || isOSSRegion(last) else { return nil }
        return .oss(bucket: labels.count == 2 ? String(labels[0]) : nil)
    }

    /// `oss-cn-hangzhou`, `oss-cn-hangzhou-internal`, `oss-accelerate`, …
    private static func isOSSRegion(_ label: Substring) -> Bool {
        guard label.hasPrefix("oss-") else { return false }
        let rest = label.dropFirst(4)
        return rest.hasPrefix("accelerate") || rest.prefix { $0 != "-" }.utf8.count == 2
    }
}

/// Names of the real services that this process answers to.
enum EmulatedHosts {
    /// Hosts of the social providers, and the lookalike that answers for them.
    static let identityProviders: [String: String] = [
        "www.facebook.com": "facebook", "m.facebook.com": "facebook", "graph.facebook.com": "facebook",
        "developers.facebook.com": "facebook",
        "www.amazon.com": "amazon", "amazon.com": "amazon", "api.amazon.com": "amazon",
        "accounts.google.com": "google", "oauth2.googleapis.com": "google", "openidconnect.googleapis.com": "google",
        "www.googleapis.com": "google", "www.google.com": "google", "myaccount.google.com": "google",
    ]

    /// Every service of Amazon lies below one of them.
    static let amazonSuffixes = ServiceHost.domains

    /// Every service of Alibaba Cloud lies below it.
    static let alibabaSuffix = "aliyuncs.com"

    /// For a certificate that covers them all, as far as wildcards reach.
    static let names: [String] =
        identityProviders.keys.sorted()
        + (amazonSuffixes + [alibabaSuffix, OutboundIssuer.domain]).flatMap { ["*.\($0)"] }
        + amazonSuffixes.flatMap { ["*.s3.\($0)", "*.us-east-1.\($0)", "*.s3.us-east-1.\($0)"] }

    /// Whether `host` is the name of a real service that is answered here.
    static func contains(_ host: String) -> Bool {
        identityProviders[host] != nil || (amazonSuffixes + [alibabaSuffix, OutboundIssuer.domain]).contains { host.hasSuffix(".\($0)") }
    }
}

extension HostNames {
    /// Whether a client may be told over TLS that this process is `host`.
    func serves(_ host: String) -> Bool { contains(host) || base(of: host) != nil || EmulatedHosts.contains(host) }
}
