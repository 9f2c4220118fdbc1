import Cloud
import Exchange
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// What a bucket gives a new object whose writer says nothing of it.
struct BucketDefaults {
    /// As ``ObjectAttributes`` has it.
    var storageClass: String?
    var properties: ObjectProperties
    /// Checksums that the object's readers are told by the doors that show the bucket.
    var checksums: [Checksum.Algorithm]
    /// Whether the tag of an object that is encrypted with a key of the key service tells nothing of its content.
    var hidesDigests: Bool
}

/// What the bucket of a collection does with every write, whichever door it comes by. The mobile cloud writes as the bucket's owner, who says
/// nothing of storage classes, encryption and retention.
extension Storage {
    /// What the bucket gives a new object, by the rules of the cloud that it belongs to.
    /// - Throws: an error of a configuration that cannot be read after all.
    func defaults(ofObjectIn bucket: Bucket) throws -> BucketDefaults {
        let now = call.cloud.clock.now
        let checksums: [Checksum.Algorithm] = [Vendor.aws, .alibaba].filter { bucket.shown(by: $0) != nil }.map { vendor in
            vendor == .aws ? .crc64nvme : .crc64xz
        }
        switch Vendor(account: bucket.account) {
        case .aws:
            let properties = ObjectProperties(
                lock: ObjectLock(retention: bucket.defaultRetention?.retention(from: now)),
                encryption: try bucket.defaultEncryption()?.encryption(in: bucket, region: bucket.regionName))
            return BucketDefaults(properties: properties, checksums: checksums, hidesDigests: true)
        case .alibaba:
            func configuration(_ kind: BucketDocument) throws -> XMLElement? {
                try bucket.configuration.documents[kind].map { try XMLElement(parsing: Array($0.utf8)) }
            }
            var properties = ObjectProperties(
                encryption: ObjectEncryption(ossDefault: try configuration(.ossEncryption), in: bucket))
            if bucket.configuration.hasObjectLock {
                properties.lock.retention = ObjectLock.Retention(ossDefault: try configuration(.ossObjectWorm), from: now)
            }
            return BucketDefaults(
                storageClass: OSSStorageClass(of: bucket).stored, properties: properties, checksums: checksums, hidesDigests: false)
        }
    }

    /// Refuses to take away or replace what the bucket retains as a whole.
    /// - Parameter precondition: what the call itself asks for.
    /// - Returns: what makes sure that the object is still the one that was judged when the write takes effect.
    func judgeRetention(of earlier: ObjectRecord?, in bucket: Bucket, _ precondition: Precondition) throws(MobileError) -> Precondition {
        guard let worm = bucket.worm(by: call.cloud.clock) else { return precondition }
        guard let earlier else { return precondition == .none ? .ifNoneMatchAny : precondition }
        guard !worm.protects(objectOf: earlier.modified, by: call.cloud.clock) else { throw Self.locked }
        return precondition == .none ? .ifMatch(earlier.entityTag) : precondition
    }

    /// Tells whoever wants to know of the bucket's objects of a new one.
    func tell(of record: ObjectRecord, in bucket: Bucket) {
        guard let configuration = bucket.notifications else { return }
        let event = BucketEvent(
            .objectCreatedPut, of: BucketEvent.Object(record, in: bucket), in: bucket, at: call.cloud.clock.now, by: cause(in: bucket))
        call.events.send(event, of: bucket.id, to: configuration)
    }

    /// Tells them of one that is gone.
    func tell(of deletion: Deletion, of key: String, in bucket: Bucket) {
        guard let configuration = bucket.notifications,
            let event = BucketEvent(deletion, of: key, in: bucket, at: call.cloud.clock.now, by: cause(in: bucket))
        else { return }
        call.events.send(event, of: bucket.id, to: configuration)
    }

    private func cause(in bucket: Bucket) -> BucketEvent.Cause {
        BucketEvent.Cause(
            principal: "AWS:\(bucket.account)", sourceIP: call.exchange.sourceIP, requestID: call.exchange.id.text,
            hostID: call.exchange.id.hostID, requester: bucket.account)
    }
}
