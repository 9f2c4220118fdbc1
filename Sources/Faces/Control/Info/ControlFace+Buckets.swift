import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import ObjectStore
import WireFormats

extension ControlFace {
    /// How often a bucket is emptied before the call gives up, because requests write to it meanwhile.
    private static let mostAttempts = 10

    /// `GET /_virga/buckets`: lists the buckets of all accounts.
    func listBuckets(_ call: Call) -> Response {
        let clock = call.cloud.clock
        let buckets = call.cloud.objects.allBuckets.map { bucket -> Document<BucketMembers> in
            let versioning =
                switch bucket.configuration.versioning {
                case .never: "never"
                case .enabled: "enabled"
                case .suspended: "suspended"
                }
            return Document {
                [
                    $0.name(bucket.name), $0.vendor(Self.vendorName(bucket.owner)), $0.account(bucket.owner), $0.region(bucket.region),
                    $0.created(clock.effective(bucket.created).iso8601), $0.versioning(versioning),
                    $0.objectLock(bucket.configuration.hasObjectLock), $0.shared(bucket.isShared),
                ]
            }
        }
        return .json(Document<BucketListMembers> { [$0.buckets(buckets)] }.json)
    }

    /// `DELETE /_virga/buckets/<name>`: deletes a bucket with all versions, delete markers and uploads, whatever retention, policies and
    /// other settings say. No events are sent.
    func deleteBucket(_ call: Call, path: String) async throws -> Response {
        let name = percentDecoded(path.dropFirst("/buckets/".count)) ?? ""
        let objects = call.cloud.objects
        guard let bucket = objects.bucket(named: name) else { throw Self.unknown(name) }
        var deleted = 0
        for _ in 0..<Self.mostAttempts {
            switch await Self.delete(bucket, in: call.cloud, counting: &deleted) {
            case nil: return .json(["status": "ok", "deleted": Self.number(deleted)])
            case .bucketNotEmpty?: continue
            case .noSuchBucket?: throw Self.unknown(name)
            case let error?: throw error
            }
        }
        throw ControlError(
            .conflict, "bucket_in_use", "Requests write to the bucket '\(name)' while it is emptied. Stop them, and repeat the call.")
    }

    /// Empties a bucket and deletes it.
    /// - Parameter deleted: counts the versions and delete markers.
    /// - Returns: the error that prevented it; `nil` if the bucket is deleted.
    private static func delete(_ bucket: Bucket, in cloud: Cloud, counting deleted: inout Int) async -> ObjectStoreError? {
        do {
            deleted += try await empty(bucket, in: cloud)
            try await cloud.objects.deleteBucket(bucket.id)
            return nil
        } catch {
            return error
        }
    }

    /// Permanently deletes the versions and delete markers of a bucket.
    /// - Returns: their number.
    private static func empty(_ bucket: Bucket, in cloud: Cloud) async throws(ObjectStoreError) -> Int {
        let terms = DeletionTerms(modified: cloud.clock.now, owner: bucket.owner)
        var deleted = 0
        while true {
            let page = try await cloud.objects.listVersions(VersionQuery(), in: bucket.id)
            if page.entries.isEmpty { return deleted }
            let deletions = page.entries.compactMap { entry -> KeyDeletion? in
                switch entry {
                case .version(let listed), .deleteMarker(let listed):
                    KeyDeletion(key: listed.object.key, version: .sequence(listed.version.sequence))
                case .commonPrefix: nil
                }
            }
            for result in try await cloud.objects.delete(deletions, in: bucket.id, on: terms) where try result.get().existed {
                deleted += 1
            }
        }
    }

    private static func unknown(_ name: String) -> ControlError {
        ControlError(.notFound, "unknown_bucket", "There is no bucket '\(name)'.")
    }
}
