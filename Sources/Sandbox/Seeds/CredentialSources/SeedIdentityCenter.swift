package import Directory
import WireFormats

extension IdentityCenter {
    /// IAM Identity Center in seeds.
    package static let record = SeedRecord<IdentityCenter>(
        "IAM Identity Center", blank: IdentityCenter(identityProvider: ""),
        fields: [
            .required(
                "identityProvider", \.identityProvider, Codec.nonempty("the name of an OpenID Connect issuer"),
                "The name of the OpenID Connect issuer whose people log in."),
            .defaulted("region", \.region, regionCodec, "The region; us-east-1 by default."),
            .defaulted("instance", \.instance, instanceCodec, "The ID of the instance; ssoins-0123456789abcdef by default."),
            .defaulted(
                "startURL", \.startURL, startURLCodec,
                "The URL of the access portal; https://d-0123456789.awsapps.com/start by default."),
            .defaulted("permissionSets", \.permissionSets, Codec.list(PermissionSet.record), "Permission sets."),
            .defaulted("assignments", \.assignments, Codec.list(Assignment.record), "Who gets which permission set in which account."),
        ])

    private static let regionCodec = Codec.form(.pattern("^[a-z0-9-]+$"), expecting: "a region, such as us-east-1") { region in
        !region.isEmpty && region.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    private static let instanceCodec = Codec.form(
        .pattern("^ssoins-[0-9a-f]{16}$"), expecting: "the ID of an instance, such as ssoins-0123456789abcdef"
    ) { id in
        id.hasPrefix("ssoins-") && id.utf8.count == 23 && isHexadecimal(id.dropFirst(7))
    }

    private static let startURLCodec = Codec.form(
        .pattern("^https://[^/]+"), expecting: "an https:// URL, such as https://d-0123456789.awsapps.com/start"
    ) { url in
        var center = IdentityCenter(identityProvider: "")
        center.startURL = url
        return center.isStartURL(url) && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
    }
}

extension IdentityCenter.PermissionSet {
    fileprivate static let record = SeedRecord<IdentityCenter.PermissionSet>(
        "Permission set", blank: IdentityCenter.PermissionSet(name: ""),
        fields: [
            .required("name", \.name, Codec.entityName(longest: 32, of: "a permission set"), "The name."),
            .optional("description", \.description, Codec.text, "A description."),
            .defaulted(
                "sessionDuration", \.sessionDuration, Codec.integer(3600...43200, "seconds"),
                "The lifetime of credentials in seconds; 3600 by default."),
            .inlinePolicies(\.policies),
            .attachedPolicies(\.attachedPolicies),
            .boundary(\.boundary),
        ])
}

extension IdentityCenter.Assignment {
    fileprivate static let record = SeedRecord<IdentityCenter.Assignment>(
        "Assignment of a permission set", blank: IdentityCenter.Assignment(account: "", permissionSet: ""),
        fields: [
            .required("account", \.account, Codec.nonempty("the ID of an account of AWS in a seed"), "The ID of an account of AWS."),
            .required("permissionSet", \.permissionSet, Codec.nonempty("the name of a permission set"), "The name of the permission set."),
            .defaulted("people", \.people, Codec.texts, "User names at the identity provider."),
            .defaulted("groups", \.groups, Codec.texts, "Values of the claim groups, or paths of groups of a Keycloak realm."),
        ])
}

extension Seed {
    /// Checks that IAM Identity Center is in one seed only, and that its permission sets have different names.
    /// - Throws: `SeedError` for the first duplicate.
    static func checkIdentityCenterNames(of seeds: [Seed]) throws(SeedError) {
        var isGiven = false
        for seed in seeds {
            guard let center = seed.identityCenter else { continue }
            if isGiven { try SeedError.report(file: seed.file, place: "identityCenter", expected: "only one identityCenter in all seeds") }
            isGiven = true
            var names: Set<TextKey> = []
            for (index, set) in center.permissionSets.enumerated() where !names.insert(TextKey(set.name)).inserted {
                try SeedError.report(
                    file: seed.file, place: "identityCenter.permissionSets[\(index)].name",
                    expected: "the name of a permission set that is given only once, not '\(set.name)' again")
            }
        }
    }

    /// Checks that the names that IAM Identity Center refers to exist in one of the seeds.
    /// - Throws: `SeedError` for the first unknown name.
    static func checkIdentityCenterReferences(of seeds: [Seed], _ names: SeedNames) throws(SeedError) {
        for seed in seeds {
            guard let center = seed.identityCenter else { continue }
            let (file, place) = (seed.file, "identityCenter")
            let issuers = seeds.flatMap(\.identityProviders).filter { $0.kind == .openIDConnect }
            guard issuers.contains(where: { $0.name.equals(center.identityProvider) }) else {
                try SeedError.report(
                    file: file, place: "\(place).identityProvider",
                    expected: "an OpenID Connect issuer of a seed, not '\(center.identityProvider)'", name: center.identityProvider,
                    from: issuers.map(\.name))
                continue
            }
            for (index, set) in center.permissionSets.enumerated() {
                try names.check(set.attachedPolicies, set.boundary, at: "\(place).permissionSets[\(index)]", file)
            }
            let people = issuers.filter { $0.name.equals(center.identityProvider) }.flatMap { $0.people.map(\.name) }
            for (index, assignment) in center.assignments.enumerated() {
                try assignment.check(
                    in: center, accounts: names.accounts.sorted { $0 < $1 }, people: people, at: "\(place).assignments[\(index)]", file)
            }
        }
    }
}

extension IdentityCenter.Assignment {
    fileprivate func check(
        in center: IdentityCenter, accounts: [String], people known: [String], at place: String, _ file: String
    ) throws(SeedError) {
        if !accounts.contains(where: { $0.equals(account) }) {
            try SeedError.report(
                file: file, place: "\(place).account", expected: "the ID of an account of AWS in a seed, not '\(account)'", name: account,
                from: accounts)
        }
        if center.permissionSet(permissionSet) == nil {
            try SeedError.report(
                file: file, place: "\(place).permissionSet", expected: "the name of a permission set, not '\(permissionSet)'",
                name: permissionSet, from: center.permissionSets.map(\.name))
        }
        for (index, person) in people.enumerated() where !known.contains(where: { $0.equals(person) }) {
            try SeedError.report(
                file: file, place: "\(place).people[\(index)]", expected: "the name of a person of the identity provider, not '\(person)'",
                name: person, from: known)
        }
    }
}
