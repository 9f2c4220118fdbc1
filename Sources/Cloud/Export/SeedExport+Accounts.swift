import Directory
import Policy
import WireFormats

extension SeedExport {
    /// Exports an account of AWS without its buckets.
    mutating func account(_ account: Account, _ directory: Directory) -> JSONObject {
        let id = account.id
        var json = Self.start(of: account)
        json.add(text: account.email, as: "email")
        json.add(text: account.givenCanonicalUserID, as: "canonicalUserID")
        json.add("rootKeys", keys(account.rootKeys, "the root user of \(id)"))
        if account.alias != nil { leftOut.append("account \(id): its alias") }
        if account.passwordPolicy != nil { leftOut.append("account \(id): its password policy") }
        if !account.serverCertificates.isEmpty { leftOut.append("account \(id): its server certificates") }
        let policies = directory.policies.values.filter { $0.account == id }.sorted { $0.arn < $1.arn }
        json.add("policies", policies.map { .object(policy($0)) })
        let groups = directory.groups.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add(
            "groups",
            groups.map { group in
                var json = Self.named(group.name, group.path)
                Self.add(group.policies, group.attachedPolicies, nil, [], to: &json)
                return .object(json)
            })
        let users = directory.users.values.map(\.user).filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("users", users.map { .object(user($0)) })
        let roles = directory.roles.values.map(\.role).filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("roles", roles.map { .object(Self.role($0, directory)) })
        let profiles = directory.instanceProfiles.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add(
            "instanceProfiles",
            profiles.map { profile in
                var json = Self.named(profile.name, profile.path)
                json.add(text: profile.role, as: "role")
                json["tags"] = Self.tags(profile.tags)
                return .object(json)
            })
        let devices = directory.devices.values.filter { $0.account == id }.sorted { $0.arn < $1.arn }
        json.add(
            "devices",
            devices.map { device in
                var json = Self.named(device.name, device.path)
                json["seed"] = .string(device.seed.base32)
                if device.user == "" { json["root"] = true } else { json.add(text: device.user, as: "user") }
                json["tags"] = Self.tags(device.tags)
                return .object(json)
            })
        let trusts = directory.trusts.values.filter { $0.account == id }.sorted { $0.url < $1.url }
        json.add(
            "openIDConnectProviders",
            trusts.map { trust in
                var json: JSONObject = ["url": .string(trust.url), "clientIDs": .array(trust.clientIDs.map { .string($0) })]
                json.add("thumbprints", trust.thumbprints.map { .string($0) })
                if let context = trust.contextProvider { json["contextProvider"] = .object(Self.context(context)) }
                json["tags"] = Self.tags(trust.tags)
                return .object(json)
            })
        let secretive = directory.samlTrusts.values.filter { $0.account == id && ($0.encryptionMode != nil || !$0.privateKeys.isEmpty) }
        for trust in secretive.sorted(by: { $0.arn < $1.arn }) { leftOut.append("\(trust.arn): its encryption mode and private keys") }
        json.add("samlProviders", Self.samlTrusts(of: id, directory) { trust, json in json["tags"] = Self.tags(trust.tags) })
        return json
    }

    /// What the account of either cloud begins with.
    static func start(of account: Account) -> JSONObject {
        var json: JSONObject = ["id": .string(account.id)]
        if account.name != account.id { json["name"] = .string(account.name) }
        return json
    }

    /// The SAML providers of an account.
    /// - Parameter complete: adds what one cloud alone keeps.
    static func samlTrusts(
        of account: String, _ directory: Directory, _ complete: (SAMLTrust, inout JSONObject) -> Void
    ) -> [JSONValue] {
        directory.samlTrusts.values.filter { $0.account == account }.sorted { $0.name < $1.name }.map { trust in
            var json: JSONObject = ["name": .string(trust.name)]
            if let provider = trust.identityProvider {
                json["identityProvider"] = .string(provider)
            } else {
                json["metadata"] = .string(trust.metadata)
            }
            complete(trust, &json)
            return .object(json)
        }
    }

