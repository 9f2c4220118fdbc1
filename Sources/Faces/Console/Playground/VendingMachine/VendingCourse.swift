import Calls
import Cryptography
import HTTPTypes
import WireFormats

/// A token vending machine: registration, login, an encrypted token, and S3. (Amazon, "aws-tvm-identity" and "aws-tvm-anonymous".)
struct VendingCourse: WalkCourse {
    enum Machine: String, CaseIterable, Sendable {
        case identity, anonymous

        var title: String { self == .identity ? "Identity machine" : "Anonymous machine" }
    }

    var machine: Machine
    /// The name of the app, which is part of the hash of a password.
    var app: String
    /// The policy of the machine, with `__USERNAME__`.
    var policy: String
    var people: [(name: String, password: String)]
    var user: (name: String, password: String)
    /// The identifier of the device.
    var device: String
    /// The key of the device in hexadecimal digits; empty before step 1.
    var key = ""
    /// The last decrypted answer of the machine.
    var decrypted = ""

    var kind: WalkKind { .vending }
    var title: String { "the \(machine.title.lowercased()) of \(app)" }
    var stations: WalkStations { WalkStations(token: "Device key") }
    var settings: FormFields { ["machine": machine.rawValue] }

    private var path: String { "/tvm/\(machine.rawValue)" }

    func personName(in walk: Walk) -> String { machine == .identity ? user.name : "" }

    func owner(of key: String) -> String? { people.first { key.hasPrefix("\($0.name)/") }?.name }

    func scope(of walk: Walk, by actions: WalkActions) async throws -> PolicyScope? {
        PolicyScope(policies: [policy.replacing("__USERNAME__", with: machine == .identity ? user.name : device)], claims: [:])
    }

    // MARK: Start

    /// Returns the machines of the seed.
    /// - Throws: ``ConsoleRefusal`` if the control API refuses the call.
    static func all(_ client: ControlClient) async throws -> [VendingCourse] {
        let answer = await client.get("/seed")
        if let refusal = answer.refusal { throw refusal }
        let machines = answer.json["vendingMachines"] ?? .null
        return try Machine.allCases.compactMap { machine in
            guard let json = machines[machine.rawValue] else { return nil }
            let people = (json["people"]?.arrayValue ?? []).compactMap { person in
                person["name"]?.stringValue.map { ($0, person["password"]?.stringValue ?? "") }
            }
            return VendingCourse(
                machine: machine, app: json["app"]?.stringValue ?? "app",
                policy: (json["policy"] ?? machines["policy"])?.serialized() ?? "",
                people: people, user: people.first ?? ("", ""), device: try randomBytes(16).hex)
        }
    }

    static func start(by actions: WalkActions) async throws -> Walk {
        let all = try await all(actions.visit.client)
        guard var course = all.first(where: { $0.machine.rawValue == actions.field("machine") }) ?? all.first else {
            throw ConsoleRefusal(code: "no_machine", message: "The seed has no token vending machine.", status: .notFound)
        }
        if let person = course.people.first(where: { $0.name == actions.field("person") }) { course.user = person }
        return try actions.start(course)
    }

    // MARK: Requests

    /// The time as the machines' clients write it.
    private static func timestamp(_ difference: Duration = .zero) -> String { (Timestamp.now() + difference).iso8601 }

    private static func signature(of timestamp: String, key: String) -> String { hmacSHA256(key: Array(key.utf8), timestamp).hex }

    /// The hash of a password, as the client computes it for a host with its port.
    private func hash(of password: String, name: String, at authority: String) -> String {
        hmacSHA256(key: Array(password.utf8), name + app.lowercased() + authority.lowercased()).hex
    }

    /// Registers a user at the identity machine.
    func register(_ name: String, _ password: String, by actions: WalkActions) async throws -> Exchange {
        try await actions.sender.form("Register \(name)", to: "\(path)/registeruser", ["username": name, "password": password])
    }

    /// Registers the device at the anonymous machine.
    func registerDevice(_ key: String, by actions: WalkActions) async throws -> Exchange {
        let query: FormFields = ["uid": device, "key": key]
        return try await actions.sender.send("Register the device", "GET", "\(path)/registerdevice?\(query.queryEncoded)")
    }

