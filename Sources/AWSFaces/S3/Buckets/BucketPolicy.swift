import Cloud
import Exchange
import Federation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Policy
import WireFormats

extension S3Request {
    /// The largest policy. (S3 User Guide, "Bucket policies".)
    private static let policyLimit = 20 << 10

    /// GetBucketPolicy: the text as it was put.
    func getBucketPolicy(_ name: String) throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorizePolicy(.getBucketPolicy, of: bucket)
        guard let policy = bucket.policy else { throw S3Error(.noSuchBucketPolicy, nil, ["BucketName": name]) }
        var headers = exchange.s3Headers()
        headers.append(HTTPField(name: .contentType, value: "application/json"))
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: policy)))
    }

    /// PutBucketPolicy.
    func putBucketPolicy(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorizePolicy(.putBucketPolicy, of: bucket)
        let bytes = try await document(upTo: Self.policyLimit, try declaredBody())
        guard bytes.first == UInt8(ascii: "{"), let text = String(validating: bytes, as: UTF8.self) else {
            throw S3Error(.malformedPolicy)
        }
        do {
            let document = try PolicyDocument(parsing: text, kind: .resource)
            let directory = exchange.cloud.directory
            _ = try document.bound { directory.uniqueID(ofPrincipal: $0) }
            try checkScope(of: document, bucket: name)
        } catch let error as PolicySyntaxError {
            throw S3Error(.malformedPolicy, error.message, error.detail.isEmpty ? [:] : ["Detail": error.detail])
        }
        do { try await objects.configure(bucket.id) { $0.documents[.policy] = text } } catch { throw S3Error(error, bucket: name) }
        return answer(.noContent)
    }

    /// DeleteBucketPolicy. A policy that is not there is deleted as well.
    func deleteBucketPolicy(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorizePolicy(.deleteBucketPolicy, of: bucket)
        do { try await objects.configure(bucket.id) { $0.documents[.policy] = nil } } catch { throw S3Error(error, bucket: name) }
        return answer(.noContent)
    }

    /// No policy can lock the root user of the owner out from the policy itself.
    /// (S3 API Reference, PutBucketPolicy, "Permissions".)
    private func authorizePolicy(_ action: S3Action, of bucket: Bucket) throws(S3Error) {
        if case .root(let account) = caller, account.id == bucket.account {
            try authorize(action, resource: "arn:aws:s3:::\(bucket.name)", ownedBy: bucket.account)
        } else {
            try authorize(action, on: bucket)
        }
    }

    /// A bucket's policy speaks of actions of S3 on that bucket and what is in it.
    private func checkScope(of document: PolicyDocument, bucket: String) throws(S3Error) {
        let root = "arn:aws:s3:::\(bucket)"
        for statement in document.json["Statement"]?.listed ?? [] {
            let actions = (statement["Action"] ?? statement["NotAction"])?.listed ?? []
            for action in actions.compactMap(\.stringValue) where action != "*" {
                guard action.lowercased().hasPrefix("s3:") else { throw S3Error(.malformedPolicy, "Policy has invalid action") }
            }
            let resources = (statement["Resource"] ?? statement["NotResource"])?.listed ?? []
            for resource in resources.compactMap(\.stringValue) {
                guard resource == root || resource.hasPrefix(root + "/") || resource.hasPrefix(root + "*") else {
                    throw S3Error(.malformedPolicy, "Policy has invalid resource")
                }
            }
        }
    }
}

extension JSONValue {
    /// The members of a list, or the value itself where policies may leave the list out.
    fileprivate var listed: [JSONValue] { arrayValue ?? [self] }
}

extension Directory {
    /// The unique identifier of the user or role that a policy names by ARN or by that identifier; nothing if there is none.
    fileprivate func uniqueID(ofPrincipal name: String) -> String? {
        if let role = role(arn: name) { return role.id }
        let users = users.values
        if let user = users.first(where: { $0.arn == name || $0.id == name }) { return user.id }
        return roles.values.first { $0.id == name }?.id
    }
}
