import Directory
import WireFormats

/// The kinds of policy holder, in the words of RAM.
enum RAMPolicyHolder: String, CaseIterable {
    case user = "User"
    case group = "Group"
    case role = "Role"

    /// The kind as in resources and messages.
    var word: String { rawValue.lowercased() }
    /// The parameter with the holder's name.
    var parameter: String { "\(rawValue)Name" }
    var names: RAMName {
        switch self {
        case .user: .user
        case .group: .group
        case .role: .role
        }
    }

    var type: any PolicyHolder.Type {
        switch self {
        case .user: User.self
        case .group: Group.self
        case .role: Role.self
        }
    }

    /// Returns the holder with a name, or `nil` if the account has none of this kind.
    func holder(_ name: String, in directory: Directory, account: String) -> (any PolicyHolder)? {
        type.find(name, in: directory, account: account)
    }
}
