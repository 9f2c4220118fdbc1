package import Policy
import WireFormats

/// A record with tags.
package protocol TaggedRecord: Sendable {
    /// The tags, in the order in which they were added.
    var tags: [Tag] { get set }

    /// Returns the record that a caller names, or `nil` if the account has none.
    /// - Parameter name: the name, or the ARN for managed policies, identity providers and devices.
    static func find(_ name: String, in directory: Directory, account: String) -> Self?

    /// Puts the record in place of its earlier version.
    func save(in directory: inout Directory)
}

extension Directory {
    /// Adds tags to a record. A tag replaces one with the same key.
    /// - Throws: `noSuchResource` or `limitExceeded`, in this order.
    package mutating func tag<Record: TaggedRecord>(
        _: Record.Type, _ name: String, in account: String, with tags: [Tag], _ rules: TagRules
    ) throws(TagRefusal) {
        guard var record = Record.find(name, in: self, account: account) else { throw .noSuchResource(name) }
        try record.tags.merge(tags, rules)
        record.save(in: &self)
    }

    /// Removes tags from a record.
    /// - Parameter keys: the keys of the tags, or `nil` for all tags.
    /// - Throws: `noSuchResource`.
    package mutating func untag<Record: TaggedRecord>(
        _: Record.Type, _ name: String, in account: String, keys: [String]?, _ rules: TagRules
    ) throws(TagRefusal) {
        guard var record = Record.find(name, in: self, account: account) else { throw .noSuchResource(name) }
        if let keys { record.tags.remove(keys, rules) } else { record.tags = [] }
        record.save(in: &self)
    }
}

extension TaggedRecord where Self: PolicyHolder {
    /// Puts the record of the holder.
    package func save(in directory: inout Directory) { directory.put(record) }
}

extension User: TaggedRecord {}

extension Role: TaggedRecord {}

extension ManagedPolicy: TaggedRecord {
    package static func find(_ arn: String, in directory: Directory, account: String) -> ManagedPolicy? {
        directory.policies[arn].flatMap { $0.account == account ? $0 : nil }
    }

    package func save(in directory: inout Directory) { directory.put(.policy(self)) }
}

extension InstanceProfile: TaggedRecord {
    package static func find(_ name: String, in directory: Directory, account: String) -> InstanceProfile? {
        directory.instanceProfile(name, in: account)
    }

    package func save(in directory: inout Directory) { directory.put(.instanceProfile(self)) }
}

extension OpenIDConnectTrust: TaggedRecord {
    package static func find(_ arn: String, in directory: Directory, account: String) -> OpenIDConnectTrust? {
        directory.trusts[arn].flatMap { $0.account == account ? $0 : nil }
    }

    package func save(in directory: inout Directory) { directory.put(.trust(self)) }
}

extension SAMLTrust: TaggedRecord {
    package static func find(_ arn: String, in directory: Directory, account: String) -> SAMLTrust? {
        directory.samlTrusts[arn].flatMap { $0.account == account ? $0 : nil }
    }

    package func save(in directory: inout Directory) { directory.put(.samlTrust(self)) }
}

extension MultiFactorDevice: TaggedRecord {
    package static func find(_ serial: String, in directory: Directory, account: String) -> MultiFactorDevice? {
        directory.devices[serial].flatMap { $0.account == account ? $0 : nil }
    }

    package func save(in directory: inout Directory) { directory.put(.device(self)) }
}

/// The record of the account holds its certificates.
extension ServerCertificate: TaggedRecord {
    package static func find(_ name: String, in directory: Directory, account: String) -> ServerCertificate? {
        directory.accounts[account]?.serverCertificates.first { $0.name.lowercased() == name.lowercased() }
    }

    package func save(in directory: inout Directory) {
        guard var holder = directory.accounts[account], let index = holder.serverCertificates.firstIndex(where: { $0.id == id }) else {
            return
        }
        holder.serverCertificates[index] = self
        directory.put(.account(holder))
    }
}
