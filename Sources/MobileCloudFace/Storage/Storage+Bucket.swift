import Cloud
import Exchange
import ObjectServing

/// What the bucket of a collection does with every write, whichever door it comes by. The mobile cloud writes as the bucket's owner, who says
/// nothing of encryption and retention.
extension Storage {
    /// What the bucket gives a new object.
    /// - Throws: an error of a configuration that cannot be read after all.
    func properties(ofObjectIn bucket: Bucket) throws -> ObjectProperties {
        ObjectProperties(
            lock: ObjectLock(retention: bucket.defaultRetention?.retention(from: call.cloud.clock.now)),
            encryption: try bucket.defaultEncryption()?.encryption(in: bucket, region: bucket.regionName))
    }

    /// Checksums that the object's readers are told by the doors that show the bucket.
    func checksums(ofObjectIn bucket: Bucket) -> [RunningChecksum] {
        (bucket.isShared ? [Checksum.Algorithm.crc64nvme, .crc64xz] : [.crc64nvme]).map { RunningChecksum($0) }
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
