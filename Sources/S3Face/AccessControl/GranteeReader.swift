import Calls
import Cloud
import Directory
import Federation
import ObjectStore

/// Whom requests mean when they grant something.
struct GranteeReader {
    let directory: Directory
    let dialect: Dialect

    /// A canonical user that exists.
    /// - Parameter argument: how the request names the place of the identifier.
    /// - Throws: `InvalidArgument`.
    func canonicalUser(_ id: String, _ argument: String) throws(S3Error) -> AccessControlList.Grantee {
        guard directory.account(ofCanonicalUser: id) != nil else {
            throw .invalidArgument("Invalid id", name: argument, value: id)
        }
        return .canonicalUser(id)
    }

    /// - Parameter argument: how the request names the place of the URI.
    /// - Throws: `InvalidArgument`.
    func group(_ uri: String, _ argument: String) throws(S3Error) -> AccessControlList.Grantee {
        guard PredefinedGroup(rawValue: uri) != nil else {
            throw .invalidArgument("Invalid group uri", name: argument, value: uri)
        }
        return .group(uri)
    }

    /// S3 takes no addresses since October 2025; until then one became the canonical user whose account has it.
    /// (S3 API Reference, PutBucketAcl, "End of support notice".)
    /// - Throws: `MethodNotAllowed`, `UnresolvableGrantByEmailAddress`.
    func mail(_ address: String) throws(S3Error) -> AccessControlList.Grantee {
        guard dialect == .ceph else { throw S3Error(.methodNotAllowed) }
        guard let account = directory.account(ofMail: address) else { throw S3Error(.unresolvableGrantByEmailAddress) }
        return .canonicalUser(account.canonicalUserID)
    }
}

extension S3Request {
    var grantees: GranteeReader { GranteeReader(directory: call.cloud.directory, dialect: dialect) }
}
