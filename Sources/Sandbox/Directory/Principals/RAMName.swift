import WireFormats

/// The kinds of names at RAM, with their rules. (RAM API Reference, "CreateUser", "CreateGroup", "CreateRole", "CreatePolicy"; IMS API
/// Reference, "CreateOIDCProvider".)
package enum RAMName: Sendable {
    case user
    case group
    case role
    case policy
    case provider

    /// The maximum number of characters of a name.
    package var longest: Int {
        switch self {
        case .user, .group, .role: 64
        case .policy, .provider: 128
        }
    }

    /// Returns whether every character of a name is allowed at its position.
    package func allowsCharacters(of name: String) -> Bool {
        let others =
            switch self {
            case .user: ".-_@"
            case .group, .role, .provider: ".-_"
            case .policy: "-"
            }
        let isMade = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: others.utf8.contains(byte)
            }
        }
        guard isMade, self == .provider else { return isMade }
        return name.first.map { others.contains($0) } != true && name.last.map { others.contains($0) } != true
    }

    /// Returns whether a name has an allowed length and only allowed characters.
    package func allows(_ name: String) -> Bool { (1...longest).contains(name.utf8.count) && allowsCharacters(of: name) }

    /// A description of the names that ``provider`` allows.
    package static let providerForm = "a provider's name of 1 to 128 letters, digits and .-_, which stand neither first nor last"
}
