import Cloud
import Directory
import HTTPTypes
import Policy
import WireFormats

extension XMLWriter {
    /// Writes `Tags`, if there are any. (IAM API Reference, "Tag".)
    mutating func tags(_ tags: [Tag]) {
        if !tags.isEmpty { allTags(tags) }
    }

    /// Writes `Tags`, even if there are none.
    mutating func allTags(_ tags: [Tag]) {
        element("Tags") { xml in
            for tag in tags {
                xml.element("member") { xml in
                    xml.element("Key", tag.key)
                    xml.element("Value", tag.value)
                }
            }
        }
    }

    /// Writes `PermissionsBoundary`. (IAM API Reference, "AttachedPermissionsBoundary".)
    mutating func boundary(_ arn: String) {
        element("PermissionsBoundary") { xml in
            xml.element("PermissionsBoundaryType", "Policy")
            xml.element("PermissionsBoundaryArn", arn)
        }
    }
}

extension QueryParameters {
    /// Reads the `Path` of a new entity; `nil` if it is not passed.
    mutating func path() -> String? { text("Path", length: 1...512, pattern: .path) }

    /// Reads the `PathPrefix` of a list; `/` if it is not passed.
    mutating func pathPrefix() -> String { text("PathPrefix", length: 1...512, pattern: .pathPrefix) ?? "/" }

    /// Reads `Tags.member.<n>.Key` and `.Value`.
    mutating func tags(most: Int) -> [Tag] {
        (0..<count(of: "Tags", most: most)).map { index in
            let prefix = "Tags.member.\(index + 1)."
            return Tag(
                key: requiredText(prefix + "Key", length: 1...128, pattern: .tagKey),
                value: requiredText(prefix + "Value", length: 0...256, pattern: .tagValue))
        }
    }

    /// Reads `TagKeys.member.<n>`.
    mutating func tagKeys() -> [String] { list("TagKeys", most: 50, length: 1...128, pattern: .tagKey) }

    /// Reads `PermissionsBoundary`; `nil` if it is not passed.
    mutating func boundary() -> String? { text("PermissionsBoundary", length: 20...2048) }
}

extension Directory {
    /// Returns a managed policy that can be attached to entities of the account.
    func attachable(_ arn: String, in account: String) throws(ServiceError) -> ManagedPolicy {
        do { return try attachablePolicy(arn, in: account) } catch { throw error.ofPolicy }
    }

    /// Rejects a policy that cannot be a permissions boundary in the account.
    func checkBoundary(_ arn: String, in account: String) throws(ServiceError) {
        try ManagedPolicy.check(arn: arn)
        do { try attachablePolicy(arn, in: account) } catch { throw error.ofBoundary(.user) }
    }
}

extension AttachmentRefusal {
    /// The refusal to attach a policy.
    fileprivate var ofPolicy: ServiceError {
        switch self {
        case .noSuchPolicy(let arn): .noSuchEntity("Policy \(arn) does not exist or is not attachable.")
        case .serviceRolePolicy, .noBoundary: ofBoundary(.user)
        }
    }

    /// The refusal to set or remove a permissions boundary.
    /// - Parameter family: the kind of what has no boundary.
    func ofBoundary(_ family: HolderFamily) -> ServiceError {
        switch self {
        case .noSuchPolicy(let arn): .noSuchEntity("Scope ARN: \(arn) does not exist or is not attachable.")
        case .serviceRolePolicy:
            ServiceError("PolicyNotAttachable", .badRequest, "Cannot attach a Service Role Policy to a Customer Role.")
        case .noBoundary(let name): .noSuchEntity("\(family.title) with name \(name) has no permissions boundary.")
        }
    }
}

extension ManagedPolicy {
    /// Refuses a text that has not the form `arn:aws:iam::<account or aws>:policy/…`; what is no ARN at all is refused in other words
    /// (observed of AWS).
    static func check(arn: String) throws(ServiceError) {
        let fields = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn" else { throw .validation("Invalid ARN:  Could not be parsed!") }
        guard fields[1..<4] == ["aws", "iam", ""], fields[5].hasPrefix("policy/"),
            fields[4] == "aws" || fields[4].utf8.count == 12 && fields[4].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .invalidInput("ARN \(arn) is not valid.") }
    }
}
