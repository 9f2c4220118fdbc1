import Calls
import Cloud
import Federation
import Logging
import ObjectServing
import ObjectStore
import Policy
import Seeds
import Synchronization
import WireFormats

/// Compares the region that a request is sent to, and signed for, with the region of its bucket.
/// (S3 User Guide, "Request redirection and the REST API"; S3 API Reference, "Error responses".)
final class RegionCheck: Sendable {
    /// The rule; `nil` if the host decides: strict for the host names of AWS, any region for other names.
    private let rule: RegionRule?
    private let logger: Logger
    private let hasLogged = Atomic(false)

    init(rule: RegionRule?, logger: Logger) {
        self.rule = rule
        self.logger = logger
    }

    /// Whether CreateBucket accepts only regions that AWS has.
    func isStrict(at host: String) -> Bool {
        switch rule {
        case .any: false
        case .strict: true
        case nil: ServiceHost(host) != nil
        }
    }

    /// Returns the region that a request must be signed for; `nil` if every region is accepted.
    /// - Throws: `PermanentRedirect` if the endpoint's region is not the bucket's.
    func signingRegion(
        for call: Call, bucket name: String?, isVirtualHosted: Bool, createsBucket: Bool
    ) throws(S3Error) -> String? {
        guard rule != .any, let endpoint = endpoint(of: call) else { return nil }
        let region: String? =
            switch endpoint {
            case .anywhere: nil
            case .service(.region(let region)): region
            case .service(.global(let home)): isVirtualHosted && !createsBucket ? nil : home
            }
        guard let name, !createsBucket, let bucket = call.cloud.objects.bucket(named: name, for: .aws) else {
            if case .service(.global(let home)) = endpoint { return home }
            return region
        }
        guard region == nil || region == bucket.regionName else {
            throw .anotherRegion(bucket, isVirtualHosted: isVirtualHosted, endpoint: region ?? "")
        }
        return bucket.regionName
    }

    /// Logs, once for each process, that a request was signed for a region other than the bucket's, which AWS rejects.
    func note(_ signed: String?, for bucket: Bucket) {
        guard let signed, signed != bucket.regionName, rule != .strict, !hasLogged.load(ordering: .relaxed),
            !hasLogged.exchange(true, ordering: .relaxed)
        else { return }
        logger.notice(
            "A request was signed for another region than its bucket's. AWS and --regions strict reject it. Logged once.",
            metadata: ["bucket": "\(bucket.name)", "region": "\(bucket.regionName)", "signed": "\(signed)"])
    }

    private enum Endpoint {
        /// A host name of this process without a region.
        case anywhere
        case service(ServiceHost.S3Endpoint)
    }

    /// Returns the endpoint of a request; `nil` if regions are not compared.
    private func endpoint(of call: Call) -> Endpoint? {
        let host = call.host
        if let service = ServiceHost(host) { return service.s3Endpoint.map { .service($0) } ?? .anywhere }
        guard rule == .strict else { return nil }
        // `s3.eu-west-1.localhost` is also a regional endpoint.
        guard let base = call.names.base(of: host), let region = host.dropLast(base.utf8.count + 1).split(separator: ".").last,
            host.contains("s3."), AWSRegion.isKnown(String(region))
        else { return .anywhere }
        return .service(.region(String(region)))
    }
}

extension S3Error {
    /// Returns the error for a request to the endpoint of a region other than the bucket's. Regions opened since March 2019 do not
    /// redirect.
    /// (S3 User Guide, "Request redirection and the REST API".)
    fileprivate static func anotherRegion(_ bucket: Bucket, isVirtualHosted: Bool, endpoint: String) -> S3Error {
        var error: S3Error
        if AWSRegion.isOptIn(bucket.regionName) || AWSRegion.isOptIn(endpoint) {
            error = .incompatible(bucket.region)
        } else {
            let host = ServiceHost.s3(in: bucket.regionName)
            error = S3Error(
                .permanentRedirect, nil, ["Endpoint": isVirtualHosted ? "\(bucket.name).\(host)" : host, "Bucket": bucket.name])
        }
        error.fields = bucket.regionField
        return error
    }

    /// Returns the error for a location constraint at the endpoint of another region.
    static func incompatible(_ constraint: String) -> S3Error {
        S3Error(
            .illegalLocationConstraint,
            "The \(constraint.isEmpty ? "unspecified" : constraint) location constraint is incompatible for the region specific endpoint this request was sent to."
        )
    }
}
