import Directory
import Policy
import WireFormats

extension SeedNames {
    /// Adds the names of an account of Alibaba Cloud. Names of users, groups, roles and policies are compared without regard to case.
    mutating func add(_ seed: SeedAlibabaAccount, at place: String) throws(SeedError) {
        let id = seed.account.id
        try add(seed.account, at: place)
        try add(seed.policies.map(\.name), of: .policies, in: id, at: place)
        for policy in seed.policies { arns.insert(identityARN(id, "policy/", policy.name)) }
        try add(seed.groups.map(\.name), of: .groups, in: id, at: place)
        try add(seed.users.map { ($0.name, $0.accessKeys) }, in: id, at: place)
        try add(seed.roles.map(\.name), of: .roles, in: id, at: place)
        for (index, trust) in seed.openIDConnectProviders.enumerated() {
            let place = "\(place).openIDConnectProviders[\(index)]"
            try add(trust.ramName, "an OpenID Connect provider's name of the account", in: id, at: "\(place).name")
            try add(trust.url, "an issuer of the account", in: id, at: "\(place).url")
        }
        for (index, trust) in seed.samlProviders.enumerated() {
            try add(trust.name, "a SAML provider's name of the account", in: id, at: "\(place).samlProviders[\(index)].name")
        }
        for (index, bucket) in seed.buckets.enumerated() {
            let place = "\(place).buckets[\(index)]"
            try add(bucket.name, "a bucket name", at: "\(place).name")
            for (index, host) in bucket.hosts.enumerated() { try add(host, "a bucket's host", at: "\(place).hosts[\(index)]") }
            for (index, object) in bucket.objects.enumerated() {
                try add(object.key, "an object key of the bucket", in: bucket.name, at: "\(place).objects[\(index)].key")
            }
        }
    }

    /// Checks that the names that an account of Alibaba Cloud refers to exist.
    func checkReferences(of seed: SeedAlibabaAccount, at place: String, in file: String) throws(SeedError) {
        let id = seed.account.id
        func check(_ policies: [String], _ place: String) throws(SeedError) {
            for (index, name) in policies.enumerated()
            where !arns.contains(identityARN(id, "policy/", name)) && ManagedPolicy.ofAlibaba(ManagedPolicy.arnOfAlibaba(name)) == nil {
                try SeedError.report(
                    file: file, place: "\(place).policies[\(index)]",
                    expected: "the name of a policy of the account or of Alibaba Cloud, not '\(name)'")
            }
        }
        for (index, group) in seed.groups.enumerated() { try check(group.attachedPolicies, "\(place).groups[\(index)]") }
        for (index, role) in seed.roles.enumerated() { try check(role.attachedPolicies, "\(place).roles[\(index)]") }
        for (index, user) in seed.users.enumerated() {
            let place = "\(place).users[\(index)]"
            try check(user.attachedPolicies, place)
            for (index, group) in user.groups.enumerated() {
                try self.check(id, group, "a group name of the account", at: "\(place).groups[\(index)]", file)
            }
        }
        for (index, trust) in seed.samlProviders.enumerated() {
            guard let name = trust.identityProvider, !samlIdentityProviders.contains(name) else { continue }
            try SeedError.report(
                file: file, place: "\(place).samlProviders[\(index)].identityProvider",
                expected: "an identity provider of a seed that has saml with an entityID, not '\(name)'")
        }
        for (index, bucket) in seed.buckets.enumerated() {
            guard let account = bucket.sharedWith, !accounts.contains(account) else { continue }
            try SeedError.report(
                file: file, place: "\(place).buckets[\(index)].sharedWith", expected: "an account of AWS of a seed, not '\(account)'")
        }
    }
}
