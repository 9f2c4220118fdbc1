import Cryptography
import Policy
import Synchronization
import WireFormats

/// An AWS managed policy in the index of all of them. Its document is parsed when the policy is first looked up.
struct AWSManagedPolicy: Sendable {
    /// Path and name, such as `/service-role/AWSLambdaRole`.
    let pathAndName: String
    /// The number of the default version, the only one that is stored.
    let version: Int
    let created: Timestamp
    let updated: Timestamp
    /// The position in the index.
    let place: Int

    /// The policy without its document.
    var summary: ManagedPolicy {
        let arn = Self.arnPrefix + pathAndName
        let start = pathAndName.utf8.lastIndex(of: UInt8(ascii: "/")).map { pathAndName.utf8.index(after: $0) } ?? pathAndName.startIndex
        return ManagedPolicy(
            ofAWS: String(pathAndName[start...]), path: String(pathAndName[..<start]), id: UniqueName.id(prefix: "ANPA", of: arn),
            created: created, updated: updated, defaultVersion: version)
    }

    /// The policy with its document; `nil` if the document is not a policy.
    fileprivate var policy: ManagedPolicy? {
        guard let json = AWSManagedPolicyTable.document(of: self),
            let document = try? PolicyDocument(json: json, kind: .identity, dialect: .awsManaged)
        else { return nil }
        var policy = summary
        policy.versions = [.init(number: version, document: document, created: updated)]
        return policy
    }

    fileprivate static let arnPrefix = "arn:aws:iam::aws:policy"

    /// The policies that were looked up, by ARN.
    fileprivate static let compiled = Mutex<[String: ManagedPolicy]>([:])
}

extension ManagedPolicy {
    /// Returns the AWS managed policy with an ARN. (AWS Managed Policy Reference.)
    package static func ofAWS(_ arn: String) -> ManagedPolicy? {
        guard arn.hasPrefix(AWSManagedPolicy.arnPrefix + "/") else { return nil }
        return AWSManagedPolicy.compiled.withLock { compiled in
            if let policy = compiled[arn] { return policy }
            let pathAndName = arn.dropFirst(AWSManagedPolicy.arnPrefix.count)
            guard let policy = AWSManagedPolicyTable.entry(named: pathAndName)?.policy else { return nil }
            compiled[arn] = policy
            return policy
        }
    }

    /// Every AWS managed policy, ordered by ARN, without its versions, which would require parsing every document.
    package static let allOfAWS: [ManagedPolicy] = AWSManagedPolicyTable.entries.map(\.summary).sorted { $0.arn < $1.arn }

    fileprivate init(
        ofAWS name: String, path: String, id: String, created: Timestamp, updated: Timestamp, defaultVersion: Int
    ) {
        account = "aws"
        self.name = name
        self.path = path
        self.id = id
        self.created = created
        self.updated = updated
        versions = []
        self.defaultVersion = defaultVersion
        tags = []
    }
}
