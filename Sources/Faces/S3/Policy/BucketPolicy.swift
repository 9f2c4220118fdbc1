import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import NIOCore
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// The maximum size of a policy in bytes. (S3 User Guide, "Bucket policies".)
    private static let policyLimit = 20 << 10

    /// GetBucketPolicy. Names of principals that were deleted or renamed are replaced.
    func getBucketPolicy(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorizePolicy(.getBucketPolicy, of: bucket)
        guard let policy = shownPolicy(of: bucket) else { throw S3Error(.noSuchBucketPolicy, nil, ["BucketName": name]) }
        var headers = call.s3Headers()
        headers.append(HTTPField(name: .contentType, value: "application/json"))
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: policy)))
    }

    func putBucketPolicy(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorizePolicy(.putBucketPolicy, of: bucket)
        let bytes = try await document(upTo: Self.policyLimit, try declaredBody())
        guard bytes.first == UInt8(ascii: "{"), let text = String(validating: bytes, as: UTF8.self) else {
            throw S3Error(.malformedPolicy)
        }
        let (document, principals) = try checkedPolicy(text, of: bucket)
        if document.isPublic, bucket.configuration.publicAccessBlock?.contains(.blocksPublicPolicy) == true {
            throw denied(
                .putBucketPolicy, "arn:aws:s3:::\(name)",
                "because public policies are blocked by the BlockPublicPolicy block public access setting.")
        }
        let isLocked = try input(PutBucketPolicyInput.self).removesSelfAccess
        do {
            try await objects.configure(bucket.id) {
                $0.documents[.policy] = text
                $0.documents[.policyPrincipals] = principals.stored
                $0.documents[.policyLock] = isLocked ? "true" : nil
            }
        } catch { throw S3Error(error, bucket: name) }
        return answer(.noContent)
    }

    /// DeleteBucketPolicy. Succeeds even if there is no policy.
    func deleteBucketPolicy(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorizePolicy(.deleteBucketPolicy, of: bucket)
        do {
            try await objects.configure(bucket.id) {
                $0.documents[.policy] = nil
                $0.documents[.policyPrincipals] = nil
                $0.documents[.policyLock] = nil
            }
        } catch { throw S3Error(error, bucket: name) }
        return answer(.noContent)
    }

    /// Returns the text of a bucket policy with the present names of its principals. RADOS Gateway returns the text as it was put.
    private func shownPolicy(of bucket: Bucket) -> String? {
        guard let policy = bucket.policy, let json = try? JSONValue(parsing: policy) else { return bucket.policy }
        let shown = bucket.policyPrincipals.flatMap { BoundPrincipals(stored: $0).shown(json, in: call.cloud.directory) }
        if dialect == .ceph { return shown?.serialized() ?? policy }
        return BucketPolicyText.text(of: shown ?? json)
    }

    /// Checks the permission for an operation on the policy. The policy itself cannot deny it to the root user of the owner, or allow it to
    /// another account. (S3 API Reference, PutBucketPolicy, "Permissions".)
    /// - Throws: `AccessDenied`, and `MethodNotAllowed` for other accounts that have permission.
    private func authorizePolicy(_ action: S3Action, of bucket: Bucket) throws(S3Error) {
        if case .root(let account, _) = caller, account.id == bucket.account, bucket.configuration.documents[.policyLock] == nil {
            try authorize(action, resource: "arn:aws:s3:::\(bucket.name)", ownedBy: bucket.account)
        } else {
            try authorize(action, on: bucket)
        }
        guard dialect != .aws || caller.account == bucket.account else {
            throw .methodNotAllowed(call.method, on: "BUCKETPOLICY", allowed: [])
        }
    }

    /// Parses and validates a policy: its actions, resources and principals must exist.
    /// - Returns: the policy, and the principals that it names.
    /// - Throws: `MalformedPolicy`.
    private func checkedPolicy(_ text: String, of bucket: Bucket) throws(S3Error) -> (PolicyDocument, BoundPrincipals) {
        do {
            let document = try PolicyDocument(parsing: text, kind: .resource, dialect: dialect.ofPolicies)
            if dialect == .aws, let principal = document.principalOfAnotherPartition {
                throw S3Error(.malformedPolicy, "Invalid principal in policy", ["Detail": "\"\(principal.type)\" : \"\(principal.name)\""])
            }
            let directory = call.cloud.directory
            let principals = BoundPrincipals(of: document, in: directory)
            for name in document.principalNames where principals.ids[name] == nil {
                throw S3Error(.malformedPolicy, "Invalid principal in policy", ["Detail": "\"AWS\" : \"\(name)\""])
            }
            for user in document.canonicalUsers where directory.account(ofCanonicalUser: user) == nil {
                throw S3Error(.malformedPolicy, "Invalid principal in policy", ["Detail": "\"CanonicalUser\" : \"\(user)\""])
            }
            try document.checkScope(bucket: bucket.name, dialect)
            return (document, principals)
        } catch let error as PolicySyntaxError {
            throw S3Error(.malformedPolicy, error.message, error.detail.isEmpty ? [:] : ["Detail": error.detail])
        } catch let error as S3Error {
            throw error
        } catch {
            throw S3Error(.malformedPolicy)
        }
    }
}
