/// An access control list (ACL), independent of the dialect. The record that has the list stores the owner.
/// (S3 User Guide, "Access control list (ACL) overview".)
package struct AccessControlList: Hashable, Sendable {
    /// A permission of a grant.
    package enum Permission: UInt8, Hashable, Sendable, CaseIterable {
        case fullControl = 1
        case read
        case write
        case readACP
        case writeACP
    }

    /// The grantee of a grant.
    package enum Grantee: Hashable, Sendable {
        /// A canonical user, by its identifier.
        case canonicalUser(String)
        /// A mail address, in its original form.
        case email(String)
        /// A predefined group, by its URI.
        case group(String)
    }

    /// A permission for a grantee.
    package struct Grant: Hashable, Sendable {
        /// The grantee.
        package var grantee: Grantee
        /// The permission.
        package var permission: Permission

        package init(_ grantee: Grantee, _ permission: Permission) {
            self.grantee = grantee
            self.permission = permission
        }
    }

    /// The grants in their original order, including those of the owner.
    package var grants: [Grant]

    package init(grants: [Grant] = []) { self.grants = grants }
}
