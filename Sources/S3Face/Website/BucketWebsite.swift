import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Request {
    func getBucketWebsite(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketWebsite, on: bucket)
        guard let configuration = try website(of: bucket) else { throw S3Error.noSuchWebsiteConfiguration(name) }
        return answer(root: WebsiteConfiguration.root, configuration.encode)
    }

    func putBucketWebsite(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketWebsite, on: bucket)
        let configuration = try WebsiteConfiguration(
            try await configurationDocument(WebsiteConfiguration.root, needsDigest: false))
        try await store(document(WebsiteConfiguration.root, configuration.encode), as: .website, in: bucket)
        return answer()
    }

    /// DeleteBucketWebsite. Succeeds even if there is no website.
    func deleteBucketWebsite(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.deleteBucketWebsite, on: bucket)
        try await store(nil, as: .website, in: bucket)
        return answer(.noContent)
    }

    /// Returns the website configuration of a bucket; `nil` if it has none.
    func website(of bucket: Bucket) throws(S3Error) -> WebsiteConfiguration? {
        try configuration(.website, of: bucket, WebsiteConfiguration.init)
    }
}

extension S3Error {
    static func noSuchWebsiteConfiguration(_ bucket: String) -> S3Error {
        S3Error(.noSuchWebsiteConfiguration, nil, ["BucketName": bucket])
    }
}
