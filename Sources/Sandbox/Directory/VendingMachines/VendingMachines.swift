import WireFormats

/// The token vending machines of the sandbox: servers that issued temporary credentials to apps of the first AWS mobile SDKs.
///
/// There are two, with separate devices. The *anonymous* machine has only devices; the *identity* machine also has users.
package struct VendingMachines: Sendable {
    /// The two kinds. The raw value is the machine's segment in paths and its label in host names.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case anonymous, identity
    }

    /// The machines that the seed defines, by kind.
    package private(set) var machines: [Kind: VendingMachine] = [:]
    private var devices: [Kind: TextDictionary<VendingDevice>] = [:]
    /// The users of the identity machine, by name.
    private var users: TextDictionary<VendingUser> = [:]

    /// Returns the device with an identifier, or `nil` if it is not registered.
    package func device(_ uid: String, of kind: Kind) -> VendingDevice? { devices[kind]?[uid] }

    /// Returns the user with a name, or `nil` if there is none.
    package func user(named name: String) -> VendingUser? { users[name] }

    /// Returns the user with an identifier, or `nil` if there is none.
    package func user(id: String) -> VendingUser? { users.values.first { $0.id == id } }

    /// Returns the devices of a machine, sorted by identifier.
    package func devices(of kind: Kind) -> [VendingDevice] { (devices[kind] ?? [:]).values.sorted { $0.uid < $1.uid } }

    /// The users of the identity machine, sorted by name.
    package var registeredUsers: [VendingUser] { users.values.sorted { $0.name < $1.name } }

    /// Returns the machine that a host name addresses.
    package func kind(ofHost host: String) -> Kind? {
        machines.values.first { !$0.hosts.isEmpty && $0.hosts.contains(host) }?.kind
    }

    mutating func insert(_ record: VendingMachineRecord) {
        switch record {
        case .machine(let machine): machines[machine.kind] = machine
        case .device(let device): devices[device.machine, default: [:]][device.uid] = device
        case .user(let user): users[user.name] = user
        }
    }

    mutating func forget(_ name: String) {
        switch VendingMachineRecord.Key(name) {
        case .machine(let kind): machines[kind] = nil
        case .device(let kind, let uid): devices[kind]?[uid] = nil
        case .user(let name): users[name] = nil
        case nil: break
        }
    }
}

/// One record of the vending machines.
package enum VendingMachineRecord: Sendable, Codable {
    case machine(VendingMachine)
    case device(VendingDevice)
    case user(VendingUser)

    /// The name of the record among those of the vending machines.
    package var name: String {
        switch self {
        case .machine(let machine): Key.machine(machine.kind).name
        case .device(let device): Key.device(device.machine, uid: device.uid).name
        case .user(let user): Key.user(user.name).name
        }
    }

    enum Key {
        case machine(VendingMachines.Kind)
        case device(VendingMachines.Kind, uid: String)
        case user(String)

        var name: String {
            switch self {
            case .machine(let kind): "machine/\(kind.rawValue)"
            case .device(let kind, let uid): "device/\(kind.rawValue)/\(uid)"
            case .user(let name): "user/\(name)"
            }
        }

        init?(_ name: String) {
            let parts = name.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            switch (parts.first, parts.count) {
            case ("machine", 2):
                guard let kind = VendingMachines.Kind(rawValue: parts[1]) else { return nil }
                self = .machine(kind)
            case ("device", 3):
                guard let kind = VendingMachines.Kind(rawValue: parts[1]) else { return nil }
                self = .device(kind, uid: parts[2])
            case ("user", 2): self = .user(parts[1])
            default: return nil
            }
        }
    }
}
