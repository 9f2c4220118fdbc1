import Calls
import Cloud
import Directory
import Federation
import ObjectStore
import WireFormats

/// An account in listings, identified by its canonical user ID.
/// (AWS Account Management Reference, "Canonical user ID".)
struct CanonicalUser: Hashable {
    var id: String
    /// `nil` in the AWS dialect: S3 has returned no display names since November 2025. (S3 API Reference, "Owner".)
    var displayName: String?

    /// Writes the account as an element.
    /// - Parameter element: `Owner` or `Initiator`.
    func encode(as element: String, into xml: inout XMLWriter) {
        xml.element(element) { xml in
            xml.element("ID", id)
            if let displayName { xml.element("DisplayName", displayName) }
        }
    }
}

extension S3Request {
    /// Returns an account in the form of an owner element.
    func canonicalUser(_ account: String) -> CanonicalUser {
        let directory = call.cloud.directory
        return CanonicalUser(
            id: directory.canonicalUserID(of: account),
            displayName: dialect == .ceph ? directory.accounts[account]?.name ?? account : nil)
    }

    /// Returns the creator of an upload: the ARN and name of a user or session, or the account of a root user.
    /// (S3 API Reference, "Initiator".)
    func initiator(of upload: MultipartUpload, in bucket: Bucket) -> CanonicalUser {
        guard dialect == .aws, let arn = upload.initiator, let slash = arn.firstIndex(of: "/") else {
            return canonicalUser(bucket.shownOwner(upload.owner))
        }
        let name = arn[arn.index(after: slash)...]
        // The path of a user is not part of the name; the role name before a session name is.
        let isUser = arn[..<slash].hasSuffix(":user")
        return CanonicalUser(id: arn, displayName: String(isUser ? name.split(separator: "/").last ?? name : name))
    }
}
