import Cryptography
package import Directory
import Policy
import WireFormats

/// `vendingMachines`: the token vending machines, with their initial devices and users.
package struct SeedVendingMachines: Sendable {
    /// The ID of the account of AWS.
    package var account = ""
    /// The user of the account whose tokens are issued; `nil` for the root user.
    package var user: String?
    /// The policy of the machines without their own.
    var policy: String?
    /// The machine for anonymous users.
    package var anonymous: Machine?
    /// The machine for users who log in.
    package var identity: Machine?

    /// One machine.
    package struct Machine: Sendable {
        /// The app's name.
        package var app = VendingMachine.defaultApp
        /// The policy of issued sessions, as text with placeholders.
        package var policy: String?
        /// Additional host names.
        package var hosts: [String] = []
        /// Registered devices.
        package var devices: [VendingDevice] = []
        /// Registered users. Their passwords are known.
        package var people: [VendingUser] = []

        package init() {}
    }

    package init() {}

    /// Token vending machines in seeds.
    package static let record = SeedRecord<SeedVendingMachines>(
        "Token vending machines", blank: SeedVendingMachines(),
        fields: [
            .required("account", \.account, Codec.nonempty("the id of an account of AWS in a seed"), "The ID of an account of AWS."),
            .optional("user", \.user, Codec.text, "The user of the account whose tokens are issued."),
            .optional("policy", \.policy, policyCodec, "The policy of issued sessions, with placeholders."),
            .optional("anonymous", \.anonymous, Codec.record(Machine.anonymousRecord), "The machine for anonymous users."),
            .optional("identity", \.identity, Codec.record(Machine.identityRecord), "The machine for users who log in."),
        ]
    ) { machines, members in
        guard members.has("anonymous") || members.has("identity") else {
            throw DecodingError.dataCorrupted(.init(codingPath: members.codingPath, debugDescription: "anonymous, identity or both"))
        }
    }

    /// A policy with placeholders, as text. It is validated with an example name filled in.
    fileprivate static let policyCodec = Codec.policyTemplate { template throws in
        let filled = VendingMachine(kind: .identity, account: "000000000000", policy: template).policy(for: "alice")
        _ = try PolicyDocument(parsing: filled, kind: .identity)
    }

    /// The machines.
    var machines: [VendingMachine] { VendingMachines.Kind.allCases.compactMap(machine) }

    private func machine(_ kind: VendingMachines.Kind) -> VendingMachine? {
        (kind == .anonymous ? anonymous : identity).map {
            VendingMachine(kind: kind, account: account, user: user, app: $0.app, policy: $0.policy ?? policy, hosts: $0.hosts)
        }
    }

    /// The devices of the machine for anonymous users.
    var devices: [VendingDevice] { anonymous?.devices ?? [] }

    /// The users of the machine for users who log in.
    var people: [VendingUser] { identity?.people ?? [] }

    var records: [DirectoryRecord] {
        let records = machines.map(VendingMachineRecord.machine) + devices.map { .device($0) } + people.map { .user($0) }
        return records.map { .vending($0) }
    }
}

extension SeedVendingMachines.Machine {
    fileprivate static let anonymousRecord = SeedRecord<SeedVendingMachines.Machine>(
        "Anonymous token vending machine", blank: SeedVendingMachines.Machine(),
        fields: [
            .optional("policy", \.policy, SeedVendingMachines.policyCodec, "The policy of issued sessions, in place of the common one."),
            .defaulted("hosts", \.hosts, Codec.hosts, "Further host names."),
            .defaulted("devices", \.devices, Codec.list(VendingDevice.record), "Devices that are registered."),
        ])

    fileprivate static let identityRecord = SeedRecord<SeedVendingMachines.Machine>(
        "Identity token vending machine", blank: SeedVendingMachines.Machine(),
        fields: [
            .defaulted("app", \.app, appCodec, "The app's name.", isAlwaysWritten: true),
            .optional("policy", \.policy, SeedVendingMachines.policyCodec, "The policy of issued sessions, in place of the common one."),
            .defaulted("hosts", \.hosts, Codec.hosts, "Further host names."),
            .defaulted("people", \.people, Codec.list(VendingUser.record), "Users that are registered."),
        ]
    ) { machine, _ in machine.app = machine.app.lowercased() }

