import Cloud
import Directory
import Federation
import WireFormats

extension IAMFace {
    /// Operations that report on the account as a whole.
    static let reports: [String: Operation] = [
        "GetAccountAuthorizationDetails": .authorized(members: { try filteredPage(&$0) }, getAccountAuthorizationDetails),
        "ListPoliciesGrantingServiceAccess": .init(listPoliciesGrantingServiceAccess),
    ]

    /// GetAccountAuthorizationDetails. Users, groups, roles and policies form one list for paging. AWS's own policies are included only if
    /// they are used.
    private static func getAccountAuthorizationDetails(
        _ members: (wanted: Set<String>, part: PagePart), _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let (wanted, part) = members
        let (account, directory) = (call.account, call.directory)
        let uses = PolicyUses(directory, account: account)
        if !wanted.isEmpty, let marker = part.marker, [UInt8](base64: marker) == nil {
            throw ServiceError.validation("Marker and Filter do not match")
        }
        let last = try part.last() ?? ""
        var details: [Detail] = []
        /// Adds what follows the page before, and at most one more entry than the page has.
        func add<Entries: Sequence<Detail>>(_ kind: Detail.Kind, _ number: Int, _ entries: (_ after: String) -> Entries) {
            guard wanted.isEmpty || wanted.contains(kind.rawValue), last < "\(number + 1)" else { return }
            let after = last.hasPrefix("\(number) ") ? String(last.dropFirst(2)) : ""
            details += Array(entries(after).prefix(part.limit + 1 - details.count))
        }
        add(.user, 1) { directory.users.ordered(in: account, after: $0).lazy.map { .user($0.value.user) } }
        add(.group, 2) { directory.groups.ordered(in: account, after: $0).lazy.map { .group($0.value) } }
        add(.role, 3) { directory.roles.ordered(in: account, after: $0).lazy.map { .role($0.value.role) } }
        add(.localPolicy, 4) { directory.policies(of: account, after: $0).lazy.map(Detail.policy) }
        // The ARNs of AWS's policies follow those of accounts, which begin with a number.
        add(.policyOfAWS, 4) { after in
            let used = Set(uses.attachments.keys).union(uses.boundaries.keys).filter { $0 > after }
            return used.sorted().compactMap(ManagedPolicy.ofAWS).map(Detail.policy)
        }
        let page = Page(next: details, limit: part.limit, key: \.key)
        return { xml in
            xml.element("Policies") { xml in
                for case .policy(let policy) in page.items { xml.element("member") { policy.encodeDetail(into: &$0, uses) } }
            }
            xml.element("UserDetailList") { xml in
                for case .user(let user) in page.items { xml.element("member") { user.encodeDetail(into: &$0, directory) } }
            }
            xml.element("RoleDetailList") { xml in
                for case .role(let role) in page.items { xml.element("member") { role.encodeDetail(into: &$0, directory) } }
            }
            xml.element("GroupDetailList") { xml in
                for case .group(let group) in page.items { xml.element("member") { group.encodeDetail(into: &$0, directory) } }
            }
            page.encodeEnd(into: &xml)
        }
    }

    private static func filteredPage(_ parameters: inout QueryParameters) throws(ServiceError) -> (wanted: Set<String>, part: PagePart) {
        let wanted = Set(parameters.list("Filter", of: Detail.Kind.allCases.map(\.rawValue)))
        return (wanted, try parameters.part())
    }

    /// An entry of one of the lists.
    private enum Detail {
        case user(User)
        case group(Group)
        case role(Role)
        case policy(ManagedPolicy)

        /// The kinds of entries. (IAM API Reference, "GetAccountAuthorizationDetails", `Filter`.)
        enum Kind: String, CaseIterable {
            case localPolicy = "LocalManagedPolicy"
            case user = "User"
            case policyOfAWS = "AWSManagedPolicy"
            case role = "Role"
            case group = "Group"
        }

        var key: String {
            switch self {
            case .user(let user): "1 \(user.name.lowercased())"
            case .group(let group): "2 \(group.name.lowercased())"
            case .role(let role): "3 \(role.name.lowercased())"
            case .policy(let policy): "4 \(policy.arn)"
            }
        }
    }
}

extension XMLWriter {
    /// Writes a list of inline policies with their documents.
    fileprivate mutating func details(_ name: String, _ policies: [InlinePolicy]) {
        element(name) { xml in
            for policy in policies {
                xml.element("member") { xml in
                    xml.element("PolicyName", policy.name)
                    xml.element("PolicyDocument", percentEncoded(policy.shownText))
                }
            }
        }
    }

    /// Writes `AttachedManagedPolicies`.
    fileprivate mutating func attachedPolicies(_ arns: [String], _ directory: Directory) {
        element("AttachedManagedPolicies") { xml in
            for policy in arns.compactMap(directory.policy(arn:)) {
                xml.element("member") { xml in
                    xml.element("PolicyName", policy.name)
                    xml.element("PolicyArn", policy.arn)
                }
            }
        }
    }
}

extension User {
    /// Writes the members of the shape `UserDetail`.
    fileprivate func encodeDetail(into xml: inout XMLWriter, _ directory: Directory) {
        xml.element("Path", path)
        xml.element("UserName", name)
        xml.element("UserId", id)
        xml.element("Arn", arn)
        xml.element("CreateDate", created.iso8601)
        if !policies.isEmpty { xml.details("UserPolicyList", policies) }
        xml.element("GroupList") { xml in for group in groups { xml.element("member", group) } }
        xml.attachedPolicies(attachedPolicies, directory)
        if let boundary { xml.boundary(boundary) }
        xml.tags(tags)
    }
}

extension Group {
    /// Writes the members of the shape `GroupDetail`.
    fileprivate func encodeDetail(into xml: inout XMLWriter, _ directory: Directory) {
        xml.element("Path", path)
        xml.element("GroupName", name)
        xml.element("GroupId", id)
        xml.element("Arn", arn)
        xml.element("CreateDate", created.iso8601)
        xml.details("GroupPolicyList", policies)
        xml.attachedPolicies(attachedPolicies, directory)
    }
}

extension Role {
    /// Writes the members of the shape `RoleDetail`.
    fileprivate func encodeDetail(into xml: inout XMLWriter, _ directory: Directory) {
        encode(into: &xml, as: .contained, directory)
        xml.element("InstanceProfileList") { xml in
            for profile in directory.instanceProfiles(holding: self) {
                xml.element("member") { profile.encode(into: &$0, directory) }
            }
        }
        xml.details("RolePolicyList", policies)
        xml.attachedPolicies(attachedPolicies, directory)
        if let boundary { xml.boundary(boundary) }
        xml.tags(tags)
        encodeLastUse(into: &xml, directory)
    }
}

extension ManagedPolicy {
    /// Writes the members of the shape `ManagedPolicyDetail`.
    fileprivate func encodeDetail(into xml: inout XMLWriter, _ uses: PolicyUses) {
        encode(into: &xml, uses, as: .listed)
        xml.element("PolicyVersionList") { xml in
            for version in versions.reversed() {
                xml.element("member") { version.encode(into: &$0, isDefault: version.number == defaultVersion, withDocument: true) }
            }
        }
    }
}
