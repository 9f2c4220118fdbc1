import Calls
import Cloud
import Directory
import Federation
import ObjectStore
import WireFormats

/// An account as S3 names it in listings: by its canonical user ID.
/// (AWS Account Management Reference, "Canonical user ID".)
struct CanonicalUser: Hashable {
    var id: String
    /// Nothing since S3 tells no display names of owners any more. (S3 API Reference, "Owner": discontinued in November 2025.)
    var displayName: String?

    /// - Parameter element: `Owner` or `Initiator`.
    func encode(as element: String, into xml: inout XMLWriter) {
        xml.element(element) { xml in
            xml.element("ID", id)
            if let displayName { xml.element("DisplayName", displayName) }
        }
    }
}

extension S3Request {
    /// An account as the owner of something.
    func canonicalUser(_ account: String) -> CanonicalUser {
        let directory = call.cloud.directory
        return CanonicalUser(
            id: directory.canonicalUserID(of: account),
            displayName: dialect == .ceph ? directory.accounts[account]?.name ?? account : nil)
    }

    /// Who started an upload: a user or a session by its ARN and name, the root user as its account.
    /// (S3 API Reference, "Initiator".)
    func initiator(of upload: MultipartUpload, in bucket: Bucket) -> CanonicalUser {
        guard dialect == .aws, let arn = upload.initiator, let slash = arn.firstIndex(of: "/") else {
            return canonicalUser(bucket.shownOwner(upload.owner))
        }
        let name = arn[arn.index(after: slash)...]
        // A user's path is no part of the name; what stands before the name of a session is.
        let isUser = arn[..<slash].hasSuffix(":user")
        return CanonicalUser(id: arn, displayName: String(isUser ? name.split(separator: "/").last ?? name : name))
    }
}