    private static let appCodec = Codec.nonempty("the app's name")
}

extension VendingDevice {
    fileprivate static let record = SeedRecord<VendingDevice>(
        "Registered device", blank: VendingDevice(machine: .anonymous, uid: "", key: ""),
        fields: [
            .required("uid", \.uid, uidCodec, "The device's identifier."),
            .required("key", \.key, keyCodec, "The device's key."),
        ])

    private static let uidCodec = Codec.form(.pattern("^.{24,}$"), expecting: "a device's identifier of at least 24 characters") {
        isLongEnough($0)
    }

    /// Other keys can be registered, but then the machine cannot encrypt responses.
    private static let keyCodec = Codec.form(.pattern("^[0-9A-Fa-f]{32}$"), expecting: "a key of 32 hexadecimal digits") {
        [UInt8](hex: $0)?.count == 16
    }
}

extension VendingUser {
    fileprivate static let record = SeedRecord<VendingUser>(
        "Registered user", blank: VendingUser(name: "", id: "", secret: .password("")),
        fields: [
            .required("name", \.name, nameCodec, "The user name."),
            .required("password", \.password, passwordCodec, "The password."),
        ]
    ) { user, _ in user.id = String(SHA256.hash("vending machine user \(user.name)").hex.prefix(32)) }

    private static let nameCodec = Codec.form(.nonempty, expecting: "a name of 3 to 128 letters, digits and _ . @") { isName($0) }

    private static let passwordCodec = Codec.form(.nonempty, expecting: "a password of 6 to 128 characters") { isPassword($0) }

    /// The password; empty if only hashes of it are known.
    private var password: String {
        get { if case .password(let password) = secret { password } else { "" } }
        set { secret = .password(newValue) }
    }
}

extension Seed {
    /// Checks that the machines, devices and users of token vending machines are unique.
    /// - Throws: `SeedError` for the first duplicate.
    static func checkVendingNames(of seeds: [Seed]) throws(SeedError) {
        var given: Set<[String]> = []
        for seed in seeds {
            guard let vending = seed.vendingMachines else { continue }
            func add(_ kind: String, _ name: String, at place: String) throws(SeedError) {
                guard !given.insert([kind, name]).inserted else { return }
                try SeedError.report(
                    file: seed.file, place: "vendingMachines.\(place)", expected: "\(kind) that is given only once, not '\(name)' again")
            }
            for machine in vending.machines {
                try add("a machine", machine.kind.rawValue, at: machine.kind.rawValue)
                for (index, host) in machine.hosts.enumerated() {
                    try add("a machine's host", host, at: "\(machine.kind.rawValue).hosts[\(index)]")
                }
            }
            for (index, device) in vending.devices.enumerated() {
                try add("a device", device.uid, at: "anonymous.devices[\(index)].uid")
            }
            for (index, user) in vending.people.enumerated() { try add("a user", user.name, at: "identity.people[\(index)].name") }
        }
    }

    /// Checks that the names that token vending machines refer to exist in one of the seeds.
    /// - Throws: `SeedError` for the first unknown name.
    static func checkVendingReferences(of seeds: [Seed]) throws(SeedError) {
        for seed in seeds {
            guard let vending = seed.vendingMachines else { continue }
            let accounts = seeds.flatMap(\.accounts).filter { $0.account.id == vending.account }
            guard !accounts.isEmpty else {
                try SeedError.report(
                    file: seed.file, place: "vendingMachines.account",
                    expected: "the id of an account of AWS in a seed, not '\(vending.account)'", name: vending.account,
                    from: seeds.flatMap(\.accounts).map(\.account.id))
                continue
            }
            if let user = vending.user, !accounts.contains(where: { $0.users.contains { $0.name.lowercased() == user.lowercased() } }) {
                try SeedError.report(
                    file: seed.file, place: "vendingMachines.user", expected: "a user name of the account, not '\(user)'", name: user,
                    from: accounts.flatMap(\.users).map(\.name))
            }
        }
    }
}
