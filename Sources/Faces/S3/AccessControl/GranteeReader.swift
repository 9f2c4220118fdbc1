import Calls
import Cloud
import Directory
import Federation
import ObjectStore
import WireFormats

/// Validates and resolves the grantees that requests name.
struct GranteeReader {
    let directory: Directory
    let dialect: Dialect

    /// Returns the grantee for the canonical ID of an existing user.
    /// - Parameter argument: the name of the argument or element that carries the ID, for the error.
    /// - Throws: `InvalidArgument`.
    func canonicalUser(_ id: String, _ argument: String) throws(S3Error) -> AccessControlList.Grantee {
        guard directory.account(ofCanonicalUser: id) != nil else {
            throw .invalidArgument("Invalid id", name: argument, value: id)
        }
        return .canonicalUser(id)
    }

    /// Returns the grantee for the URI of a predefined group.
    /// - Parameter argument: the name of the argument or element that carries the URI, for the error.
    /// - Throws: `InvalidArgument`.
    func group(_ uri: String, _ argument: String) throws(S3Error) -> AccessControlList.Grantee {
        guard PredefinedGroup(rawValue: uri) != nil else {
            throw .invalidArgument("Invalid group uri", name: argument, value: uri)
        }
        return .group(uri)
    }

    /// Returns the grantee for an email address. AWS has rejected addresses since October 2025; before that, an address was replaced by the
    /// canonical user of the account with that address.
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
