import Directory
import WireFormats

extension SeedNames {
    /// Adds the names of an account's credential sources. IDs and issuers are unique in the sandbox, because requests name no account.
    mutating func addCredentialSources(_ seed: SeedAccount, at place: String) throws(SeedError) {
        for (index, instance) in seed.instances.enumerated() {
            try add(instance.id, "an instance ID", at: "\(place).instances[\(index)].id")
        }
        for (index, task) in seed.tasks.enumerated() { try add(task.id, "a task ID", at: "\(place).tasks[\(index)].id") }
        for (index, cluster) in seed.clusters.enumerated() {
            let place = "\(place).clusters[\(index)]"
            try add(cluster.name, "a cluster name of the account", in: seed.account.id, at: "\(place).name")
            try add(cluster.placed(in: seed.account.id).issuer, "a cluster's issuer", at: "\(place).issuer")
            let scope = "\(seed.account.id)/\(cluster.name)"
            for (index, association) in cluster.associations.enumerated() {
                let place = "\(place).associations[\(index)].serviceAccount"
                try add(association.fullName, "an association of the cluster", in: scope, at: place)
            }
            for (index, pod) in cluster.pods.enumerated() {
                try add("\(pod.namespace)/\(pod.name)", "a pod of the cluster", in: scope, at: "\(place).pods[\(index)].name")
            }
        }
        for (index, anchor) in seed.trustAnchors.enumerated() {
            let place = "\(place).trustAnchors[\(index)]"
            try add(anchor.id, "the ID of a trust anchor", at: "\(place).id")
            try add(anchor.name, "a trust anchor", at: "\(place).name")
        }
        for (index, profile) in seed.anywhereProfiles.enumerated() {
            let place = "\(place).anywhereProfiles[\(index)]"
            try add(profile.id, "the ID of a profile of IAM Roles Anywhere", at: "\(place).id")
            try add(profile.name, "a profile of IAM Roles Anywhere", at: "\(place).name")
        }
        for (index, pool) in seed.identityPools.enumerated() {
            try add(pool.id, "the ID of an identity pool", at: "\(place).identityPools[\(index)].id")
        }
    }

    /// Adds the names of an account's user pools. IDs of pools and apps are unique in the sandbox, because calls of apps name no account.
    mutating func addUserPools(_ seed: SeedAccount, at place: String) throws(SeedError) {
        for (index, seeded) in seed.userPools.enumerated() {
            let place = "\(place).userPools[\(index)]"
            try add(seeded.pool.id, "the ID of a user pool", at: "\(place).id")
            for (name, key) in [(seeded.domain, "domain"), (seeded.customDomain, "customDomain")] {
                guard let name else { continue }
                try add(UserPoolDomain.host(named: name, in: seeded.pool.region), "the domain of a user pool", at: "\(place).\(key)")
            }
            for (index, provider) in seeded.identityProviders.enumerated() {
                let place = "\(place).identityProviders[\(index)].name"
                try add(provider.name, "an identity provider of the user pool", in: seeded.pool.id, at: place)
            }
            for (index, server) in seeded.resourceServers.enumerated() {
                let place = "\(place).resourceServers[\(index)].identifier"
                try add(server.identifier, "a resource server of the user pool", in: seeded.pool.id, at: place)
            }
            for (index, client) in seeded.clients.enumerated() {
                try add(client.id, "the ID of an app of a user pool", at: "\(place).clients[\(index)].id")
            }
            for (index, group) in seeded.groups.enumerated() {
                try add(group.name, "a group of the user pool", in: seeded.pool.id, at: "\(place).groups[\(index)].name")
            }
            for (index, person) in seeded.people.enumerated() {
                let name = seeded.pool.folded(person.user.username)
                try add(name, "a person of the user pool", in: seeded.pool.id, at: "\(place).people[\(index)].username")
            }
        }
    }

    /// Adds the names of a provider's jobs.
    mutating func addJobs(of provider: IdentityProvider, at place: String) throws(SeedError) {
        for (index, job) in (provider.jobs ?? []).enumerated() {
            try add(job.name, "a job of the provider", in: provider.name, at: "\(place).jobs[\(index)].name")
        }
    }

    /// Checks that the names that an account's credential sources refer to exist.
    func checkCredentialSources(of seed: SeedAccount, at place: String, in file: String) throws(SeedError) {
        let (account, role) = (seed.account.id, NamedKind.roles.rawValue)
        for (index, instance) in seed.instances.enumerated() {
            guard let profile = instance.profile else { continue }
            try check(account, profile, Self.instanceProfile, at: "\(place).instances[\(index)].profile", file)
        }
        for (index, task) in seed.tasks.enumerated() { try check(account, task.role, role, at: "\(place).tasks[\(index)].role", file) }
        for (index, cluster) in seed.clusters.enumerated() {
            for (number, association) in cluster.associations.enumerated() {
                try check(account, association.role, role, at: "\(place).clusters[\(index)].associations[\(number)].role", file)
            }
        }
        for (index, profile) in seed.anywhereProfiles.enumerated() {
            let place = "\(place).anywhereProfiles[\(index)]"
            for (number, name) in profile.roles.enumerated() { try check(account, name, role, at: "\(place).roles[\(number)]", file) }
            try check(profile.attachedPolicies, nil, at: place, file)
        }
    }
}