    /// Logs a user in. The machine answers with a key, encrypted with the hash of the password.
    func logIn(
        _ name: String, _ password: String, by actions: WalkActions, clock: Duration = .zero
    ) async throws -> (exchange: Exchange, text: String) {
        let hash = hash(of: password, name: name, at: actions.visit.client.authority)
        let time = Self.timestamp(clock)
        let query: FormFields = [
            "uid": device, "username": name, "timestamp": time, "signature": Self.signature(of: time, key: hash),
        ]
        let exchange = try await actions.sender.send("Log in as \(name)", "GET", "\(path)/login?\(query.queryEncoded)")
        return (exchange, Self.decrypt(exchange.text, with: String(hash.prefix(32))) ?? "")
    }

    /// Asks for a token. The machine answers with credentials, encrypted with the key of the device.
    func token(
        key: String, device: String? = nil, by actions: WalkActions, clock: Duration = .zero
    ) async throws -> (exchange: Exchange, text: String) {
        let time = Self.timestamp(clock)
        let query: FormFields = [
            "uid": device ?? self.device, "timestamp": time, "signature": Self.signature(of: time, key: key),
        ]
        let exchange = try await actions.sender.send("Get a token", "GET", "\(path)/gettoken?\(query.queryEncoded)")
        return (exchange, Self.decrypt(exchange.text, with: key) ?? "")
    }

    /// Decrypts an answer: the initialization vector and AES-128 in CBC mode, in base64.
    private static func decrypt(_ text: String, with key: String) -> String? {
        guard let bytes = [UInt8](base64: text.filter { !$0.isWhitespace }), let key = [UInt8](hex: key),
            let cipher = try? BlockEncryption(.cbc, key: key), let plain = try? cipher.decrypt(bytes)
        else { return nil }
        return String(validating: plain, as: UTF8.self)
    }

    /// Returns the value between the quotation marks after a name. The text is not JSON.
    static func value(_ name: String, in text: String) -> String? {
        guard let start = text.firstRange(of: "\(name): \"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    // MARK: Actions

    func perform(_ action: String, by actions: WalkActions, in walk: inout Walk) async throws -> String? {
        var course = self
        switch action {
        case "register":
            course.user = (actions.field("person"), actions.field("password"))
            walk.course = course
            walk.login = [try await course.register(course.user.name, course.user.password, by: actions)]
            return "#step-1"
        case "login":
            course.user = (actions.field("person"), actions.field("password"))
            walk.course = course
            try await course.logIn(by: actions, in: &walk)
            return "#step-1"
        case "device":
            walk.begin()
            let key = try randomBytes(16).hex
            let exchange = try await course.registerDevice(key, by: actions)
            walk.login = [exchange]
            guard exchange.isSuccess else { return "#step-1" }
            course.key = key
            walk.course = course
            walk.person = "device \(device.prefix(8))"
            walk.token = WalkToken(text: key, kind: "key", received: actions.info.nowMilliseconds)
            return "#step-1"
        case "assume":
            try await course.getToken(by: actions, in: &walk)
            return walk.credentials == nil ? "#step-2" : "#step-3"
        default: return nil
        }
    }

    private func logIn(by actions: WalkActions, in walk: inout Walk) async throws {
        var course = self
        let registration = walk.login.filter { $0.title.hasPrefix("Register") }
        walk.begin()
        let (exchange, text) = try await logIn(user.name, user.password, by: actions)
        walk.login = registration + [exchange]
        guard exchange.isSuccess, let key = Self.value("key", in: text) else { return }
        (course.key, course.decrypted) = (key, text)
        walk.course = course
        walk.person = user.name
        walk.token = WalkToken(text: key, kind: "key", received: actions.info.nowMilliseconds)
    }

    private func getToken(by actions: WalkActions, in walk: inout Walk) async throws {
        (walk.credentials, walk.access, walk.presignedURL, walk.files) = (nil, nil, nil, WalkFiles())
        let (exchange, text) = try await token(key: key, by: actions)
        walk.assumption = exchange
        guard exchange.isSuccess, let accessKey = Self.value("accessKey", in: text), let secret = Self.value("secretKey", in: text),
            let token = Self.value("securityToken", in: text)
        else { return }
        var course = self
        course.decrypted = text
        walk.course = course
        walk.credentials = WalkCredentials(
            accessKeyID: accessKey, secretAccessKey: secret, sessionToken: token,
            expires: Self.value("expirationDate", in: text).flatMap { Int64($0) }, received: actions.info.nowMilliseconds,
            arn: "federated-user/\(machine == .identity ? user.name : device)")
        try await actions.browse(&walk)
    }
}
