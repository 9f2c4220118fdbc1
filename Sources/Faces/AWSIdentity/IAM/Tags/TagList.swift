import Directory
import Federation
import Policy
import WireFormats

extension IAMCall {
    /// Checks the tags of a new entity. If there are any, the caller needs the permission to tag in addition to that to create.
    /// (IAM User Guide, "Tags for IAM resources"; the ARN in the error is as observed of the real service.)
    func admit(_ tags: [Tag], _ family: TagFamily, on arn: String) throws(ServiceError) {
        guard !tags.isEmpty else { return }
        if dialect == .aws { try authorize("Tag\(family.title)", on: arn, newTags: tags) }
        try tags.check(family, dialect)
    }
}

extension ServiceError {
    /// A refusal to change tags.
    /// - Parameters:
    ///   - family: the kind of resource.
    ///   - missing: the refusal if there is no such resource.
    init(_ refusal: TagRefusal, of family: TagFamily, missing: (String) -> ServiceError) {
        self =
            switch refusal {
            case .noSuchResource(let name): missing(name)
            case .duplicateKeys: .invalidInput("Duplicate tag keys found. Please note that Tag keys are case insensitive.")
            case .reservedKey: .invalidInput("Tag keys beginning with aws: are reserved for system use.")
            case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for TagsPer\(family.title): \(limit)")
            }
    }
}

extension [Tag] {
    /// Rejects invalid keys. Call it after the permission to tag has been checked.
    /// - Parameter dialect: Ceph accepts duplicate keys.
    func check(_ family: TagFamily, _ dialect: Dialect = .aws) throws(ServiceError) {
        do {
            try check(family.rules, allowsDuplicates: dialect != .aws)
        } catch {
            throw ServiceError(error, of: family, missing: ServiceError.noSuchEntity)
        }
    }
}
