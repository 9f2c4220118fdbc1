import Cryptography
import Policy
import Synchronization
import WireFormats

/// A policy that AWS manages, as the sandbox carries it: the text lies in the executable and is compiled when the policy is first looked up,
/// so that a start pays for none.
struct AWSManagedPolicy: Sendable {
    let name: String
    let path: String
    /// The number of the version that the text is of; of earlier ones nothing is known.
    let version: Int
    let created: Timestamp
    let updated: Timestamp
    let text: StaticString

    /// - Parameters:
    ///   - created: seconds since 1970.
    ///   - updated: likewise.
    init(_ name: String, path: String, version: Int, created: Int64, updated: Int64, _ text: StaticString) {
        self.name = name
        self.path = path
        self.version = version
        self.created = Timestamp(seconds: created)
        self.updated = Timestamp(seconds: updated)
        self.text = text
    }

    var arn: String { "arn:aws:iam::aws:policy\(path)\(name)" }

    /// The record of it; nothing if the text were no policy, which a test rules out.
    fileprivate func compiled() -> ManagedPolicy? {
        guard let document = try? PolicyDocument(parsing: "\(text)", kind: .identity) else { return nil }
        var policy = ManagedPolicy(
            account: "aws", name: name, path: path, id: UniqueName.id(prefix: "ANPA", of: arn), created: created, document: document)
        policy.updated = updated
        policy.versions = [.init(number: version, document: document, created: updated)]
        policy.defaultVersion = version
        return policy
    }

    /// All of them by ARN.
    fileprivate static let byARN: [String: AWSManagedPolicy] = {
        let all = [
            jobFunctions1, jobFunctions2, jobFunctions3, identity, storage1, storage2, applications, messaging, compute1, compute2, networks,
            serviceLinkedRoles,
        ]
        return Dictionary(all.joined().map { ($0.arn, $0) }) { first, _ in first }
    }()

    /// Those that somebody has asked for.
    fileprivate static let compiled = Mutex<[String: ManagedPolicy]>([:])
}

extension ManagedPolicy {
    /// The policy of an ARN, if AWS manages it. (AWS Managed Policy Reference.)
    package static func ofAWS(_ arn: String) -> ManagedPolicy? {
        guard arn.hasPrefix("arn:aws:iam::aws:policy/") else { return nil }
        return AWSManagedPolicy.compiled.withLock { compiled in
            if let policy = compiled[arn] { return policy }
            guard let policy = AWSManagedPolicy.byARN[arn]?.compiled() else { return nil }
            compiled[arn] = policy
            return policy
        }
    }

    /// Every policy that AWS manages and the sandbox carries.
    package static var allOfAWS: [ManagedPolicy] { AWSManagedPolicy.byARN.keys.compactMap(ofAWS) }
}
