import Directory
import Seeds
import WireFormats

extension SeedExport {
    /// Exports the token vending machines with the devices and users that a seed can contain; `nil` if there are none.
    mutating func vendingMachines(_ vending: VendingMachines) -> SeedVendingMachines? {
        var seeded = SeedVendingMachines()
        for kind in VendingMachines.Kind.allCases {
            guard let machine = vending.machines[kind] else { continue }
            seeded.account = machine.account
            seeded.user = machine.user
            var exported = SeedVendingMachines.Machine()
            exported.app = machine.app
            exported.policy = machine.policy
            exported.hosts = machine.hosts
            switch kind {
            case .anonymous:
                exported.devices = vending.devices(of: kind)
                seeded.anonymous = exported
            case .identity:
                for user in vending.registeredUsers {
                    switch user.secret {
                    case .password: exported.people.append(user)
                    case .hashes: leftOut.append("vending machine user \(user.name): only a hash of the password is known")
                    }
                }
                let devices = vending.devices(of: kind).count
                if devices > 0 { leftOut.append("vending machine: devices of users, which register again (\(devices))") }
                seeded.identity = exported
            }
        }
        return vending.machines.isEmpty ? nil : seeded
    }
}
