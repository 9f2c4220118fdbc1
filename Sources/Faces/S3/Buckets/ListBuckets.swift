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
        let input = try input(ListBucketsInput.self)
        let prefix = input.prefix ?? ""
        let page = objects.buckets(of: account, prefix: prefix, after: input.after, limit: input.limit) { bucket in
            input.region.map { $0 == bucket.regionName } ?? true
        }
        let owner = canonicalUser(account)
        return answer(root: "ListAllMyBucketsResult") { xml in
            owner.encode(as: "Owner", into: &xml)
            xml.element("Buckets") { xml in
                for bucket in page.buckets {
                    xml.element("Bucket") { xml in
                        xml.element("Name", bucket.name)
                        xml.element("CreationDate", clock.effective(bucket.created).iso8601WholeSeconds)
                        if input.isDetailed { xml.element("BucketRegion", bucket.regionName) }
                        xml.element("BucketArn", "arn:aws:s3:::\(bucket.name)")
                    }
                }
            }
            if page.isTruncated, let last = page.buckets.last {
                xml.element("ContinuationToken", ContinuationToken.token(after: last.name))
            }
            if let prefix = input.prefix { xml.element("Prefix", prefix) }
        }
    }
}
