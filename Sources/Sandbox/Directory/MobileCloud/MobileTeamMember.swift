/// A member of the team that develops and runs the mobile cloud: a user of the identity domain, not of a realm.
/// (Using Oracle Mobile Cloud Service, "Team Members".)
package struct MobileTeamMember: Hashable, Sendable, Codable {
    /// The user name.
    package var name: String
    /// The password.
    package var password: String
    /// The roles, such as ``databaseManagement``.
    package var roles: [String]

    /// The role that allows the management of tables.
    package static let databaseManagement = "Mobile_DbMgmt"

    package init(name: String, password: String, roles: [String]) {
        self.name = name
        self.password = password
        self.roles = roles
    }
}
