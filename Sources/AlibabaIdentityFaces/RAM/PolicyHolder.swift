import Cloud
import Directory
import WireFormats

/// Who can hold policies: a user, a group or a role, with what is attached.
struct PolicyHolder {
    enum Kind: String, CaseIterable {
        case user = "User"
        case group = "Group"
        case role = "Role"

        /// As in resources and messages.
        var word: String { rawValue.lowercased() }
        /// The parameter that names one.
        var parameter: String { "\(rawValue)Name" }
        var names: RAMName {
            switch self {
            case .user: .user
            case .group: .group
            case .role: .role
            }
        }
    }

    private let record: DirectoryRecord

    /// The holder of a name; nothing where there is none.
    init?(_ kind: Kind, _ name: String, in account: String, _ directory: Directory) {
        let record: DirectoryRecord? =
            switch kind {
            case .user: directory.user(name, in: account).map { .user($0.user) }
            case .group: directory.group(name, in: account).map { .group($0) }
            case .role: directory.role(name, in: account).map { .role($0.role) }
            }
        guard let record else { return nil }
        self.record = record
    }

    /// ARNs, in the order in which they were attached.
    var policies: [String] {
        switch record {
        case .user(let user): user.attachedPolicies
        case .group(let group): group.attachedPolicies
        case .role(let role): role.attachedPolicies
        default: []
        }
    }

    private var dates: [String: Timestamp]? {
        switch record {
        case .user(let user): user.attachmentDates
        case .group(let group): group.attachmentDates
        case .role(let role): role.attachmentDates
        default: nil
        }
    }

    private var created: Timestamp {
        switch record {
        case .user(let user): user.created
        case .group(let group): group.created
        case .role(let role): role.created
        default: .fill
        }
    }

    /// When a policy was attached.
    func date(of policy: String) -> Timestamp { dates?[policy] ?? created }

    /// Attaches a policy.
    func attaching(_ policy: String, at time: Timestamp) -> DirectoryRecord {
        changed(policies: policies + [policy], dates: (dates ?? [:]).merging([policy: time]) { $1 })
    }

    /// Detaches a policy.
    func detaching(_ policy: String) -> DirectoryRecord {
        changed(policies: policies.filter { $0 != policy }, dates: dates?.filter { $0.key != policy })
    }

    private func changed(policies: [String], dates: [String: Timestamp]?) -> DirectoryRecord {
        switch record {
        case .user(var user):
            user.attachedPolicies = policies
            user.attachmentDates = dates
            return .user(user)
        case .group(var group):
            group.attachedPolicies = policies
            group.attachmentDates = dates
            return .group(group)
        case .role(var role):
            role.attachedPolicies = policies
            role.attachmentDates = dates
            return .role(role)
        default: return record
        }
    }
}
