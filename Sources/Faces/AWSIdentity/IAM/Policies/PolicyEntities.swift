import Cloud
import Directory
import WireFormats

extension IAMFace {
    /// ListEntitiesForPolicy. Groups, users and roles, in this order, form one list for paging.
    static func listEntitiesForPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        let filter = call.parameters.choice("EntityFilter", of: ["User", "Role", "Group", "LocalManagedPolicy", "AWSManagedPolicy"])
        let prefix = call.parameters.pathPrefix()
        let usage = call.parameters.policyUsage()
        let policy = try call.policy(arn)
        func uses(_ attached: [String], _ boundary: String?) -> Bool {
            (usage != .boundary && attached.contains(policy.arn)) || (usage != .permissions && boundary == policy.arn)
        }
        let (account, directory) = (call.account, call.directory)
        var entities: [Entity] = []
        for group in directory.groups.values where uses(group.attachedPolicies, nil) {
            entities.append(Entity(kind: .group, account: group.account, path: group.path, name: group.name, id: group.id))
        }
        for user in directory.users.values.map(\.user) where uses(user.attachedPolicies, user.boundary) {
            entities.append(Entity(kind: .user, account: user.account, path: user.path, name: user.name, id: user.id))
        }
        for role in directory.roles.values.map(\.role) where uses(role.attachedPolicies, role.boundary) {
            entities.append(Entity(kind: .role, account: role.account, path: role.path, name: role.name, id: role.id))
        }
        entities = entities.filter { entity in
            entity.account == account && entity.path.hasPrefix(prefix) && (filter == nil || filter == entity.kind.title)
        }.sorted { $0.key < $1.key }
        let page = try Page(of: entities, parameters: &call.parameters, key: \.key)
        return { xml in
            for kind in Entity.Kind.allCases {
                xml.element("Policy\(kind.title)s") { xml in
                    for entity in page.items where entity.kind == kind {
                        xml.element("member") { xml in
                            xml.element("\(kind.title)Name", entity.name)
                            xml.element("\(kind.title)Id", entity.id)
                        }
                    }
                }
            }
            page.encodeEnd(into: &xml)
        }
    }

    /// A group, user or role that uses a policy.
    private struct Entity {
        enum Kind: Int, CaseIterable {
            case group, user, role

            var title: String {
                switch self {
                case .group: "Group"
                case .user: "User"
                case .role: "Role"
                }
            }
        }

        var kind: Kind
        var account: String
        var path: String
        var name: String
        var id: String

        var key: String { "\(kind.rawValue) \(name.lowercased())" }
    }
}
