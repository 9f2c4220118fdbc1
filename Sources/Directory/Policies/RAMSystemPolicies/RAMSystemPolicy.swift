import Policy
import Synchronization
import WireFormats

/// A system policy of Alibaba Cloud. The executable contains its text, which is compiled when the policy is first looked up, so that it
/// does not delay the start. (RAM User Guide, "System policies"; the documents are Alibaba Cloud's own.)
struct RAMSystemPolicy: Sendable {
    let name: String
    let description: String
    /// The number of the version of the text. Earlier versions are not available.
    let version: Int
    let created: Timestamp
    let updated: Timestamp
    let text: StaticString

    /// - Parameters:
    ///   - created: seconds since 1970.
    ///   - updated: seconds since 1970.
    init(_ name: String, _ description: String, version: Int = 1, created: Int64, updated: Int64, _ text: StaticString) {
        self.name = name
        self.description = description
        self.version = version
        self.created = Timestamp(seconds: created)
        self.updated = Timestamp(seconds: updated)
        self.text = text
    }

    static let prefix = "acs:ram::\(Vendor.alibabaSystem):policy/"

    /// Returns the compiled policy; `nil` if the text is not a valid policy, which a test rules out.
    fileprivate func compiled() -> ManagedPolicy? {
        guard let document = try? PolicyDocument(parsing: "\(text)", kind: .identity, dialect: .ram) else { return nil }
        var policy = ManagedPolicy(
            account: Vendor.alibabaSystem, name: name, path: "/", id: name, description: description, created: created, document: document)
        policy.updated = updated
        policy.versions = [.init(number: version, document: document, text: "\(text)", created: updated)]
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
