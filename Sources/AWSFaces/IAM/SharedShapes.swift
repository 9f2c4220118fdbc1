import Cloud
import WireFormats

extension XMLWriter {
    /// `Tags`, where there are some. (IAM API Reference, "Tag".)
    mutating func tags(_ tags: [Tag]) {
        guard !tags.isEmpty else { return }
        element("Tags") { xml in
            for tag in tags {
                xml.element("member") { xml in
                    xml.element("Key", tag.key)
                    xml.element("Value", tag.value)
                }
            }
        }
    }

    /// `PermissionsBoundary`. (IAM API Reference, "AttachedPermissionsBoundary".)
    mutating func boundary(_ arn: String) {
        element("PermissionsBoundary") { xml in
            xml.element("PermissionsBoundaryType", "Policy")
            xml.element("PermissionsBoundaryArn", arn)
        }
    }
}

extension QueryParameters {
    /// `Path` of what is made; nothing where none is given.
    mutating func path() -> String? { text("Path", length: 1...512, pattern: .path) }

    /// `PathPrefix` of a list, `/` where none is given.
    mutating func pathPrefix() -> String { text("PathPrefix", length: 1...512, pattern: .pathPrefix) ?? "/" }

    /// `Tags.member.<n>.Key` and `.Value`.
    /// - Parameter dialect: Ceph takes a key more than once.
    mutating func tags(most: Int, _ dialect: Dialect = .aws) -> [Tag] {
        let count = count(of: "Tags", most: most)
        let tags = (0..<count).map { index in
            let prefix = "Tags.member.\(index + 1)."
            return Tag(
                key: requiredText(prefix + "Key", length: 1...128, pattern: .tag),
                value: requiredText(prefix + "Value", length: 0...256, pattern: .tag))
        }
        if dialect == .aws, Set(tags.map { $0.key.lowercased() }).count < tags.count {
            refuse(.invalidInput("Duplicate tag keys found. Please note that Tag keys are case insensitive."))
        }
        if tags.contains(where: { $0.key.lowercased().hasPrefix("aws:") }) {
            refuse(.invalidInput("Tag keys beginning with aws: are reserved for system use."))
        }
        return tags
    }

    /// `TagKeys.member.<n>`.
    mutating func tagKeys() -> [String] { list("TagKeys", most: 50, length: 1...128, pattern: .tag) }

    /// `PermissionsBoundary`, where one is given.
    mutating func boundary() -> String? { text("PermissionsBoundary", length: 20...2048) }
}

extension [Tag] {
    /// Adds tags; one whose key is there already, in any case, takes the place of the other.
    /// - Parameter quota: as the refusal of more than fifty names it, such as `TagsPerUser`.
    mutating func merge(_ new: [Tag], quota: String) throws(QueryError) {
        for tag in new {
            if let index = firstIndex(where: { $0.key.lowercased() == tag.key.lowercased() }) { self[index] = tag } else { append(tag) }
        }
        guard count <= 50 else { throw .limitExceeded("Cannot exceed quota for \(quota): 50") }
    }

    /// Removes the tags of these keys, in any case.
    mutating func remove(_ keys: [String]) {
        let keys = Set(keys.map { $0.lowercased() })
        removeAll { keys.contains($0.key.lowercased()) }
    }
}

extension Directory {
    /// A managed policy that entities of the account can be given.
    func attachable(_ arn: String, in account: String) throws(QueryError) -> ManagedPolicy {
        guard let policy = policy(arn: arn), policy.account == account || policy.account == "aws" else {
            throw .noSuchEntity("Policy \(arn) does not exist or is not attachable.")
        }
        return policy
    }

    /// Refuses what cannot be a permissions boundary in the account.
    func checkBoundary(_ arn: String, in account: String) throws(QueryError) {
        guard ManagedPolicy.isARN(arn) else { throw .invalidInput("ARN \(arn) is not valid.") }
        guard let policy = policy(arn: arn), policy.account == account || policy.account == "aws" else {
            throw .noSuchEntity("Scope ARN: \(arn) does not exist or is not attachable.")
        }
    }
}

extension ManagedPolicy {
    /// Whether a text has the form `arn:aws:iam::<account or aws>:policy/…`.
    static func isARN(_ text: String) -> Bool {
        let fields = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return fields.count == 6 && fields[..<4] == ["arn", "aws", "iam", ""] && fields[5].hasPrefix("policy/")
            && (fields[4] == "aws" || fields[4].utf8.count == 12 && fields[4].utf8.allSatisfy { (0x30...0x39).contains($0) })
    }
}
