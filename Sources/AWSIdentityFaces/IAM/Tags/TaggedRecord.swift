import Cloud
import Directory
import Federation
import Policy
import WireFormats

/// A record whose tags are read and changed by three operations. For all kinds of records these differ only in names.
protocol TaggedRecord: Sendable {
    static var tagFamily: TagFamily { get }
    /// Returns the record that a parameter names.
    /// - Throws: the error if there is none.
    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> Self
    /// Returns the ARN that a parameter denotes, whether the record exists or not.
    static func arn(of name: String, account: String) -> String
    var arn: String { get }
    var tags: [Tag] { get set }
    /// Stores the changed record.
    func save(in directory: inout Directory)
}

/// The names of the operations on the tags of a kind of record.
struct TagFamily: Sendable {
    /// The name in operations and quotas.
    var title: String
    /// The parameter that names a record.
    var parameter: String
    var length: ClosedRange<Int>
    var pattern: QueryParameters.Pattern?
    /// Whether keys are case-insensitive, which is so only for users and roles (observed of the real service).
    var foldsKeys = false
    /// Whether an empty list of tags or keys is rejected.
    var refusesEmptyLists = false

    /// Returns a key in the form in which keys are compared.
    func compared(_ key: String) -> String { foldsKeys ? key.lowercased() : key }
}

extension IAMFace {
    /// Operations on the tags of all kinds of records. (IAM User Guide, "Tags for IAM resources".)
    static let tags: [String: Operation] =
        [
            tags(of: User.self), tags(of: Role.self), tags(of: ManagedPolicy.self), tags(of: InstanceProfile.self),
            tags(of: OpenIDConnectTrust.self), tags(of: SAMLTrust.self), tags(of: MultiFactorDevice.self), tags(of: ServerCertificate.self),
        ].reduce(into: [:]) { all, family in
            all.merge(family) { first, _ in first }
        }

    private static func tags<Record: TaggedRecord>(of _: Record.Type) -> [String: Operation] {
        let title = Record.tagFamily.title
        return [
            "Tag\(title)": { call in try await tag(Record.self, &call) },
            "Untag\(title)": { call in try await untag(Record.self, &call) },
            "List\(title)Tags": { call in try list(Record.self, &call) },
        ]
    }

    private static func tag<Record: TaggedRecord>(_: Record.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let family = Record.tagFamily
        let name = self.name(Record.self, &call)
        call.parameters.require(list: "Tags")
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let _: Record = try found(name, call, newTags: tags)
        try checkList(tags.isEmpty, "tags", family)
        try tags.check(family)
        try await change(name, call) { (record: inout Record) throws(QueryError) in try record.tags.merge(tags, family) }
        return nil
    }

    private static func untag<Record: TaggedRecord>(_: Record.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let family = Record.tagFamily
        let name = self.name(Record.self, &call)
        call.parameters.require(list: "TagKeys")
        let keys = call.parameters.tagKeys()
        try call.parameters.check()
        let _: Record = try found(name, call, tagKeys: keys)
        try checkList(keys.isEmpty, "tag keys", family)
        try await change(name, call) { (record: inout Record) in record.tags.remove(keys, family) }
        return nil
    }

    /// Rejects an empty list if the family requires elements. The message is Virga's wording.
    private static func checkList(_ isEmpty: Bool, _ what: String, _ family: TagFamily) throws(QueryError) {
        guard !isEmpty || !family.refusesEmptyLists else { throw .invalidInput("The list of \(what) cannot be empty.") }
    }

    private static func list<Record: TaggedRecord>(_: Record.Type, _ call: inout IAMCall) throws -> QueryService.Result? {
        let name = self.name(Record.self, &call)
        let part = try call.parameters.part()
        try call.parameters.check()
        let record: Record = try found(name, call)
        let page = try Page(tags: record.tags, part)
        return { xml in page.encode(into: &xml) }
    }

    private static func name<Record: TaggedRecord>(_: Record.Type, _ call: inout IAMCall) -> String {
        let family = Record.tagFamily
        return call.parameters.requiredText(family.parameter, length: family.length, pattern: family.pattern)
    }

    /// Returns the record with a name. Authorizes the call on it.
    private static func found<Record: TaggedRecord>(
        _ name: String, _ call: IAMCall, newTags: [Tag] = [], tagKeys: [String] = []
    ) throws(QueryError) -> Record {
        let record: Record
        do {
            record = try Record.required(name, in: call.directory, account: call.account)
        } catch {
            try call.authorize(on: Record.arn(of: name, account: call.account), newTags: newTags, tagKeys: tagKeys)
            throw error
        }
        try call.authorize(on: record.arn, tags: record.tags, newTags: newTags, tagKeys: tagKeys)
        return record
    }

