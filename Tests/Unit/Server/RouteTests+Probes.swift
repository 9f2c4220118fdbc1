import HTTPTypes

@testable import VirgaServer

extension RouteTests {
    /// Paths that clients request from every server of a kind.
    static let probes = [
        RouteRow(path: "/_localstack/health", route: .localStackHealth),
        RouteRow(method: .head, path: "/_localstack/health", route: .localStackHealth),
        RouteRow(host: "unknown.localhost", path: "/_localstack/health", route: .localStackHealth),
        RouteRow(host: "virga", path: "/_localstack/health", route: .localStackHealth),
        RouteRow(method: .post, path: "/_localstack/health", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/_localstack/health", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/_localstack/health", query: RouteRow.presigned("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/_localstack/health/", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/_localstack", route: .s3(bucketFromHost: nil)),
        RouteRow(host: "known.localhost", path: "/_localstack/health", route: .s3(bucketFromHost: "known")),
        RouteRow(host: "s3.amazonaws.com", path: "/_localstack/health", route: .s3(bucketFromHost: nil)),
        // These would be objects of buckets with legal names.
        RouteRow(path: "/minio/health/live", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/health/started", route: .s3(bucketFromHost: nil)),
        RouteRow(path: "/moto-api/data.json", route: .s3(bucketFromHost: nil)),
    ]
}
