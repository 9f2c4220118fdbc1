import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// A device without browser or keyboard that waits for a person to let it in with another one (RFC 8628).
///
/// It is two grants. The one under the device code is what the device polls with. The one under the user code says what was asked for,
/// and later what the person decided; the poll that gets the tokens takes it away, so that no second one does.
struct DeviceGrant {
    let visit: Visit

    /// Why a poll gets no tokens (section 3.5).
    enum Fault: Error {
        /// Never given, already used, or another client's.
        case unknown
        case expired, pending, slowDown, denied
    }

    /// How a provider's codes look and live.
    struct Form {
        /// Seconds that the codes live.
        var lifetime: Int
        /// Seconds between two polls, at least.
        var interval: Int64
        var userCodeLength: Int
        /// What user codes are drawn from.
        var alphabet: String
        /// Whether a hyphen stands in the middle of the user code.
        var isHyphenated = false

        /// Consonants and digits that nobody takes for others, as section 6.1 advises.
        static let consonants = "BCDFGHJKLMNPQRSTVWXZ"
    }

    private enum State: String { case pending, approved, denied }

    private var grants: GrantStore { visit.cloud.grants }

    /// The name under which a user code is kept: case and hyphens do not count (section 6.1).
    private func name(_ userCode: String) -> String {
        let code = userCode.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return ["user code", visit.provider.name, code].joined(separator: "\u{0}")
    }

    /// Begins (section 3.2).
    /// - Parameters:
    ///   - deviceCode: unguessable, in the provider's form.
    ///   - further: what else the tokens are made from, kept with the person's decision.
    /// - Returns: the code for the person.
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
        try await grants.keep(grant, under: name(userCode))
        grant.kind = .deviceCode
        grant.details = ["user_code": .string(userCode), "interval": .integer(form.interval)]
        try await grants.keep(grant, under: deviceCode)
        return userCode
    }

    private func freshUserCode(_ form: Form) throws -> String {
        let alphabet = Array(form.alphabet)
        // Bytes that would favour some characters are dropped.
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

    /// What waits for the person's decision under a user code.
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
        try await grants.keep(grant, under: name(userCode))
    }

    /// A poll (section 3.4).
    /// - Parameter userCode: where the provider wants it, too.
    /// - Returns: the grant to make the tokens from, which no other poll gets.
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

    /// Who polls before the interval is over must wait five seconds longer from then on.
    private func notePoll(of device: Grant, under deviceCode: String) async throws -> Fault {
        let clock = visit.cloud.clock
        var device = device
        let interval = device.details["interval"]?.integerValue ?? 5
        let last = device.details["polled"]?.integerValue.map { clock.effective(Timestamp(milliseconds: $0)) }
        let now = clock.now
        let isEarly = last.map { now.milliseconds - $0.milliseconds < interval * 1000 } ?? false
        device.details["polled"] = .integer(now.milliseconds)
        if isEarly { device.details["interval"] = .integer(interval + 5) }
        try await grants.keep(device, under: deviceCode)
        return isEarly ? .slowDown : .pending
    }
}
