import Cloud
import Directory
import Federation
import Policy
import WireFormats

/// A record with tags, as IAM calls it: three operations on its tags differ in names alone.
protocol IAMTaggedRecord: TaggedRecord, ServiceResource {
    static var tagFamily: TagFamily { get }
    /// The refusal if there is no record that a parameter names.
    static func missingTagged(_ name: String) -> ServiceError
    /// The ARN that a parameter means, whether something has it or not.
    static func arn(of name: String, account: String) -> String
    var tags: [Tag] { get set }
    /// The refusal of changes of the tags; `nil` for a record whose tags can change.
    var refusalOfTags: ServiceError? { get }
}

extension IAMTaggedRecord {
    var refusalOfTags: ServiceError? { nil }

    /// The record that a parameter names.
    /// - Throws: the refusal if there is none.
    static func required(_ name: String, in directory: Directory, account: String) throws(ServiceError) -> Self {
        guard let record = find(name, in: directory, account: account) else { throw missingTagged(name) }
        return record
    }
}

/// The names of the operations on the tags of a kind of record.
struct TagFamily: Sendable {
    /// The name in operations and quotas.
    var title: String
    /// The parameter that names a record.
    var parameter: String
    var length: ClosedRange<Int>
    var pattern: QueryParameters.Pattern?
    var rules = TagRules.aws()
    /// Whether a list of tags or keys must have some.
    var refusesEmptyLists = false
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

    private static func tags<Record: IAMTaggedRecord>(of _: Record.Type) -> [String: Operation] {
        let title = Record.tagFamily.title
        return [
            "Tag\(title)": .init { call in try await tag(Record.self, &call) },
            "Untag\(title)": .init { call in try await untag(Record.self, &call) },
            "List\(title)Tags": .init { call in try list(Record.self, &call) },
        ]
    }

    private static func tag<Record: IAMTaggedRecord>(_: Record.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let family = Record.tagFamily
        let name = self.name(Record.self, &call)
        call.parameters.require(list: "Tags")
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let record: Record = try found(name, call, newTags: tags)
        if let refusal = record.refusalOfTags { throw refusal }
        try checkList(tags.isEmpty, "tags", family)
        try tags.check(family)
        try await change(Record.self, call) { [account = call.account] directory throws(TagRefusal) in
            try directory.tag(Record.self, name, in: account, with: tags, family.rules)
        }
        return nil
    }

    private static func untag<Record: IAMTaggedRecord>(_: Record.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let family = Record.tagFamily
        let name = self.name(Record.self, &call)
        call.parameters.require(list: "TagKeys")
        let keys = call.parameters.tagKeys()
        try call.parameters.check()
        let record: Record = try found(name, call, tagKeys: keys)
        if let refusal = record.refusalOfTags { throw refusal }
        try checkList(keys.isEmpty, "tag keys", family)
        try await change(Record.self, call) { [account = call.account] directory throws(TagRefusal) in
            try directory.untag(Record.self, name, in: account, keys: keys, family.rules)
        }
        return nil
    }

    /// Rejects an empty list if the family requires elements. The message is Virga's wording.
    private static func checkList(_ isEmpty: Bool, _ what: String, _ family: TagFamily) throws(ServiceError) {
        guard !isEmpty || !family.refusesEmptyLists else { throw .invalidInput("The list of \(what) cannot be empty.") }
    }

    private static func list<Record: IAMTaggedRecord>(_: Record.Type, _ call: inout IAMCall) throws -> QueryService.Result? {
        let name = self.name(Record.self, &call)
        let part = try call.parameters.part()
        try call.parameters.check()
        let record: Record = try found(name, call)
        let page = try Page(tags: record.tags, part)
        return { xml in page.encode(into: &xml) }
    }

    private static func name<Record: IAMTaggedRecord>(_: Record.Type, _ call: inout IAMCall) -> String {
        let family = Record.tagFamily
        return call.parameters.requiredText(family.parameter, length: family.length, pattern: family.pattern)
    }

    /// The record of a name, where the caller may perform the action on it.
    private static func found<Record: IAMTaggedRecord>(
        _ name: String, _ call: IAMCall, newTags: [Tag] = [], tagKeys: [String] = []
    ) throws(ServiceError) -> Record {
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

    private static func change<Record: IAMTaggedRecord>(
        _: Record.Type, _ call: IAMCall, _ change: (inout Directory) throws(TagRefusal) -> Void
    ) async throws {
        try await call.cloud.edit(
            saying: { ServiceError($0, of: Record.tagFamily, missing: Record.missingTagged) }, change)
    }
}

extension User: IAMTaggedRecord {
    static let tagFamily = TagFamily(
        title: "User", parameter: "UserName", length: 1...128, pattern: .entityName, rules: .aws(foldsKeys: true))
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):user/\(name)" }
    static func missingTagged(_ name: String) -> ServiceError { family.missing(name) }
}

extension Role: IAMTaggedRecord {
    static let tagFamily = TagFamily(
        title: "Role", parameter: "RoleName", length: 1...64, pattern: .entityName, rules: .aws(foldsKeys: true))
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):role/\(name)" }
    static func missingTagged(_ name: String) -> ServiceError { .missingRole(name) }
    /// Only IAM Identity Center changes its roles.
    var refusalOfTags: ServiceError? { isReserved ? .protectedRole(name) : nil }
}

extension ManagedPolicy: IAMTaggedRecord {
    static let tagFamily = TagFamily(title: "Policy", parameter: "PolicyArn", length: 20...2048)
    static func arn(of name: String, account: String) -> String { name }
    static func missingTagged(_ name: String) -> ServiceError { .missingPolicy(name) }
}

extension InstanceProfile: IAMTaggedRecord {
    static let tagFamily = TagFamily(title: "InstanceProfile", parameter: "InstanceProfileName", length: 1...128, pattern: .entityName)
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):instance-profile/\(name)" }
    static func missingTagged(_ name: String) -> ServiceError { .missingProfile(name) }
}

extension OpenIDConnectTrust: IAMTaggedRecord {
    static let tagFamily = TagFamily(
        title: "OpenIDConnectProvider", parameter: "OpenIDConnectProviderArn", length: 20...2048, refusesEmptyLists: true)
    static func arn(of name: String, account: String) -> String { name }
    static func missingTagged(_ name: String) -> ServiceError { .unknownOpenIDConnectProvider(name) }
}

extension SAMLTrust: IAMTaggedRecord {
    static let tagFamily = TagFamily(
        title: "SAMLProvider", parameter: "SAMLProviderArn", length: 20...2048, refusesEmptyLists: true)
    static func arn(of name: String, account: String) -> String { name }
    static func missingTagged(_ name: String) -> ServiceError { .missingSAMLProvider(name) }
}

extension MultiFactorDevice: IAMTaggedRecord {
    static let tagFamily = TagFamily(title: "MFADevice", parameter: "SerialNumber", length: 9...256, pattern: .serialNumber)
    static func arn(of name: String, account: String) -> String { name }
    static func missingTagged(_ name: String) -> ServiceError { DeviceRefusal.noSuchDevice(name).inWordsOfIAM }
}

extension ServerCertificate: IAMTaggedRecord {
    static let tagFamily = TagFamily(
        title: "ServerCertificate", parameter: "ServerCertificateName", length: 1...128, pattern: .entityName)
    static func arn(of name: String, account: String) -> String { "arn:aws:iam::\(account):server-certificate/\(name)" }
    static func missingTagged(_ name: String) -> ServiceError { ServerCertificateRefusal.noSuchCertificate(name).inWordsOfIAM }
}
