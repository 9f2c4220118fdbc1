import Cloud
import Federation
import Policy

extension IAMCall {
    /// Checks the tags of a new entity. If there are any, the caller needs the permission to tag in addition to that to create.
    /// (IAM User Guide, "Tags for IAM resources"; the ARN in the error is as observed of the real service.)
    func admit(_ tags: [Tag], _ family: TagFamily, on arn: String) throws(QueryError) {
        guard !tags.isEmpty else { return }
        if dialect == .aws { try authorize("Tag\(family.title)", on: arn, newTags: tags) }
        try tags.check(family, dialect)
    }
}

extension [Tag] {
    /// Rejects invalid keys. Call it after the permission to tag has been checked.
    /// - Parameter dialect: Ceph accepts duplicate keys.
    func check(_ family: TagFamily, _ dialect: Dialect = .aws) throws(QueryError) {
        if dialect == .aws, Set(map { family.compared($0.key) }).count < count {
            throw .invalidInput("Duplicate tag keys found. Please note that Tag keys are case insensitive.")
        }
        if contains(where: { $0.key.lowercased().hasPrefix("aws:") }) {
            throw .invalidInput("Tag keys beginning with aws: are reserved for system use.")
        }
    }

    /// Adds tags. A tag replaces an existing one with the same key.
    mutating func merge(_ new: [Tag], _ family: TagFamily) throws(QueryError) {
        for tag in new {
            let key = family.compared(tag.key)
            if let index = firstIndex(where: { family.compared($0.key) == key }) { self[index] = tag } else { append(tag) }
        }
        guard count <= 50 else { throw .limitExceeded("Cannot exceed quota for TagsPer\(family.title): 50") }
    }

    /// Removes the tags with these keys.
    mutating func remove(_ keys: [String], _ family: TagFamily) {
        let keys = Set(keys.map(family.compared))
        removeAll { keys.contains(family.compared($0.key)) }
    }
}
