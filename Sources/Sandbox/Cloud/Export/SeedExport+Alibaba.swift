import Directory
import ObjectStore
import Policy
import Seeds
import WireFormats

extension SeedExport {
    /// Exports an account of Alibaba Cloud.
    mutating func alibabaAccount(_ account: Account, _ cloud: Cloud) async throws -> SeedAlibabaAccount {
        let (id, directory) = (account.id, cloud.directory)
        var seeded = SeedAlibabaAccount(account)
        seeded.account.rootKeys = active(account.rootKeys, "the root user of \(id)")
        seeded.policies = policies(of: id, directory)
        seeded.groups = directory.groups.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        for index in seeded.groups.indices { seeded.groups[index].attachedPolicies = Self.names(of: seeded.groups[index].attachedPolicies) }
        seeded.users = users(of: id, directory)
        for index in seeded.users.indices { seeded.users[index].attachedPolicies = Self.names(of: seeded.users[index].attachedPolicies) }
        seeded.roles = roles(of: id, directory)
        for index in seeded.roles.indices { seeded.roles[index].attachedPolicies = Self.names(of: seeded.roles[index].attachedPolicies) }
        seeded.openIDConnectProviders = trusts(of: id, directory)
        seeded.samlProviders = samlTrusts(of: id, directory)
        for bucket in cloud.objects.allBuckets where bucket.account == id { seeded.buckets.append(try await ossBucket(bucket, cloud)) }
        return seeded
    }

    /// Returns the names of policies, which are the last parts of their ARNs. Seeds refer to RAM policies by name.
    private static func names(of policies: [String]) -> [String] {
        policies.map { $0.split(separator: "/").last.map { String($0) } ?? $0 }
    }

    /// Exports a bucket of OSS with its objects.
    private mutating func ossBucket(_ bucket: Bucket, _ cloud: Cloud) async throws -> SeedOSSBucket {
        var seeded = SeedOSSBucket(name: bucket.name, region: bucket.region)
        if let list = bucket.configuration.accessControl {
            if let access = OSSBucketAccess.allCases.first(where: { $0.list(owner: bucket.account) == list }) {
                seeded.access = access
            } else {
                leftOut.append("bucket \(bucket.name): its ACL")
            }
        }
        seeded.versioning = isVersioned(bucket)
        seeded.tags = bucket.configuration.tags
        var documents = bucket.configuration.documents
        if let storageClass = documents.removeValue(forKey: .ossStorageClass) { seeded.storageClass = storageClass }
        seeded.policy = documents.removeValue(forKey: .ossPolicy)
        if let hosts = documents.removeValue(forKey: .ossHosts) {
            seeded.hosts = try JSONValue(parsing: hosts).arrayValue?.compactMap(\.stringValue) ?? []
        }
        seeded.sharedWith = documents.removeValue(forKey: .sharedWith)
        documents[.policyPrincipals] = nil
        leaveOut(Array(documents.keys), of: bucket)
        seeded.objects = try await objects(of: bucket, cloud)
        return seeded
    }
}
