import Cloud
import Directory
import HTTPTypes
import Policy
import WireFormats

extension RPCService {
    /// Operations on tags: RAM's for roles and policies, IMS's for users.
    static func tags(_ api: IdentityAPI) -> [String: RPCOperation] {
        [
            "TagResources": RPCOperation { try await $0.tagResources(api) },
            "UntagResources": RPCOperation { try await $0.untagResources(api) },
            "ListTagResources": RPCOperation { try $0.listTagResources(api) },
        ]
    }
}

extension RPCCall {
    // (RAM API Reference, "TagResources".)
    private static let mostTagged = 50

    /// Returns the elements of a list parameter: JSON, or `<name>.1`, `<name>.2`….
    private func elements(_ name: String) throws(RPCError) -> [String] {
        guard let text = text(name) else {
            return (1...Self.mostTagged + 1).lazy.map { parameters.value("\(name).\($0)") }.prefix { $0 != nil }.compactMap(\.self)
        }
        guard let values = (try? JSONValue(parsing: text))?.arrayValue else { throw .incorrect(name) }
        let texts = values.compactMap(\.stringValue)
        guard texts.count == values.count else { throw .incorrect(name) }
        return texts
    }

    /// Returns the tags in `Tag`: JSON with `Key` and `Value`, or `Tag.1.Key`, `Tag.1.Value`….
    func tags() throws(RPCError) -> [Tag] {
        var tags: [Tag] = []
        if let text = text("Tag") {
            guard let values = (try? JSONValue(parsing: text))?.arrayValue else { throw .incorrect("Tag") }
            for value in values {
                guard let key = value["Key"]?.stringValue else { throw .incorrect("Tag") }
                tags.append(Tag(key: key, value: value["Value"]?.stringValue ?? ""))
            }
        } else {
            var number = 1
            while let key = parameters.value("Tag.\(number).Key"), number <= TagRules.alibaba.limit + 1 {
                tags.append(Tag(key: key, value: parameters.value("Tag.\(number).Value") ?? ""))
                number += 1
            }
        }
        guard tags.count <= TagRules.alibaba.limit else { throw .incorrect("Tag") }
        do { try tags.check(.alibaba) } catch { throw RPCError(error, of: .user) }
        let areMade = tags.allSatisfy { tag in
            (1...128).contains(tag.key.unicodeScalars.count) && tag.value.unicodeScalars.count <= 256
                && !tag.value.hasPrefix("acs:")
                && ![tag.key, tag.value].contains { $0.contains("http://") || $0.contains("https://") }
        }
        guard areMade else { throw .incorrect("Tag") }
        return tags
    }

    /// What can be tagged.
    fileprivate enum Kind: String {
        case role
        case policy
        case user

        var type: any TaggedRecord.Type {
            switch self {
            case .role: Role.self
            case .policy: ManagedPolicy.self
            case .user: User.self
            }
        }
    }

    private func kind(_ api: IdentityAPI) throws(RPCError) -> Kind {
        guard let kind = Kind(rawValue: try required("ResourceType").lowercased()), (kind == .user) == (api == .ims) else {
            throw .incorrect("ResourceType")
        }
        return kind
    }

    /// Returns the names of the entities to tag. The caller must have permission for each of them.
    private func tagged(_ kind: Kind) throws(RPCError) -> [String] {
        var names = try elements("ResourceNames")
        if kind == .user {
            names = try elements("ResourcePrincipalName").map { String($0.prefix { $0 != "@" }) }
            for id in try elements("ResourceId") {
                guard let user = directory.users.values.first(where: { $0.user.account == account && $0.user.id == id }) else {
                    throw .notExist("User", "user")
                }
                names.append(user.user.name)
            }
        }
        guard names.count <= Self.mostTagged else { throw .incorrect("ResourceNames") }
        for name in names { try permit(resource(kind.rawValue, name)) }
        return names
    }

    /// The record of a name.
    private func record(_ kind: Kind, _ name: String, in directory: Directory) throws(RPCError) -> any TaggedRecord {
        guard let record = kind.type.find(key(kind, name), in: directory, account: account) else {
            throw RPCError(.noSuchResource(name), of: kind)
        }
        return record
    }

    /// What names a record in the directory.
    private func key(_ kind: Kind, _ name: String) -> String { kind == .policy ? customPolicy(name) : name }

    private func change(
        _ kind: Kind, _ names: [String], _ change: (inout Directory, any TaggedRecord.Type, String) throws(TagRefusal) -> Void
    ) async throws {
        try await cloud.edit(saying: { RPCError($0, of: kind) }) { directory throws(TagRefusal) in
            for name in names { try change(&directory, kind.type, key(kind, name)) }
        }
    }

