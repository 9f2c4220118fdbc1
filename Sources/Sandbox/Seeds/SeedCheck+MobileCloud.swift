import Directory
import WireFormats

extension Seed {
    /// Checks that backends, realms and custom APIs of the mobile cloud are unique, and that backends share no identifiers.
    /// - Throws: `SeedError` for the first duplicate.
    static func checkMobileNames(of seeds: [Seed]) throws(SeedError) {
        var given: Set<[String]> = []
        for seed in seeds {
            guard let mobile = seed.mobileCloud else { continue }
            func add(_ kind: String, _ name: String, at place: String) throws(SeedError) {
                guard !given.insert([kind, name]).inserted else { return }
                try SeedError.report(
                    file: seed.file, place: "mobileCloud.\(place)", expected: "\(kind) that is given only once, not '\(name)' again")
            }
            for (index, realm) in mobile.realms.enumerated() { try add("a realm", realm.key, at: "realms[\(index)].name") }
            for (index, backend) in mobile.backends.enumerated() {
                try add("a backend", backend.key, at: "backends[\(index)].name")
                for (member, value) in backend.identifiers { try add("a backend's \(member)", value, at: "backends[\(index)].\(member)") }
            }
            for (index, api) in mobile.customAPIs.enumerated() { try add("a custom API", api.key, at: "customAPIs[\(index)].name") }
            for (index, certificate) in mobile.environment.certificates.enumerated() {
                try add("a certificate's alias", certificate.alias, at: "certificates[\(index)].alias")
            }
            for (index, issuer) in mobile.environment.samlIssuers.enumerated() {
                try add("a SAML issuer", issuer.name, at: "samlIssuers[\(index)].name")
            }
            for (index, collection) in mobile.environment.collections.enumerated() {
                try add("a collection", collection.id, at: "collections[\(index)].id")
            }
            for (index, member) in mobile.environment.teamMembers.enumerated() {
                try add("a member of the team", member.name, at: "teamMembers[\(index)].name")
            }
        }
    }

    /// Checks that the names that mobile clouds refer to exist in one of the seeds.
    /// - Throws: `SeedError` for the first unknown name.
    static func checkMobileReferences(of seeds: [Seed]) throws(SeedError) {
        let clouds = seeds.compactMap(\.mobileCloud)
        var all = MobileEnvironment()
        for cloud in clouds { all.add(cloud.environment) }
        let rules = MobileCloudRules(
            environment: all, realms: clouds.flatMap(\.realms).map(\.key), apis: clouds.flatMap(\.customAPIs),
            buckets: Set(seeds.flatMap(\.accounts).flatMap(\.buckets).map(\.name))
                .union(seeds.compactMap(\.alibaba).flatMap(\.accounts).flatMap(\.buckets).map(\.name)),
            providers: seeds.flatMap(\.identityProviders))
        for seed in seeds {
            guard let mobile = seed.mobileCloud else { continue }
            func check(_ faults: [MobileCloudFault], at place: String) throws(SeedError) {
                for fault in faults {
                    try SeedError.report(file: seed.file, place: place + fault.place, expected: fault.expected)
                }
            }
            try check(rules.faults(of: mobile.environment), at: "mobileCloud.")
            for (index, realm) in mobile.realms.enumerated() { try check(rules.faults(of: realm), at: "mobileCloud.realms[\(index)].") }
            for (index, backend) in mobile.backends.enumerated() {
                try check(rules.faults(of: backend), at: "mobileCloud.backends[\(index)].")
            }
            for (index, api) in mobile.customAPIs.enumerated() {
                try check(rules.faults(of: api), at: "mobileCloud.customAPIs[\(index)].")
            }
        }
    }
}
