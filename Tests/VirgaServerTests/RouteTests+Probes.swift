import HTTPTypes

@testable import VirgaServer

extension RouteTests {
    /// Paths that clients request from every server of a kind.
    static let probes = [
        Row(path: "/_localstack/health", route: .localStackHealth),
        Row(method: .head, path: "/_localstack/health", route: .localStackHealth),
        Row(host: "unknown.localhost", path: "/_localstack/health", route: .localStackHealth),
        Row(host: "virga", path: "/_localstack/health", route: .localStackHealth),
        Row(method: .post, path: "/_localstack/health", route: .s3(bucketFromHost: nil)),
        Row(path: "/_localstack/health", authorization: signed("s3"), route: .s3(bucketFromHost: nil)),
        Row(path: "/_localstack/health", query: presigned("s3"), route: .s3(bucketFromHost: nil)),
        Row(path: "/_localstack/health/", route: .s3(bucketFromHost: nil)),
        Row(path: "/_localstack", route: .s3(bucketFromHost: nil)),
        Row(host: "known.localhost", path: "/_localstack/health", route: .s3(bucketFromHost: "known")),
        Row(host: "s3.amazonaws.com", path: "/_localstack/health", route: .s3(bucketFromHost: nil)),
        // These would be objects of buckets with legal names.
        Row(path: "/minio/health/live", route: .s3(bucketFromHost: nil)),
        Row(path: "/health/started", route: .s3(bucketFromHost: nil)),
        Row(path: "/moto-api/data.json", route: .s3(bucketFromHost: nil)),
    ]
}
