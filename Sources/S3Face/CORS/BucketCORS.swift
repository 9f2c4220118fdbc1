import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func getBucketCors(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketCORS, on: bucket)
        guard let configuration = try cors(of: bucket) else {
            throw S3Error(.noSuchCORSConfiguration, nil, ["BucketName": name])
        }
        return answer(root: CORSConfiguration.root, configuration.encode)
    }

    func putBucketCors(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketCORS, on: bucket)
        let configuration = try CORSConfiguration(try await configurationDocument(CORSConfiguration.root, needsDigest: true))
        try await store(document(CORSConfiguration.root, configuration.encode), as: .cors, in: bucket)
        return answer()
    }

    /// DeleteBucketCors. Succeeds even if there are no rules.
    func deleteBucketCors(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketCORS, on: bucket)
        try await store(nil, as: .cors, in: bucket)
        return answer(.noContent)
    }

    /// Returns the CORS rules of a bucket; `nil` if it has none.
    func cors(of bucket: Bucket) throws(S3Error) -> CORSConfiguration? {
        try rules(of: bucket).document(.cors, CORSConfiguration.init(stored:))
    }
}
