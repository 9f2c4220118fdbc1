import ControlDocuments
import WireFormats

/// The object stores, which the console uses by their own APIs.
enum StoreCloud: String, Sendable, CaseIterable {
    case s3, oss

    /// - Parameter vendor: the cloud as the control API names it.
    init(vendor: String) { self = vendor == "alibaba" ? .oss : .s3 }

    var vendor: String { self == .s3 ? "aws" : "alibaba" }
    var title: String { self == .s3 ? "Amazon S3" : "Alibaba Cloud OSS" }
    /// The prefix of the store's own headers.
    var header: String { self == .s3 ? "x-amz-" : "x-oss-" }

    /// The signatures that URLs can have, with the usual one first.
    var signatures: [(id: String, title: String)] {
        switch self {
        case .s3: [("v4", "Version 4"), ("v2", "Version 2")]
        case .oss: [("oss-v4", "OSS Version 4"), ("oss-v2", "OSS Version 2"), ("oss-v1", "OSS Version 1")]
        }
    }

    /// Returns the ARN of a bucket or object.
    func arn(_ bucket: String, _ key: String?) -> String {
        let path = key.map { "\(bucket)/\($0)" } ?? bucket
        return self == .s3 ? "arn:aws:s3:::\(path)" : "acs:oss:*:*:\(path)"
    }

    /// Returns the URI that command lines accept.
    func uri(_ bucket: String, _ key: String) -> String { "\(rawValue)://\(bucket)/\(key)" }
}

/// A bucket, as `GET /_virga/buckets` lists it.
typealias StoredBucket = Document<BucketMembers>

extension StoredBucket {
    var cloud: StoreCloud { StoreCloud(vendor: self.vendor) }
}
