import HTTPTypes
import WireFormats

extension Route {
    /// Rule 6: a feature that only OSS has, or a bucket that is visible only through OSS.
    static func byDialect(_ facts: RoutingFacts) -> Route? {
        if facts.hasOSSHeader() || facts.hasParameter("x-oss-") { return .oss(bucketFromHost: nil) }
        if let agent = facts.header(.userAgent), let row = RoutingIndex.agents.first(where: { agent.hasPrefix($0.text) }) {
            return Route(row.endpoint)
        }
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

    /// Sub-resources that S3 does not have.
    private static let ossSubResources: Set<Substring> = ["append", "bucketInfo", "live", "objectMeta", "regions", "stat", "symlink"]

    private static let longestOSSSubResource = 10
}
