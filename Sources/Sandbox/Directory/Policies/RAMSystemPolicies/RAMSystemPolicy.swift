import Policy
import Synchronization
import WireFormats

/// A system policy of Alibaba Cloud. Its document is not compiled until the policy is first looked up.
/// (RAM User Guide, "System policies"; the documents are Alibaba Cloud's own.)
struct RAMSystemPolicy: Sendable {
    let name: String
    let description: String
    /// The number of the default version, the only one that is kept.
    let version: Int
    let created: Timestamp
    let updated: Timestamp
    /// The document as GetPolicy returns it.
    let text: String

    /// Reads a policy as GetPolicy of RAM returns it; `nil` if a member is missing.
    private init?(_ json: JSONValue) {
        guard let name = json["PolicyName"]?.stringValue, let description = json["Description"]?.stringValue,
            let version = json["DefaultVersion"]?.stringValue.flatMap({ Int($0.dropFirst()) }),
            let created = json["CreateDate"]?.stringValue.flatMap({ Timestamp(iso8601: $0) }),
            let updated = json["UpdateDate"]?.stringValue.flatMap({ Timestamp(iso8601: $0) }),
            let text = json["PolicyDocument"]?.stringValue
        else { return nil }
        self.name = name
        self.description = description
        self.version = version
        self.created = created
        self.updated = updated
        self.text = text
    }

    /// The policies in `ram-system-policies.json`: those of the services that the sandbox plays, and the general ones.
    static let all: [RAMSystemPolicy] =
        (try? JSONValue(parsing: PackageResources.ram_system_policies_json))?["Policies"]?.arrayValue?.compactMap { RAMSystemPolicy($0) }
        ?? []

    static let prefix = "acs:ram::\(Vendor.alibabaSystem):policy/"

    /// Returns the compiled policy; `nil` if the text is not a valid policy, which a test rules out.
    fileprivate func compiled() -> ManagedPolicy? {
        guard let document = try? PolicyDocument(parsing: text, kind: .identity, dialect: .ram) else { return nil }
        var policy = ManagedPolicy(
            account: Vendor.alibabaSystem, name: name, path: "/", id: name, description: description, created: created, document: document)
        policy.updated = updated
        policy.versions = [.init(number: version, document: document, text: text, created: updated)]
        policy.defaultVersion = version
        return policy
    }

    /// The policies that were looked up, by ARN.
    fileprivate static let compiled = Mutex<[String: ManagedPolicy]>([:])
}

extension ManagedPolicy {
    /// Returns the system policy with an ARN `acs:ram::system:policy/<name>`, if the executable contains it.
    package static func ofAlibaba(_ arn: String) -> ManagedPolicy? {
        guard arn.hasPrefix(RAMSystemPolicy.prefix) else { return nil }
        return RAMSystemPolicy.compiled.withLock { compiled in
            if let policy = compiled[arn] { return policy }
            let name = arn.dropFirst(RAMSystemPolicy.prefix.count)
            guard let policy = RAMSystemPolicy.all.first(where: { $0.name == name })?.compiled() else { return nil }
            compiled[arn] = policy
            return policy
        }
    }

    /// All system policies that the executable contains, by name.
    package static var allOfAlibaba: [ManagedPolicy] {
        RAMSystemPolicy.all.compactMap { ofAlibaba(RAMSystemPolicy.prefix + $0.name) }.sorted { $0.name < $1.name }
    }

    /// Returns the ARN of a system policy.
    package static func arnOfAlibaba(_ name: String) -> String { RAMSystemPolicy.prefix + name }
}
