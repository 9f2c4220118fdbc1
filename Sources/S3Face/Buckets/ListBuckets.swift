import Calls
import Cloud
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// ListBuckets. Returns the buckets of the caller's account.
    func listBuckets() throws(S3Error) -> Response {
        guard let account = caller.account else { throw S3Error(.accessDenied) }
        // The resource stands for all buckets. (IAM User Guide, "Allows read and write access to objects in an S3 bucket".)
        try authorize(.listAllMyBuckets, resource: "arn:aws:s3:::*", ownedBy: account)
        let prefix = query["prefix"] ?? ""
        let limit = try bucketLimit()
        let after = try query["continuation-token"].flatMap { token throws(S3Error) in
            token.isEmpty ? nil : try ContinuationToken.key(checking: token)
        }
        let region = query["bucket-region"].flatMap { $0.isEmpty ? nil : $0 }
        if let region, !AWSRegion.isKnown(region) {
            throw S3Error(
                .invalidArgument, "Argument value \(region) is not a valid AWS Region", ["ArgumentName": "bucket-region"])
        }
        let matching = objects.buckets(of: account).filter { bucket in
            bucket.name.utf8.starts(with: prefix.utf8) && after.map { $0.utf8.lexicographicallyPrecedes(bucket.name.utf8) } ?? true
                && region.map { $0 == bucket.regionName } ?? true
        }
        let page = matching.prefix(limit)
        let owner = canonicalUser(account)
        let isDetailed = ["prefix", "max-buckets", "continuation-token", "bucket-region"].contains { query[$0] != nil }
        return answer(root: "ListAllMyBucketsResult") { xml in
            owner.encode(as: "Owner", into: &xml)
            xml.element("Buckets") { xml in
                for bucket in page {
                    xml.element("Bucket") { xml in
                        xml.element("Name", bucket.name)
                        xml.element("CreationDate", clock.effective(bucket.created).iso8601WholeSeconds)
                        if isDetailed { xml.element("BucketRegion", bucket.regionName) }
                        xml.element("BucketArn", "arn:aws:s3:::\(bucket.name)")
                    }
                }
            }
            if page.count < matching.count, let last = page.last {
                xml.element("ContinuationToken", ContinuationToken.token(after: last.name))
            }
            if query["prefix"] != nil { xml.element("Prefix", prefix) }
        }
    }

    private func bucketLimit() throws(S3Error) -> Int {
        guard let text = query["max-buckets"], !text.isEmpty else { return 10_000 }
        guard let limit = Int(digits: text), (1...10_000).contains(limit) else {
            throw .invalidArgument(
                "Argument max-buckets must be an integer between 1 and 10000.", name: "max-buckets", value: text)
        }
        return limit
    }
}
