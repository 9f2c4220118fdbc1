import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// What answers about objects and uploads say of their end. Days are S3's here, whatever a day of the sandbox is.
extension S3Request {
    /// Appends `x-amz-expiration` where a rule of the bucket will end the object that the key leads to.
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

    /// Appends `x-amz-abort-date` and `x-amz-abort-rule-id` where a rule of the bucket will abort the upload.
    /// (S3 API Reference, CreateMultipartUpload, `x-amz-abort-date`.)
    func appendAbortion(of upload: MultipartUpload, in bucket: Bucket, to fields: inout HTTPFields) throws(S3Error) {
        guard bucket.configuration.documents[.lifecycle] != nil, let configuration = try lifecycle(of: bucket) else { return }
        let plan = LifecyclePlan(configuration, calendar: .days, clock: clock)
        guard let abortion = plan.abortion(of: upload.key, initiated: clock.effective(upload.initiated)) else { return }
        fields.append(HTTPField(name: .abortDate, value: abortion.date.httpDate))
        fields.append(HTTPField(name: .abortRuleID, value: Self.headerForm(abortion.rule)))
    }

    /// The name of a rule as it is, unless a header cannot carry it.
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
