import Directory
import ObjectStore
import Policy
import Seeds
import WireFormats

extension SeedExport {
    /// Exports an account of Alibaba Cloud without its buckets.
    mutating func alibabaAccount(_ account: Account, _ directory: Directory) throws -> JSONObject {
        let id = account.id
        var json = Self.start(of: account)
        json.add("rootKeys", try keys(account.rootKeys, "the root user of \(id)"))
        let policies = directory.policies.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("policies", try policies.map { .object(try policy($0, ManagedPolicy.ramRecord)) })
        let groups = directory.groups.values.filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add(
            "groups",
            try groups.map { group in
                var group = group
                group.attachedPolicies = Self.names(of: group.attachedPolicies)
                return .object(try Group.ramRecord.json(of: group))
            })
        let users = directory.users.values.map(\.user).filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add("users", try users.map { .object(try ramUser($0)) })
        let roles = directory.roles.values.map(\.role).filter { $0.account == id }.sorted { $0.name < $1.name }
        json.add(
            "roles",
            try roles.map { role in
                var role = role
                role.attachedPolicies = Self.names(of: role.attachedPolicies)
                return .object(try Role.ramRecord.json(of: role))
            })
        let trusts = directory.trusts.values.filter { $0.account == id }.sorted { $0.url < $1.url }
        json.add("openIDConnectProviders", try trusts.map { .object(try OpenIDConnectTrust.ramRecord.json(of: $0)) })
        json.add("samlProviders", try Self.samlTrusts(of: id, directory, SAMLTrust.ramRecord))
        return json
    }

    private mutating func ramUser(_ user: User) throws -> JSONObject {
        var exported = user
        exported.accessKeys = active(user.accessKeys, user.arn)
        exported.attachedPolicies = Self.names(of: user.attachedPolicies)
        if user.loginProfile != nil { leftOut.append("\(user.arn): the console password") }
        return try User.ramRecord.json(of: exported)
    }

    /// Returns the names of policies, which are the last parts of their ARNs. Seeds refer to RAM policies by name.
    private static func names(of policies: [String]) -> [String] {
        policies.map { $0.split(separator: "/").last.map { String($0) } ?? $0 }
    }

    /// Exports a bucket of OSS with its objects.
    mutating func ossBucket(_ bucket: Bucket, _ cloud: Cloud) async throws -> JSONObject {
        var seeded = SeedOSSBucket(name: bucket.name, region: bucket.region)
        if let list = bucket.configuration.accessControl {
            if let access = OSSBucketAccess.allCases.first(where: { $0.list(owner: bucket.account) == list }) {
                seeded.access = access
            } else {
                leftOut.append("bucket \(bucket.name): its ACL")
            }
        }
        seeded.versioning = isVersioned(bucket)
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
        return try SeedOSSBucket.record.json(of: seeded)
    }
}
