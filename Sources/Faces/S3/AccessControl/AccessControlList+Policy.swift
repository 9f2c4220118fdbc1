import Cloud
import Directory
import ObjectStore
import Policy
import WireFormats

/// The type of resource that an ACL is attached to.
enum ListedResource {
    case bucket
    case object
}

extension AccessControlList {
    /// Converts the ACL to a policy, so that one authorizer evaluates both and a trace shows which grant allowed a request.
    /// - Parameters:
    ///   - label: the name of the policy in the trace.
    ///   - bucket: the bucket that has the ACL, or that contains the object.
    /// - Returns: `nil` if no grant allows an action.
    /// - Throws: `InternalError` if a grant cannot be expressed as a statement.
    func policy(
        _ label: String, on resource: ListedResource, in bucket: String, _ directory: Directory
    ) throws(S3Error) -> AttachedPolicy? {
        var statements: [JSONValue] = []
        for (index, grant) in grants.enumerated() {
            let actions = grant.permission.actions(on: resource)
            guard !actions.isEmpty, let principal = grant.principal(directory) else { continue }
            statements.append([
                "Sid": "grant \(index + 1) \(grant.permission.name)", "Effect": "Allow", "Principal": principal,
                "Action": .array(actions.map { .string($0.rawValue) }),
                "Resource": ["arn:aws:s3:::\(bucket)", "arn:aws:s3:::\(bucket)/*"],
                "Condition": grant.needsSignature ? ["StringNotEquals": ["aws:PrincipalType": "Anonymous"]] : [:],
            ])
        }
        guard !statements.isEmpty else { return nil }
        let document: PolicyDocument
        do { document = try PolicyDocument(json: ["Statement": .array(statements)], kind: .resource) } catch {
            throw S3Error(failure: error)
        }
        return AttachedPolicy(label, document)
    }
}

extension AccessControlList.Grant {
    /// Whether the grantee is the group of all users or of all authenticated users. (S3 User Guide, "The meaning of 'public'".)
    var isPublic: Bool {
        switch grantee {
        case .group(let uri): uri == PredefinedGroup.allUsers.rawValue || uri == PredefinedGroup.authenticatedUsers.rawValue
        case .canonicalUser, .email: false
        }
    }

    fileprivate var needsSignature: Bool { grantee == .group(PredefinedGroup.authenticatedUsers.rawValue) }

    /// The grantee as the `Principal` of a statement; `nil` if the grantee matches no caller.
    fileprivate func principal(_ directory: Directory) -> JSONValue? {
        switch grantee {
        case .canonicalUser(let id): directory.account(ofCanonicalUser: id).map { ["AWS": .string($0.id)] }
        case .email(let address): directory.account(ofMail: address).map { ["AWS": .string($0.id)] }
        case .group: isPublic ? "*" : nil
        }
    }
}

extension AccessControlList.Permission {
    /// The actions that the permission allows.
    /// (S3 User Guide, "Mapping of ACL permissions and access policy permissions".)
    func actions(on resource: ListedResource) -> [S3Action] {
        switch (resource, self) {
        case (.bucket, .read): [.listBucket, .listBucketVersions, .listBucketMultipartUploads]
        case (.bucket, .write): [.putObject, .deleteObject, .abortMultipartUpload, .listMultipartUploadParts]
        case (.bucket, .readACP): [.getBucketAcl]
        case (.bucket, .writeACP): [.putBucketAcl]
        case (.object, .read): [.getObject, .getObjectVersion]
        case (.object, .write): []
        case (.object, .readACP): [.getObjectAcl, .getObjectVersionAcl]
        case (.object, .writeACP): [.putObjectAcl, .putObjectVersionAcl]
        case (_, .fullControl): [Self.read, .write, .readACP, .writeACP].flatMap { $0.actions(on: resource) }
        }
    }
}
