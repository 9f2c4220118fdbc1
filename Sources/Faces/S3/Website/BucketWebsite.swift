import Cloud
import ObjectStore

extension S3Request {
    /// How the bucket is shown as a website; `nil` if it is not.
    func website(of bucket: Bucket) throws(S3Error) -> WebsiteConfiguration? {
        try configuration(.website, of: bucket, WebsiteConfiguration.init)
    }
}

extension S3Error {
    static func noSuchWebsiteConfiguration(_ bucket: String) -> S3Error {
        S3Error(.noSuchWebsiteConfiguration, nil, ["BucketName": bucket])
    }
}
