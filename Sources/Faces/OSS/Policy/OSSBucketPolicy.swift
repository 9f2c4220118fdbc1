import Calls
import Cloud
import HTTPTypes
import NIOCore
import ObjectStore
import Policy
import WireFormats

extension OSSRequest {
    /// The maximum size of a policy in bytes. (OSS API Reference, "PutBucketPolicy".)
    private static let policyLimit = 16 << 10

    /// GetBucketPolicy. Returns the text as it was put.
    func getBucketPolicy(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketPolicy, on: bucket)
        guard let policy = bucket.configuration.documents[.ossPolicy] else {
            throw OSSError(.noSuchBucketPolicy, nil, ["BucketName": bucket.name])
        }
        var response = answer(.ok, [.contentType: "application/json"])
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: policy))
        return response
    }

    func putBucketPolicy(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketPolicy, on: bucket)
        let bytes = try await document(upTo: 4 * Self.policyLimit)
        guard bytes.count <= Self.policyLimit else {
            throw OSSError(.invalidPolicyDocument, "Policy length is limited to 16KB", subcode: "0015-00000602")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw OSSError(.invalidPolicyDocument) }
        let document: PolicyDocument
        do { document = try PolicyDocument(parsing: text, kind: .resource, dialect: .ram) } catch {
            throw OSSError(.invalidPolicyDocument, error.detail.isEmpty ? error.message : "\(error.message): \(error.detail)")
        }
        if document.isPublic, blocksPublicAccess(bucket) {
            throw OSSError(.accessDenied, "Put public bucket policy is not allowed", subcode: "0003-00000802")
        }
        try await store(text, as: .ossPolicy, in: bucket)
        return answer()
    }

    /// DeleteBucketPolicy. Succeeds even if there is no policy.
    func deleteBucketPolicy(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.deleteBucketPolicy, on: bucket)
        try await store(nil, as: .ossPolicy, in: bucket)
        return answer(.noContent)
    }

    func getBucketPolicyStatus(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketPolicyStatus, on: bucket)
        let isPublic = try rules(of: bucket).access().isPolicyPublic
        return answer(root: "PolicyStatus") { xml in xml.element("IsPublic", isPublic) }
    }
}
