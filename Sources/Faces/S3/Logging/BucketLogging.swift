import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    private static let loggingLimit = 256 << 10

    /// GetBucketLogging. The document is empty if the bucket has no log.
    func getBucketLogging(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketLogging, on: bucket)
        let directory = call.cloud.directory
        let status = try bucket.loggingStatus(directory)
        return answer(root: "BucketLoggingStatus") { xml in status?.encode(naming: dialect == .ceph ? directory : nil, into: &xml) }
    }

    /// PutBucketLogging. It takes effect immediately.
    func putBucketLogging(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketLogging, on: bucket)
        let body = try await document(upTo: Self.loggingLimit, try declaredBody())
        let element = try xml("BucketLoggingStatus", body).holding(LoggingStatus.schema)
        var text: String?
        if let enabled = element.child("LoggingEnabled") {
            let status = try LoggingStatus(enabled, grantees)
            try checkTarget(of: status, for: bucket)
            var xml = XMLWriter()
            status.encode(naming: nil, into: &xml)
            text = String(decoding: xml.bytes, as: UTF8.self)
        }
        let stored = text
        try await configure(bucket) { $0.documents[.logging] = stored }
        return answer(.ok)
    }

    /// Validates the target bucket.
    /// (S3 User Guide, "Enabling Amazon S3 server access logging", and S3 API Reference, "List of error codes".)
    private func checkTarget(of status: LoggingStatus, for bucket: Bucket) throws(S3Error) {
        guard let target = objects.bucket(named: status.targetBucket, for: .aws) else {
            throw S3Error(
                .invalidTargetBucketForLogging, "The target bucket for logging does not exist",
                ["TargetBucket": status.targetBucket])
        }
        guard target.account == bucket.account else {
            throw S3Error(.invalidTargetBucketForLogging, nil, ["TargetBucket": target.name])
        }
        let location = target.regionName
        guard location == bucket.regionName else {
            var refusal = S3Error(.crossLocationLogging, nil, ["TargetBucketLocation": location])
            // The location constraint of us-east-1 is empty.
            if bucket.regionName != "us-east-1" {
                refusal.details.insert(S3Error.Detail(name: "SourceBucketLocation", value: bucket.regionName), at: 0)
            }
            throw refusal
        }
        guard status.targetGrants.isEmpty || !target.ignoresLists else { throw S3Error(.accessControlListNotSupported) }
    }
}
