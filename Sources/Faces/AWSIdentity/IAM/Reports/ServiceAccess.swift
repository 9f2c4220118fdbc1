import Cloud
import Directory
import Policy
import WireFormats

/// The users and roles that have the permissions of an entity or policy, and the services of these permissions.
struct ServiceAccess {
    /// A user or role. (IAM API Reference, "EntityInfo".)
    struct Entity: Hashable {
        var kind: String
        var arn: String
        var name: String
        var id: String
        var path: String
        /// The prefix of the ARNs of a role's sessions; `nil` for a user.
        var sessions: String?

        func isCaller(_ caller: String) -> Bool {
            if let sessions { return caller.hasPrefix(sessions) }
            return caller == arn
        }

        func encode(into xml: inout XMLWriter) {
            xml.element("Arn", arn)
            xml.element("Name", name)
            xml.element("Type", kind)
            xml.element("Id", id)
            xml.element("Path", path)
        }
    }

    /// One signed request.
    struct Use {
        var entity: Entity
        var service: String
        /// The requested actions, without the service. Actions on objects are omitted, because access to data is not tracked.
        var actions: [String]
        var time: Timestamp
    }

    private(set) var entities: [Entity] = []
    private var documents: [PolicyDocument] = []

    /// - Parameter arn: the ARN of a user, group, role or policy that the account can use.
    /// - Returns: `nil` if there is none.
    init?(of arn: String, in account: String, _ directory: Directory) {
        let users = directory.users.values.map(\.user).filter { $0.account == account }
        let roles = directory.roles.values.map(\.role).filter { $0.account == account }
        if let user = users.first(where: { $0.arn == arn }) {
            entities = [Entity(user)]
            documents = user.documents(directory)
            for group in user.groups { documents += directory.group(group, in: account)?.documents(directory) ?? [] }
        } else if let role = roles.first(where: { $0.arn == arn }) {
            entities = [Entity(role)]
            documents = role.documents(directory)
        } else if let group = directory.groups.values.first(where: { $0.arn == arn && $0.account == account }) {
            entities = users.filter { $0.groups.contains(group.name) }.map(Entity.init)
            documents = group.documents(directory)
        } else if let policy = directory.policy(arn: arn), policy.account == account || policy.account == "aws" {
            func has(_ holder: some PolicyHolder) -> Bool { holder.attachedPolicies.contains(policy.arn) }
            let members = users.filter { user in
                has(user) || user.groups.compactMap { directory.group($0, in: account) }.contains { has($0) }
            }
            entities = members.map(Entity.init) + roles.filter { has($0) }.map(Entity.init)
            documents = [policy.document].compactMap(\.self)
        } else {
            return nil
        }
    }

    /// The services in which the policies allow anything, sorted: those that Virga provides, and those that policies name.
    var services: [String] {
        let named = documents.reduce(into: Set(Self.names.keys)) { $0.formUnion($1.namedServices) }
        return named.filter { service in documents.contains { $0.allowsSomething(in: service) } }.sorted()
    }

    /// Returns the requests of the entities in the journal, newest first, whether granted or denied.
    func uses(until end: Timestamp, in journal: Journal) -> [Use] {
        var uses: [Use] = []
        for entry in journal.recent(limit: .max, where: { $0.time.seconds <= end.seconds && Self.names[$0.face] != nil }) {
            guard let caller = entry.caller, let entity = entities.first(where: { $0.isCaller(caller) }) else { continue }
            let actions = entry.decisions.compactMap { decision -> String? in
                let parts = decision.action.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0] == entry.face else { return nil }
                return entry.face == "s3" && S3Actions.actsOnObjects(parts[1].lowercased()) ? nil : String(parts[1])
            }
            uses.append(Use(entity: entity, service: entry.face, actions: actions, time: entry.time))
        }
        return uses
    }

    /// The names of the services that Virga provides, by the prefix of their actions. (Service Authorization Reference.)
    static let names = [
        "iam": "AWS Identity and Access Management (IAM)", "s3": "Amazon S3", "sts": "AWS Security Token Service",
    ]
}

/// The entry of one service in a report. (IAM API Reference, "ServiceLastAccessed".)
struct ServiceLastAccessed {
    var service: String
    /// The uses, newest first.
    var uses: [ServiceAccess.Use]

    func encode(into xml: inout XMLWriter, tellsActions: Bool) {
        xml.element("ServiceName", ServiceAccess.names[service] ?? service)
        if let last = uses.first { xml.element("LastAuthenticated", last.time.iso8601) }
        xml.element("ServiceNamespace", service)
        if let last = uses.first { xml.element("LastAuthenticatedEntity", last.entity.arn) }
        xml.element("TotalAuthenticatedEntities", Set(uses.map(\.entity)).count)
        guard tellsActions else { return }
        var last: [String: ServiceAccess.Use] = [:]
        for use in uses.reversed() { for action in use.actions { last[action] = use } }
        xml.element("TrackedActionsLastAccessed") { xml in
            for (action, use) in last.sorted(by: { $0.key < $1.key }) {
                xml.element("member") { xml in
                    xml.element("ActionName", action)
                    xml.element("LastAccessedEntity", use.entity.arn)
                    xml.element("LastAccessedTime", use.time.iso8601)
                }
            }
        }
    }
}

extension ServiceAccess.Entity {
    fileprivate init(_ user: User) { self.init(kind: "USER", arn: user.arn, name: user.name, id: user.id, path: user.path) }

    fileprivate init(_ role: Role) {
        self.init(
            kind: "ROLE", arn: role.arn, name: role.name, id: role.id, path: role.path,
            sessions: "arn:aws:sts::\(role.account):assumed-role/\(role.name)/")
    }
}

extension PolicyHolder {
    /// Returns the documents of its inline and attached policies.
    fileprivate func documents(_ directory: Directory) -> [PolicyDocument] {
        policies.map(\.document) + attachedPolicies.compactMap { directory.policy(arn: $0)?.document }
    }
}