    /// The default version of a managed policy.
    /// - Parameter json: what the policy begins with.
    mutating func policy(_ policy: ManagedPolicy, _ json: JSONObject) -> JSONObject {
        var json = json
        json.add(text: policy.description, as: "description")
        json["document"] = policy.document?.json
        if policy.versions.count > 1 { leftOut.append("policy \(policy.arn): the versions that are not its default") }
        return json
    }

    private mutating func policy(_ policy: ManagedPolicy) -> JSONObject {
        var json = self.policy(policy, Self.named(policy.name, policy.path))
        json["tags"] = Self.tags(policy.tags)
        return json
    }

    private mutating func user(_ user: User) -> JSONObject {
        var json = Self.named(user.name, user.path)
        json.add("accessKeys", keys(user.accessKeys, user.arn))
        json.add("groups", user.groups.map { .string($0) })
        Self.add(user.policies, user.attachedPolicies, user.boundary, user.tags, to: &json)
        if user.loginProfile != nil { leftOut.append("\(user.arn): the console password") }
        let others = user.publicKeys.count + user.signingCertificates.count + user.serviceCredentials.count
        if others > 0 { leftOut.append("\(user.arn): SSH keys, signing certificates and service-specific credentials") }
        return json
    }

    private static func role(_ role: Role, _ directory: Directory) -> JSONObject {
        var json = named(role.name, role.path)
        json.add(text: role.description, as: "description")
        let trust = role.trustPolicy
        json["trustPolicy"] = BoundPrincipals(ids: trust.bound).shown(trust.document.json, in: directory) ?? trust.document.json
        add(role.policies, role.attachedPolicies, role.boundary, role.tags, to: &json)
        if role.maximumSessionDuration != 3600 { json["maximumSessionDuration"] = .integer(Int64(role.maximumSessionDuration)) }
        if let duration = role.maximumSignInDuration { json["maximumSignInDuration"] = .integer(Int64(duration)) }
        return json
    }

    private static func context(_ context: ContextProvider) -> JSONObject {
        var json: JSONObject = ["subjectSourceKey": .string(context.subjectSourceKey)]
        json.add(text: context.subjectTypeValue, as: "subjectTypeValue")
        json.add(text: context.subjectTypeSourceKey, as: "subjectTypeSourceKey")
        json.add(
            "keyDefinitions",
            context.mappings.map { mapping in
                var json: JSONObject = ["sourceKey": .string(mapping.source)]
                json.add(text: mapping.target, as: "targetKey")
                return .object(json)
            })
        return json
    }

    mutating func keys(_ keys: [AccessKey], _ owner: String) -> [JSONValue] {
        let inactive = keys.filter { !$0.isActive }
        if !inactive.isEmpty { leftOut.append("\(owner): \(inactive.count) inactive access keys") }
        return keys.filter(\.isActive).map { ["id": .string($0.id), "secret": .string($0.secret)] }
    }

    private static func named(_ name: String, _ path: String) -> JSONObject {
        var json: JSONObject = ["name": .string(name)]
        if path != "/" { json["path"] = .string(path) }
        return json
    }

    private static func add(
        _ policies: [InlinePolicy], _ attached: [String], _ boundary: String?, _ tags: [Tag], to json: inout JSONObject
    ) {
        if !policies.isEmpty { json["policies"] = .object(JSONObject(policies.map { ($0.name, $0.document.json) })) }
        json.add("attachedPolicies", attached.map { .string($0) })
        json.add(text: boundary, as: "boundary")
        json["tags"] = self.tags(tags)
    }

    private static func tags(_ tags: [Tag]) -> JSONValue? {
        tags.isEmpty ? nil : .object(JSONObject(tags.map { ($0.key, .string($0.value)) }))
    }
}
