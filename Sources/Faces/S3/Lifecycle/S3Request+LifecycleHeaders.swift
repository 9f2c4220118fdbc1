import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// Response headers about the expiration of objects and uploads. They count in calendar days, whatever the sandbox uses as a lifecycle day.
extension S3Request {
    /// Appends `x-amz-expiration` if a lifecycle rule of the bucket applies to the object.
    /// (S3 API Reference, GetObject, `x-amz-expiration`.)
    func appendExpiration(of record: ObjectRecord, in bucket: Bucket, to fields: inout HTTPFields) throws(S3Error) {
        guard bucket.configuration.documents[.lifecycle] != nil, let configuration = try lifecycle(of: bucket) else { return }
        let plan = LifecyclePlan(configuration, calendar: .days, clock: clock)
        guard let expiry = plan.expiry(of: LifecyclePlan.Facts(record, since: clock.effective(record.modified))) else { return }
        fields.append(
            HTTPField(
                name: .expiration,
                value: "expiry-date=\"\(expiry.date.httpDate)\", rule-id=\"\(Self.headerForm(expiry.rule))\""))
    }

    /// Appends `x-amz-abort-date` and `x-amz-abort-rule-id` if a lifecycle rule of the bucket applies to the upload.
    /// (S3 API Reference, CreateMultipartUpload, `x-amz-abort-date`.)
    func appendAbortDate(of upload: MultipartUpload, in bucket: Bucket, to fields: inout HTTPFields) throws(S3Error) {
        guard bucket.configuration.documents[.lifecycle] != nil, let configuration = try lifecycle(of: bucket) else { return }
        let plan = LifecyclePlan(configuration, calendar: .days, clock: clock)
        guard let abort = plan.abortTime(of: upload.key, initiated: clock.effective(upload.initiated)) else { return }
        fields.append(HTTPField(name: .abortDate, value: abort.date.httpDate))
        fields.append(HTTPField(name: .abortRuleID, value: Self.headerForm(abort.rule)))
    }

    /// Returns the identifier of a rule, percent-encoded if it is not a valid header value.
    private static func headerForm(_ id: String) -> String {
        id.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") } ? id : percentEncoded(id)
    }
}

extension LifecyclePlan.Facts {
    init(_ record: ObjectRecord, since: Timestamp) {
        self.init(
            key: record.key, size: record.size,
            storageClass: record.attributes.storageClass.flatMap(StorageClass.init(rawValue:)) ?? .standard,
            tags: record.properties.tags, since: since)
    }
}
