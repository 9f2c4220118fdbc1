/// The token vending machines of the sandbox: the servers that apps of the first AWS mobile SDKs got temporary credentials from.
///
/// There are two, each with devices of its own: the *anonymous* one knows devices alone, the *identity* one also whose they are.
package struct VendingMachines: Sendable {
    /// The two kinds; the raw value is the machine's segment in paths and its label in hosts.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case anonymous, identity
    }

    /// By kind; a machine that no seed has is not there.
    package private(set) var machines: [Kind: VendingMachine] = [:]
    private var devices: [Kind: [String: VendingDevice]] = [:]
    /// Of the identity machine, by name.
    private var users: [String: VendingUser] = [:]

    package func device(_ uid: String, of kind: Kind) -> VendingDevice? { devices[kind]?[uid] }

    package func user(named name: String) -> VendingUser? { users[name] }

    package func user(id: String) -> VendingUser? { users.values.first { $0.id == id } }

    /// The machine that is called by a host of its own.
    package func kind(ofHost host: String) -> Kind? { machines.values.first { $0.hosts.contains(host) }?.kind }

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

/// One machine, as whoever deployed it set it up.
package struct VendingMachine: Hashable, Sendable, Codable {
    package var kind: VendingMachines.Kind
    /// The account whose credentials are vended.
    package var account: String
    /// The user whose keys the machine asks STS with; nothing where it asks in the account's own name.
    package var user: String?
    /// The app's name in lower case, which goes into the hash of passwords; Elastic Beanstalk's `PARAM1`.
    package var app: String
    /// The policy of the vended credentials, as JSON with placeholders.
    package var policy: String
    /// Host names that mean this machine alone, in lower case.
    package var hosts: [String]

    package init(
        kind: VendingMachines.Kind, account: String, user: String? = nil, app: String = Self.defaultApp, policy: String? = nil,
        hosts: [String] = []
    ) {
        self.kind = kind
        self.account = account
        self.user = user
        self.app = app
        self.policy = policy ?? Self.policy(of: kind)
        self.hosts = hosts
    }

    package static let defaultApp = "mymobileappname"

    /// The policy that the machine comes with: the services of its time, but neither IAM nor the machine's own tables.
    private static func policy(of kind: VendingMachines.Kind) -> String {
        let users = kind == .identity ? #""arn:aws:sdb:__REGION__:__ACCOUNT_ID__:domain/__USERS_DOMAIN__","# : ""
        return #"""
            {"Statement":[\#
            {"Effect":"Allow","Action":["s3:*","sdb:*","sqs:*","sns:*","dynamodb:*"],"Resource":"*"},\#
            {"Effect":"Deny","Action":"sdb:*","Resource":[\#(users)"arn:aws:sdb:__REGION__:__ACCOUNT_ID__:domain/__DEVICE_DOMAIN__"]},\#
            {"Effect":"Deny","Action":"iam:*","Resource":"*"}]}
            """#
    }

    /// The policy for one holder of credentials. Names never hold what could mean more in a policy than themselves.
    /// - Parameter name: what the credentials are for: a user's name, or a device.
    package func policy(for name: String) -> String {
        let domain = kind == .identity ? "TokenVendingMachine_\(app)" : "TokenVendingMachine"
        let values = [
            "__USERNAME__": name, "__REGION__": "us-east-1", "__ACCOUNT_ID__": account, "__USERS_DOMAIN__": "\(domain)_USERS",
            "__DEVICE_DOMAIN__": "\(domain)_DEVICES",
        ]
        // In one pass, so that no value is looked at for placeholders in its turn.
        var rest = policy[...]
        var text = ""
        while let start = rest.firstRange(of: "__") {
            text += rest[..<start.lowerBound]
            rest = rest[start.lowerBound...]
            if let (placeholder, value) = values.first(where: { rest.hasPrefix($0.key) }) {
                text += value
                rest = rest.dropFirst(placeholder.count)
            } else {
                text += "_"
                rest = rest.dropFirst()
            }
        }
        return text + rest
    }
}

/// A device that is registered with a machine.
package struct VendingDevice: Hashable, Sendable, Codable {
    package var machine: VendingMachines.Kind
    package var uid: String
    /// What requests are signed and answers are encrypted with: hexadecimal digits, though nobody has checked that.
    package var key: String
    /// Whose it is; nothing at the anonymous machine.
    package var userID: String?

    package init(machine: VendingMachines.Kind, uid: String, key: String, userID: String? = nil) {
        self.machine = machine
        self.uid = uid
        self.key = key
        self.userID = userID
    }

    /// Whether the anonymous machine takes a text for a device's identifier, or for its key.
    package static func isLongEnough(_ text: String) -> Bool { text.utf16.count >= 24 }
}

/// Somebody who is registered with the identity machine.
package struct VendingUser: Hashable, Sendable, Codable {
    package var name: String
    package var id: String
    package var secret: Secret

    /// What is known of a password.
    package enum Secret: Hashable, Sendable, Codable {
        /// A seed's: it does not know by which host the machine will be called, which the hash depends on.
        case password(String)
        /// The hashes of one that was registered, for each way in which clients spell the endpoint.
        case hashes([String])
    }

    package init(name: String, id: String, secret: Secret) {
        self.name = name
        self.id = id
        self.secret = secret
    }

    /// Whether somebody can have the name: 3 to 128 letters, digits, underscores, full stops and at signs.
    package static func isName(_ text: String) -> Bool {
        (3...128).contains(text.utf16.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
                default: scalar == "_" || scalar == "." || scalar == "@"
                }
            }
    }

    package static func isPassword(_ text: String) -> Bool { (6...128).contains(text.utf16.count) }
}

/// One record of the vending machines.
package enum VendingMachineRecord: Sendable, Codable {
    case machine(VendingMachine)
    case device(VendingDevice)
    case user(VendingUser)

    /// What names a record among those of the vending machines.
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
