import WireFormats

extension [AccessKey] {
    /// The number of access keys that a user can have, at AWS and at Alibaba Cloud.
    /// (IAM User Guide, "IAM and AWS STS quotas"; RAM User Guide, "Limits".)
    package static var limit: Int { 2 }

    /// Adds a key.
    /// - Throws: `limitExceeded`.
    package mutating func add(_ key: AccessKey) throws(DirectoryRefusal) {
        guard count < Self.limit else { throw .limitExceeded(.accessKeysOfUser, Self.limit) }
        append(key)
    }

    /// Sets whether a key is active.
    /// - Throws: `noSuchAccessKey`.
    package mutating func set(_ id: String, isActive: Bool) throws(DirectoryRefusal) {
        self[try place(of: id)].isInactive = isActive ? nil : true
    }

    /// Deletes a key.
    /// - Throws: `noSuchAccessKey`.
    package mutating func delete(_ id: String) throws(DirectoryRefusal) { remove(at: try place(of: id)) }

    private func place(of id: String) throws(DirectoryRefusal) -> Int {
        guard let place = firstIndex(where: { $0.id == id }) else { throw .noSuchAccessKey(id) }
        return place
    }
}
