import Cloud
import Directory
import Federation
import WireFormats

/// The service and bucket that a host name means.
enum HostRoute: Equatable {
    /// A service of this process, with the bucket, provider or issuer from the labels.
    case endpoint(Endpoint, name: String? = nil)
    /// An AWS service that is not implemented, by its label.
    case absent(service: String)
    /// The labels before a name of this process. They may be the name of a bucket or of the machine.
    case maybe(bucket: String)

    /// - Returns: `nil` if the host does not name a service or bucket.
    /// - Parameter host: in lower case, without port.
    init?(_ host: String, names: HostNames) {
        // Most hosts are an IP address or a single label.
        guard let last = host.utf8.last, host.utf8.contains(UInt8(ascii: ".")), !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= last),
            last != UInt8(ascii: "]")
        else { return nil }
        if let provider = EmulatedHosts.identityProviders[host] {
            self = .endpoint(.identityProvider, name: provider)
        } else if SignInHost(host) != nil {
            self = .endpoint(.credentials)
        } else if let labels = Self.labels(of: host, before: OutboundIssuer.domain), let id = labels.first, labels.count == 1 {
            self = .endpoint(.outboundIssuer, name: String(id))
        } else if let labels = EmulatedHosts.amazonSuffixes.lazy.compactMap({ Self.labels(of: host, before: $0) }).first {
            // `<service>.<region>`, possibly with a label of a resource before it.
            self = Self.service(in: labels) ?? .absent(service: String(labels.count < 3 ? labels[0] : labels[labels.count - 2]))
        } else if let labels = Self.labels(of: host, before: EmulatedHosts.alibabaSuffix) {
            // Alibaba Cloud's RPC services reject the API versions of services that are not implemented.
            self = Self.ossService(in: labels) ?? .endpoint(.alibabaRPC)
        } else if let base = names.base(of: host) {
            guard let labels = Self.labels(of: host, before: base) else { return nil }
            // The label of OSS is always last, whatever the name of a bucket before it.
            self = Self.ossService(in: labels) ?? Self.service(in: labels) ?? .maybe(bucket: labels.joined(separator: "."))
        } else {
            return nil
        }
    }

    /// Returns the labels before a suffix; `nil` if `host` is not below it.
    private static func labels(of host: String, before suffix: String) -> [Substring]? {
        guard host.count > suffix.count, host.hasSuffix(suffix) else { return nil }
        let rest = host.dropLast(suffix.count)
        guard rest.last == "." else { return nil }
        return rest.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Returns the service that a label names. The last such label counts, since a bucket name before it may contain dots. (Amazon S3 User
    /// Guide, "Virtual hosting of general purpose buckets", "Website endpoints",
    /// "Dual-stack endpoints", "Transfer Acceleration".)
    private static func service(in labels: [Substring]) -> HostRoute? {
        guard let index = labels.lastIndex(where: { $0 == "s3" || $0.hasPrefix("s3-") || $0.hasPrefix("s3express-") }) else {
            guard let label = labels.first, let endpoint = RoutingIndex.endpoint(ofLabel: label) else { return nil }
            // Before the hosts of IAM, there is no label of a resource.
            return endpoint == .iam && labels.count > 2 ? nil : .endpoint(endpoint)
        }
        if labels[index] == "s3-control" || labels[index] == "s3-control-fips" { return .endpoint(.unavailable, name: "s3-control") }
        if unavailable.contains(labels[index]) || labels[index].hasPrefix("s3express-") { return .endpoint(.s3Unavailable) }
        let bucket = index == 0 ? nil : labels[..<index].joined(separator: ".")
        if labels[index].hasPrefix("s3-website"), let bucket { return .endpoint(.website, name: bucket) }
        return .endpoint(.s3, name: bucket)
    }

    /// The labels of endpoints that are not implemented.
    /// (Amazon S3 API Reference, "Access points", "Directory buckets", "S3 Object Lambda", "S3 on Outposts".)
    private static let unavailable: Set<Substring> = [
        "s3-accesspoint", "s3-accesspoint-fips", "s3-global", "s3-object-lambda", "s3-object-lambda-fips", "s3-outposts",
        "s3-outposts-fips",
    ]

    /// Returns OSS if the last label is `oss` or `oss-<region>`. A bucket name, which has no dots, may precede it.
    /// (OSS User Guide, "Regions and endpoints".)
    private static func ossService(in labels: [Substring]) -> HostRoute? {
        guard let last = labels.last, labels.count <= 2, last == "oss" || isOSSRegion(last) else { return nil }
        return .endpoint(.oss, name: labels.count == 2 ? String(labels[0]) : nil)
    }

    /// Returns whether a label is `oss-cn-hangzhou`, `oss-cn-hangzhou-internal`, `oss-accelerate` or similar.
    private static func isOSSRegion(_ label: Substring) -> Bool {
        guard label.hasPrefix("oss-") else { return false }
        let rest = label.dropFirst(4)
        return rest.hasPrefix("accelerate") || rest.prefix { $0 != "-" }.utf8.count == 2
    }
}
