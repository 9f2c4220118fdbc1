import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Request {
    /// GetBucketWebsite.
    func getBucketWebsite(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketWebsite, on: bucket)
        guard let configuration = try website(of: bucket) else { throw S3Error.noSuchWebsiteConfiguration(name) }
        return answer(root: WebsiteConfiguration.root, configuration.encode)
    }

    /// PutBucketWebsite.
    func putBucketWebsite(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketWebsite, on: bucket)
        let configuration = try WebsiteConfiguration(
            try await configurationDocument(WebsiteConfiguration.root, needsDigest: false))
        try await store(document(WebsiteConfiguration.root, configuration.encode), as: .website, in: bucket)
        return answer()
    }

    /// DeleteBucketWebsite. A website that is not there is deleted as well.
    func deleteBucketWebsite(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.deleteBucketWebsite, on: bucket)
        try await store(nil, as: .website, in: bucket)
        return answer(.noContent)
    }

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
