import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// The device authorization grant (RFC 8628): a device without browser or keyboard waits for a user to approve it on another device.
///
/// It consists of two grants. The device polls with the device code. The grant of the user code stores the request and later the user's
/// decision. The poll that gets the tokens removes it, so that no second poll does.
struct DeviceGrant {
    let visit: Visit

    /// The reason why a poll gets no tokens (section 3.5).
    enum Fault: Error {
        /// The code was never issued, was already used, or belongs to another client.
        case unknown
        case expired, pending, slowDown, denied
    }

    /// The format and lifetime of a provider's codes.
    struct Form {
        /// The lifetime of the codes in seconds.
        var lifetime: Int
        /// The minimum number of seconds between two polls.
        var interval: Int64
        var userCodeLength: Int
        /// The characters of user codes.
        var alphabet: String
        /// Whether the user code has a hyphen in the middle.
        var isHyphenated = false

        /// Consonants that are hard to confuse, as section 6.1 recommends.
        static let consonants = "BCDFGHJKLMNPQRSTVWXZ"
    }

    private enum State: String { case pending, approved, denied }

    private var grants: GrantStore { visit.cloud.grants }

    /// Returns the name under which a user code is stored; case and hyphens are ignored (section 6.1).
    private func name(_ userCode: String) -> String {
        let code = userCode.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return ["user code", visit.provider.name, code].joined(separator: "\u{0}")
    }

    /// Starts a device authorization (section 3.2).
    /// - Parameters:
    ///   - deviceCode: an unguessable code in the provider's format.
    ///   - further: further properties of the tokens, stored with the user's decision.
    /// - Returns: the user code.
    func begin(
        for client: Client, scopes: [String], as form: Form, deviceCode: String, further: JSONObject = [:]
    ) async throws -> String {
        let now = visit.cloud.clock.now
        let userCode = try freshUserCode(form)
        var details = further
        details["scope"] = .string(scopes.joined(separator: " "))
        details["state"] = .string(State.pending.rawValue)
        var grant = Grant(
            kind: .userCode, provider: visit.provider.name, client: client.id, person: "", issued: now,
            expires: now + .seconds(form.lifetime), details: details)
        try await visit.grantIssuer.keep(grant, under: name(userCode))
        grant.kind = .deviceCode
        grant.details = ["user_code": .string(userCode), "interval": .integer(form.interval)]
        try await visit.grantIssuer.keep(grant, under: deviceCode)
        return userCode
    }

    private func freshUserCode(_ form: Form) throws -> String {
        let alphabet = Array(form.alphabet)
        // Bytes that would cause a bias toward some characters are dropped.
        let fair = 256 - 256 % alphabet.count
        while true {
            var characters: [Character] = []
            while characters.count < form.userCodeLength {
                characters += try randomBytes(form.userCodeLength).filter { $0 < fair }.map { alphabet[Int($0) % alphabet.count] }
            }
            var code = String(characters.prefix(form.userCodeLength))
            if form.isHyphenated { code.insert("-", at: code.index(code.startIndex, offsetBy: form.userCodeLength / 2)) }
            if try grants.look(up: name(code), kind: .userCode, at: visit.provider.name) == nil { return code }
        }
    }

    /// Returns the pending request of a user code; `nil` if there is none.
    func waiting(_ userCode: String) throws -> (client: Client, scopes: [String])? {
        guard let grant = try grants.find(name(userCode), kind: .userCode, at: visit.provider.name),
            grant.details["state"]?.stringValue == State.pending.rawValue, let client = visit.provider.client(grant.client)
        else { return nil }
        return (client, grant.details["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? [])
    }

    func approve(_ userCode: String, _ approval: Approval) async throws {
        try await decide(userCode) { grant in
            grant.person = approval.person.name
            for (name, value) in approval.details.members { grant.details[name] = value }
            grant.details["state"] = .string(State.approved.rawValue)
        }
    }

    func deny(_ userCode: String) async throws {
        try await decide(userCode) { $0.details["state"] = .string(State.denied.rawValue) }
    }

    private func decide(_ userCode: String, _ change: (inout Grant) -> Void) async throws {
        guard try waiting(userCode) != nil,
            var grant = try grants.find(name(userCode), kind: .userCode, at: visit.provider.name)
        else { return }
        change(&grant)
        try await visit.grantIssuer.keep(grant, under: name(userCode))
    }

    /// Handles a poll (section 3.4).
    /// - Parameter userCode: the user code, for providers that require it too.
    /// - Returns: the grant from which to issue the tokens; no other poll gets it.
    /// - Throws: `Fault`, or an error of the database.
    func redeem(_ deviceCode: String, userCode given: String? = nil, by client: Client) async throws -> Grant {
        let provider = visit.provider.name
        guard let device = try grants.look(up: deviceCode, kind: .deviceCode, at: provider), device.client == client.id,
            let userCode = device.details["user_code"]?.stringValue, given.map({ name($0) == name(userCode) }) ?? true
        else { throw Fault.unknown }
        guard !visit.cloud.clock.hasExpired(device.expires, issuedAt: device.issued) else { throw Fault.expired }
        guard let request = try grants.find(name(userCode), kind: .userCode, at: provider) else { throw Fault.unknown }
        switch request.details["state"]?.stringValue.flatMap(State.init(rawValue:)) {
        case .approved:
            guard let taken = try await grants.redeem(name(userCode), kind: .userCode, at: provider) else { throw Fault.unknown }
            return taken
        case .denied: throw Fault.denied
        case .pending, nil: throw try await notePoll(of: device, under: deviceCode)
        }
    }

    /// Records a poll. A poll before the interval is over increases the interval by five seconds.
    private func notePoll(of device: Grant, under deviceCode: String) async throws -> Fault {
        let clock = visit.cloud.clock
        var device = device
        let interval = device.details["interval"]?.integerValue ?? 5
        let last = device.details["polled"]?.integerValue.map { clock.effective(Timestamp(milliseconds: $0)) }
        let now = clock.now
        let isEarly = last.map { now.milliseconds - $0.milliseconds < interval * 1000 } ?? false
        device.details["polled"] = .integer(now.milliseconds)
        if isEarly { device.details["interval"] = .integer(interval + 5) }
        try await visit.grantIssuer.keep(device, under: deviceCode)
        return isEarly ? .slowDown : .pending
    }
}