    fileprivate func tagResources(_ api: IdentityAPI) async throws -> RPCValue {
        let kind = try kind(api)
        let added = try tags()
        guard !added.isEmpty else { throw RPCError.missing("Tag") }
        let names = try tagged(kind)
        guard !names.isEmpty else { throw RPCError.missing(kind == .user ? "ResourceId" : "ResourceNames") }
        try await change(kind, names) { directory, type, name throws(TagRefusal) in
            try directory.tag(type, name, in: account, with: added, .alibaba)
        }
        return .done
    }

    fileprivate func untagResources(_ api: IdentityAPI) async throws -> RPCValue {
        let kind = try kind(api)
        let isAll = try flag("All") ?? false
        let keys = try elements("TagKeys") + (api == .ims ? try elements("TagKey") : [])
        guard isAll || !keys.isEmpty else { throw RPCError.missing("TagKeys") }
        let names = try tagged(kind)
        guard !names.isEmpty else { throw RPCError.missing(kind == .user ? "ResourceId" : "ResourceNames") }
        try await change(kind, names) { directory, type, name throws(TagRefusal) in
            try directory.untag(type, name, in: account, keys: isAll && keys.isEmpty ? nil : keys, .alibaba)
        }
        return .done
    }

    /// ListTagResources. Returns the tags of the named entities, or of all that have the given tags.
    fileprivate func listTagResources(_ api: IdentityAPI) throws(RPCError) -> RPCValue {
        let kind = try kind(api)
        let wanted = try tags()
        let size = try number("PageSize", 1...100) ?? 20
        var names = try tagged(kind)
        let directory = directory
        if names.isEmpty {
            try permit(resource(kind.rawValue))
            names =
                switch kind {
                case .role: directory.roles.values.map(\.role).filter { $0.account == account }.map(\.name)
                case .policy: directory.policies.values.filter { $0.account == account }.map(\.name)
                case .user: directory.users.values.map(\.user).filter { $0.account == account }.map(\.name)
                }
        }
        var found: [(key: String, value: RPCValue)] = []
        for name in names.sorted() {
            let record = try record(kind, name, in: directory)
            guard record.tags.has(wanted) else { continue }
            for tag in record.tags where wanted.isEmpty || wanted.contains(where: { $0.key == tag.key }) {
                let named: RPCValue.Member =
                    if let user = record as? User { .init(name: "ResourceId", value: .text(user.id)) } else {
                        .init(name: "ResourceName", value: .text(name))
                    }
                let members: [RPCValue.Member] = [
                    .init(name: "ResourceType", value: .text(kind.rawValue)), named, .init(name: "TagKey", value: .text(tag.key)),
                    .init(name: "TagValue", value: .text(tag.value)),
                ]
                found.append(("\(name)\u{0}\(tag.key)", .object(members)))
            }
        }
        if let token = text("NextToken") {
            guard let bytes = [UInt8](base64: token) else { throw .incorrect("NextToken") }
            let last = String(decoding: bytes, as: UTF8.self)
            found = Array(found.sorted { $0.key < $1.key }.drop { $0.key <= last })
        }
        let part = found.sorted { $0.key < $1.key }.prefix(size)
        let next = found.count > size ? part.last.map { Array($0.key.utf8).base64 } ?? "" : ""
        let values = part.map(\.value)
        return .members([
            "TagResources": api == .ram ? .array(values) : .list(of: "TagResource", values), "NextToken": .text(next),
            "IsTruncated": api == .ims ? .flag(!next.isEmpty) : nil,
        ])
    }

    /// Returns tags in the form of the lists of roles and policies.
    static func describe(_ tags: [Tag]) -> RPCValue {
        .list(of: "Tag", tags.map { ["TagKey": .text($0.key), "TagValue": .text($0.value)] })
    }
}

extension RPCError {
    /// A refusal to change tags.
    /// - Parameter kind: the kind of resource.
    fileprivate init(_ refusal: TagRefusal, of kind: RPCCall.Kind) {
        self =
            switch (refusal, kind) {
            case (.noSuchResource, .role): .notExist("Role", "role")
            case (.noSuchResource, .policy): .notExist("Policy", "policy")
            case (.noSuchResource, .user): .notExist("User", "user")
            case (.duplicateKeys, _), (.reservedKey, _): .incorrect("Tag")
            case (.limitExceeded, _): .limitExceeded("ResourceTag", "count of tags")
            }
    }
}

extension [Tag] {
    /// Returns whether all of some tags are among these. A tag with an empty value matches any value.
    func has(_ wanted: [Tag]) -> Bool {
        wanted.allSatisfy { tag in contains { $0.key == tag.key && (tag.value.isEmpty || $0.value == tag.value) } }
    }
}
