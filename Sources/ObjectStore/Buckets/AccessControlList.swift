/// Who beside the owner may do what, as the older form of permission has it; spelled in no dialect.
/// (S3 User Guide, "Access control list (ACL) overview".) The owner is told by the record that has the list.
package struct AccessControlList: Hashable, Sendable {
    /// What a grant allows.
    package enum Permission: UInt8, Hashable, Sendable, CaseIterable {
        case fullControl = 1
        case read
        case write
        case readACP
        case writeACP
    }

    /// Whom a grant names.
    package enum Grantee: Hashable, Sendable {
        /// A canonical user, by its identifier.
        case canonicalUser(String)
        /// An address of mail, as it was given.
        case email(String)
        /// A predefined group, by its URI.
        case group(String)
    }

    /// A permission and who has it.
    package struct Grant: Hashable, Sendable {
        /// Who has the permission.
        package var grantee: Grantee
        /// What it allows.
        package var permission: Permission

        package init(_ grantee: Grantee, _ permission: Permission) {
            self.grantee = grantee
            self.permission = permission
        }
    }

    /// In the order given; those of the owner are among them.
    package var grants: [Grant]

    package init(grants: [Grant] = []) { self.grants = grants }
}
