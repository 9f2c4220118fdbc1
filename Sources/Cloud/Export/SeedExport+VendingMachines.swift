import Directory
import WireFormats

extension SeedExport {
    /// Exports the token vending machines with the devices and users that a seed can contain.
    mutating func vendingMachines(_ vending: VendingMachines) throws -> JSONObject {
        var json = JSONObject()
        for kind in VendingMachines.Kind.allCases {
            guard let machine = vending.machines[kind] else { continue }
            json["account"] = .string(machine.account)
            json.add(text: machine.user, as: "user")
            var object: JSONObject = ["policy": try JSONValue(parsing: machine.policy)]
            object.add("hosts", machine.hosts.map { .string($0) })
            switch kind {
            case .anonymous:
                object.add("devices", vending.devices(of: kind).map { ["uid": .string($0.uid), "key": .string($0.key)] })
            case .identity:
                object["app"] = .string(machine.app)
                var people: [JSONValue] = []
                for user in vending.registeredUsers {
                    switch user.secret {
                    case .password(let password): people.append(["name": .string(user.name), "password": .string(password)])
                    case .hashes: leftOut.append("vending machine user \(user.name): only a hash of the password is known")
                    }
                }
                object.add("people", people)
                let devices = vending.devices(of: kind).count
                if devices > 0 { leftOut.append("vending machine: devices of users, which register again (\(devices))") }
            }
            json[kind.rawValue] = .object(object)
        }
        return json
    }
}
