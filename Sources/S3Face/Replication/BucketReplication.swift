import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The operations on a bucket's replication. The configuration is stored and returned; no objects are copied.
extension S3Request {
    private static let replicationRoot = "ReplicationConfiguration"

    func getBucketReplication(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getReplicationConfiguration, on: bucket)
        guard let element = try configuration(.replication, of: bucket, { $0 }) else {
            throw S3Error(.replicationConfigurationNotFound, nil, ["BucketName": name])
        }
        return answer(root: Self.replicationRoot) { xml in for child in element.children { child.encode(into: &xml) } }
    }

    func putBucketReplication(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putReplicationConfiguration, on: bucket)
        let element = try await configurationDocument(Self.replicationRoot, needsDigest: false)
        guard bucket.configuration.versioning == .enabled else {
            throw S3Error(.invalidRequest, "Versioning must be 'Enabled' on the bucket to apply a replication configuration")
        }
        let rules = try ReplicationRules(element)
        for destination in rules.destinations {
            guard objects.bucket(named: destination, for: .aws)?.configuration.versioning == .enabled else {
                throw S3Error(.invalidRequest, "Destination bucket must have versioning enabled.")
            }
        }
        let text = document(Self.replicationRoot) { xml in
            for child in rules.element.children { child.encode(into: &xml) }
        }
        try await store(text, as: .replication, in: bucket)
        return answer()
    }

    /// DeleteBucketReplication. Succeeds even if there is no replication.
    func deleteBucketReplication(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putReplicationConfiguration, on: bucket)
        try await store(nil, as: .replication, in: bucket)
        return answer(.noContent)
    }
}
