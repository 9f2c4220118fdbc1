package import Policy
package import WireFormats

extension ManagedPolicy {
    /// The number of versions that a policy can have, at AWS and at Alibaba Cloud.
    /// (IAM User Guide, "Versioning IAM policies"; RAM API Reference, "CreatePolicyVersion".)
    package static let versionLimit = 5

    /// Adds a version with the next number. Numbers of deleted versions are not used again.
    /// - Parameters:
    ///   - text: the document as it was sent.
    ///   - isDefault: whether the version becomes the default.
    ///   - replacesOldest: whether the oldest version that is not the default is deleted if there are too many.
    /// - Returns: the version.
    /// - Throws: `limitExceeded`.
    package mutating func addVersion(
        _ document: PolicyDocument, text: String, at time: Timestamp, isDefault: Bool, replacesOldest: Bool = false
    ) throws(DirectoryRefusal) -> Version {
        if versions.count >= Self.versionLimit {
            guard replacesOldest, let oldest = versions.firstIndex(where: { $0.number != defaultVersion }) else {
                throw .limitExceeded(.versionsOfPolicy, Self.versionLimit)
            }
            versions.remove(at: oldest)
        }
        let version = Version(number: lastNumber + 1, document: document, text: text, created: time)
        versions.append(version)
        highestVersion = version.number
        if isDefault { defaultVersion = version.number }
        updated = time
        return version
    }

    /// Makes a version the default.
    /// - Throws: `noSuchVersion`.
    package mutating func setDefaultVersion(_ number: Int, at time: Timestamp) throws(DirectoryRefusal) {
        guard versions.contains(where: { $0.number == number }) else { throw .noSuchVersion(number) }
        defaultVersion = number
        updated = time
    }

    /// Deletes a version.
    /// - Throws: `noSuchVersion` or `defaultVersion`, in this order.
    package mutating func deleteVersion(_ number: Int, at time: Timestamp) throws(DirectoryRefusal) {
        guard let index = versions.firstIndex(where: { $0.number == number }) else { throw .noSuchVersion(number) }
        guard number != defaultVersion else { throw .defaultVersion }
        highestVersion = lastNumber
        versions.remove(at: index)
        updated = time
    }

    /// The highest number that a version has or had.
    private var lastNumber: Int { max(highestVersion ?? 0, versions.map(\.number).max() ?? 0) }
}
