import Policy
import Synchronization
import WireFormats

/// A policy that Alibaba Cloud keeps, as the sandbox carries it: the text lies in the executable and is compiled when the policy is first
/// looked up, so that a start pays for none. (RAM User Guide, "System policies"; the documents are Alibaba Cloud's own.)
struct RAMSystemPolicy: Sendable {
    let name: String
    let description: String
    /// The number of the version that the text is of; of earlier ones nothing is known.
    let version: Int
    let created: Timestamp
    let updated: Timestamp
    let text: StaticString

    /// - Parameters:
    ///   - created: seconds since 1970.
    ///   - updated: likewise.
    init(_ name: String, _ description: String, version: Int = 1, created: Int64, updated: Int64, _ text: StaticString) {
        self.name = name
        self.description = description
        self.version = version
        self.created = Timestamp(seconds: created)
        self.updated = Timestamp(seconds: updated)
        self.text = text
    }

    static let prefix = "acs:ram::\(Vendor.alibabaSystem):policy/"

    /// The record of it; `nil` if the text were no policy, which a test rules out.
    fileprivate func compiled() -> ManagedPolicy? {
        guard let document = try? PolicyDocument(parsing: "\(text)", kind: .identity, dialect: .ram) else { return nil }
        var policy = ManagedPolicy(
            account: Vendor.alibabaSystem, name: name, path: "/", id: name, description: description, created: created, document: document)
        policy.updated = updated
        policy.versions = [.init(number: version, document: document, text: "\(text)", created: updated)]
        policy.defaultVersion = version
        return policy
    }

    /// Those that somebody has asked for, by ARN.
    fileprivate static let compiled = Mutex<[String: ManagedPolicy]>([:])
}

extension ManagedPolicy {
    /// The policy of an ARN `acs:ram::system:policy/<name>`, if Alibaba Cloud keeps it and the sandbox carries it.
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

    /// Every policy that Alibaba Cloud keeps and the sandbox carries, by name.
    package static var allOfAlibaba: [ManagedPolicy] {
        RAMSystemPolicy.all.compactMap { ofAlibaba(RAMSystemPolicy.prefix + $0.name) }.sorted { $0.name < $1.name }
    }

    /// The ARN of a policy that Alibaba Cloud keeps.
    package static func arnOfAlibaba(_ name: String) -> String { RAMSystemPolicy.prefix + name }
}
