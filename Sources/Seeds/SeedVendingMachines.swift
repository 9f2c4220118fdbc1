import Cryptography
import Directory
import Policy
import WireFormats

/// `vendingMachines`: the token vending machines, with their initial devices and users.
struct SeedVendingMachines: Sendable, Decodable {
    var account: String
    var user: String?
    var machines: [VendingMachine] = []
    var devices: [VendingDevice] = []
    var people: [VendingUser] = []

    private enum CodingKeys: String, CodingKey, CaseIterable { case account, user, policy, anonymous, identity }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        account = try container.decode(.account, expecting: "the id of an account of AWS in a seed", where: { !$0.isEmpty })
        user = try container.decode(ifThere: .user)
        let policy = try container.decodeTemplate(.policy)
        guard container.contains(.anonymous) || container.contains(.identity) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "anonymous, identity or both"))
        }
        if let seed: SeedAnonymousMachine = try container.decode(ifThere: .anonymous) {
            machines.append(
                VendingMachine(kind: .anonymous, account: account, user: user, policy: seed.policy ?? policy, hosts: seed.hosts))
            devices = seed.devices.map(\.device)
        }
        if let seed: SeedIdentityMachine = try container.decode(ifThere: .identity) {
            machines.append(
                VendingMachine(
                    kind: .identity, account: account, user: user, app: seed.app, policy: seed.policy ?? policy, hosts: seed.hosts))
            people = seed.people.map(\.user)
        }
    }

    var records: [DirectoryRecord] {
        let records = machines.map(VendingMachineRecord.machine) + devices.map { .device($0) } + people.map { .user($0) }
        return records.map { .vending($0) }
    }
}

private struct SeedAnonymousMachine: Sendable, Decodable {
    var policy: String?
    var hosts: [String]
    var devices: [SeedVendingDevice]

    private enum CodingKeys: String, CodingKey, CaseIterable { case policy, hosts, devices }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        policy = try container.decodeTemplate(.policy)
        hosts = try container.decodeHosts(.hosts)
        devices = try container.decode(.devices, or: [])
    }
}

private struct SeedIdentityMachine: Sendable, Decodable {
    var app: String
    var policy: String?
    var hosts: [String]
    var people: [SeedVendingUser]

    private enum CodingKeys: String, CodingKey, CaseIterable { case app, policy, hosts, people }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        app =
            container.contains(.app)
            ? try container.decode(.app, expecting: "the app's name", where: { (name: String) in !name.isEmpty }).lowercased()
            : VendingMachine.defaultApp
        policy = try container.decodeTemplate(.policy)
        hosts = try container.decodeHosts(.hosts)
        people = try container.decode(.people, or: [])
    }
}

private struct SeedVendingDevice: Sendable, Decodable {
    var device: VendingDevice

    private enum CodingKeys: String, CodingKey, CaseIterable { case uid, key }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        device = VendingDevice(
            machine: .anonymous,
            uid: try container.decode(
                .uid, expecting: "a device's identifier of at least 24 characters", where: VendingDevice.isLongEnough),
            // Other keys can be registered, but then the machine cannot encrypt responses.
            key: try container.decode(.key, expecting: "a key of 32 hexadecimal digits") { [UInt8](hex: $0)?.count == 16 })
    }
}

private struct SeedVendingUser: Sendable, Decodable {
    var user: VendingUser

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, password }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name = try container.decode(
            .name, expecting: "a name of 3 to 128 letters, digits and _ . @", where: VendingUser.isName)
        user = VendingUser(
            name: name, id: String(SHA256.hash("vending machine user \(name)").hex.prefix(32)),
            secret: .password(
                try container.decode(.password, expecting: "a password of 6 to 128 characters", where: VendingUser.isPassword)))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a policy with placeholders, as text. It is validated with an example name filled in.
    fileprivate func decodeTemplate(_ key: Key) throws -> String? {
        guard let json: JSONValue = try decode(ifThere: key) else { return nil }
        let template = json.serialized()
        let filled = VendingMachine(kind: .identity, account: "000000000000", policy: template).policy(for: "alice")
        do {
            _ = try PolicyDocument(parsing: filled, kind: .identity)
        } catch {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "a policy document: \(error)")
        }
        return template
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
