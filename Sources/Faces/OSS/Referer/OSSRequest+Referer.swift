import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Rejects an anonymous or presigned request with a referer that the bucket's configuration does not allow.
    /// (OSS User Guide, "Hotlink protection", "Usage notes".)
    func checkReferer(on bucket: Bucket) throws(OSSError) {
        guard bucket.configuration.documents[.ossReferer] != nil, authenticated == nil || authenticated?.place == .query,
            let element = try configuration(.ossReferer, of: bucket)
        else { return }
        guard RefererConfiguration(element).allows(headers.value(of: .referer)) else {
            throw OSSError(.accessDenied, "You are denied by bucket referer policy.", ["BucketName": bucket.name], subcode: "0003-00000503")
        }
    }
}