    private static func change<Record: TaggedRecord>(
        _ name: String, _ call: IAMCall, _ change: (inout Record) throws(QueryError) -> Void
    ) async throws {
        try await call.cloud.edit { [account = call.account] directory in
            var record = try Record.required(name, in: directory, account: account)
            try change(&record)
            record.save(in: &directory)
        }
    }
}

extension TaggedRecord where Self: PolicyHolder {
    func save(in directory: inout Directory) { directory.put(record) }
}

extension User: TaggedRecord {
    static let tagFamily = TagFamily(
        title: "User", parameter: "UserName", length: 1...128, pattern: .entityName, foldsKeys: true)
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):user/\(name)" }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> User {
        guard let entry = directory.user(name, in: account) else { throw family.missing(name) }
        return entry.user
    }
}

extension Role: TaggedRecord {
    static let tagFamily = TagFamily(
        title: "Role", parameter: "RoleName", length: 1...64, pattern: .entityName, foldsKeys: true)
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):role/\(name)" }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> Role {
        guard let entry = directory.role(name, in: account) else { throw .missingRole(name) }
        return entry.role
    }
}

extension ManagedPolicy: TaggedRecord {
    static let tagFamily = TagFamily(title: "Policy", parameter: "PolicyArn", length: 20...2048)
    static func arn(of name: String, account: String) -> String { name }
    func save(in directory: inout Directory) { directory.put(.policy(self)) }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> ManagedPolicy {
        guard let policy = directory.policies[name], policy.account == account else { throw .missingPolicy(name) }
        return policy
    }
}

extension InstanceProfile: TaggedRecord {
    static let tagFamily = TagFamily(title: "InstanceProfile", parameter: "InstanceProfileName", length: 1...128, pattern: .entityName)
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):instance-profile/\(name)" }
    func save(in directory: inout Directory) { directory.put(.instanceProfile(self)) }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> InstanceProfile {
        guard let profile = directory.instanceProfile(name, in: account) else { throw .missingProfile(name) }
        return profile
    }
}

extension OpenIDConnectTrust: TaggedRecord {
    static let tagFamily = TagFamily(
        title: "OpenIDConnectProvider", parameter: "OpenIDConnectProviderArn", length: 20...2048, refusesEmptyLists: true)
    static func arn(of name: String, account: String) -> String { name }
    func save(in directory: inout Directory) { directory.put(.trust(self)) }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> OpenIDConnectTrust {
        guard let trust = directory.trusts[name], trust.account == account else { throw .unknownOpenIDConnectProvider(name) }
        return trust
    }
}

extension SAMLTrust: TaggedRecord {
    static let tagFamily = TagFamily(
        title: "SAMLProvider", parameter: "SAMLProviderArn", length: 20...2048, refusesEmptyLists: true)
    static func arn(of name: String, account: String) -> String { name }
    func save(in directory: inout Directory) { directory.put(.samlTrust(self)) }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> SAMLTrust {
        guard let trust = directory.samlTrusts[name], trust.account == account else { throw .missingSAMLProvider(name) }
        return trust
    }
}

extension MultiFactorDevice: TaggedRecord {
    static let tagFamily = TagFamily(title: "MFADevice", parameter: "SerialNumber", length: 9...256, pattern: .serialNumber)
    static func arn(of name: String, account: String) -> String { name }
    func save(in directory: inout Directory) { directory.put(.device(self)) }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> MultiFactorDevice {
        try directory.device(name, in: account)
    }
}

/// Server certificates are stored in the record of their account.
extension ServerCertificate: TaggedRecord {
    static let tagFamily = TagFamily(
        title: "ServerCertificate", parameter: "ServerCertificateName", length: 1...128, pattern: .entityName)
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):server-certificate/\(name)" }

    func save(in directory: inout Directory) {
        guard var holder = directory.accounts[account], let index = holder.serverCertificates.firstIndex(where: { $0.id == id }) else {
            return
        }
        holder.serverCertificates[index] = self
        directory.put(.account(holder))
    }

    static func required(_ name: String, in directory: Directory, account: String) throws(QueryError) -> ServerCertificate {
        guard let holder = directory.accounts[account] else { throw IAMFace.missingServerCertificate(name) }
        return holder.serverCertificates[try IAMFace.serverCertificateIndex(of: name, in: holder)]
    }
}
