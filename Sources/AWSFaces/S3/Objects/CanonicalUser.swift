import Cloud
import WireFormats

/// An account as S3 names it in listings: by its canonical user ID.
/// (AWS Account Management Reference, "Canonical user ID".)
struct CanonicalUser: Hashable {
    var id: String
    var displayName: String

    init(account: String, in directory: Directory) {
        id = directory.canonicalUserID(of: account)
        displayName = directory.accounts[account]?.name ?? account
    }

    /// - Parameter element: `Owner` or `Initiator`.
    func encode(as element: String, into xml: inout XMLWriter) {
        xml.element(element) { xml in
            xml.element("ID", id)
            xml.element("DisplayName", displayName)
        }
    }
}
