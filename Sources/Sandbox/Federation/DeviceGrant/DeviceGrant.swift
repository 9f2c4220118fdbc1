package import Cloud
import Cryptography
package import Directory
package import WireFormats

/// The device authorization grant (RFC 8628): a device without browser or keyboard waits for a user to approve it on another device.
///
/// It consists of two grants. The device polls with the device code. The grant of the user code stores the request and later the user's
/// decision. The poll that gets the tokens removes it, so that no second poll does.
package struct DeviceGrant: Sendable {
    private let cloud: Cloud
    /// The name of the identity provider whose users approve devices.
    private let provider: String
    private let issuer: GrantIssuer
    /// Returns the client with an identifier, or `nil` if there is none.
    private let findClient: @Sendable (String) -> Client?

    /// - Parameters:
    ///   - provider: the name of the identity provider whose users approve devices.
    ///   - issuer: issues grants on the provider as the request has read it.
    ///   - client: returns the client with an identifier, or `nil` if there is none.
    package init(in cloud: Cloud, at provider: String, by issuer: GrantIssuer, client: @escaping @Sendable (String) -> Client?) {
        self.cloud = cloud
        self.provider = provider
        self.issuer = issuer
        findClient = client
    }

    /// The reason why a poll gets no tokens (section 3.5).
    package enum Fault: Error {
        /// The code was never issued, was already used, or belongs to another client.
        case unknown
        case expired, pending, slowDown, denied
    }

    /// The format and lifetime of a provider's codes.
    package struct Form: Sendable {
        /// The lifetime of the codes in seconds.
        package var lifetime: Int
        /// The minimum number of seconds between two polls.
        package var interval: Int64
        /// The number of characters of user codes.
        package var userCodeLength: Int
        /// The characters of user codes.
        package var alphabet: String
        /// Whether the user code has a hyphen in the middle.
        package var isHyphenated: Bool

        package init(lifetime: Int, interval: Int64, userCodeLength: Int, alphabet: String, isHyphenated: Bool = false) {
            self.lifetime = lifetime
            self.interval = interval
            self.userCodeLength = userCodeLength
            self.alphabet = alphabet
            self.isHyphenated = isHyphenated
        }

        /// Consonants that are hard to confuse, as section 6.1 recommends.
        package static let consonants = "BCDFGHJKLMNPQRSTVWXZ"
    }

    private enum State: String { case pending, approved, denied }

    private var grants: GrantStore { cloud.grants }

    /// Returns the name under which a user code is stored; case and hyphens are ignored (section 6.1).
    private func name(_ userCode: String) -> String {
        let code = userCode.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return ["user code", provider, code].joined(separator: "\u{0}")
    }

    /// Starts a device authorization (section 3.2).
    /// - Parameters:
    ///   - deviceCode: an unguessable code in the provider's format.
    ///   - further: further properties of the tokens, stored with the user's decision.
    /// - Returns: the user code.
    package func begin(
        for client: Client, scopes: [String], as form: Form, deviceCode: String, further: JSONObject = [:]
    ) async throws -> String {
        let now = cloud.clock.now
        let userCode = try freshUserCode(form)
        var details = further
        details["scope"] = .string(scopes.joined(separator: " "))
        details["state"] = .string(State.pending.rawValue)
        var grant = Grant(
            kind: .userCode, provider: provider, client: client.id, person: "", issued: now,
            expires: now + .seconds(form.lifetime), details: details)
        try await issuer.keep(grant, under: name(userCode))
        grant.kind = .deviceCode
        grant.details = ["user_code": .string(userCode), "interval": .integer(form.interval)]
        try await issuer.keep(grant, under: deviceCode)
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
            if try grants.look(up: name(code), kind: .userCode, at: provider) == nil { return code }
        }
    }

    /// Returns the pending request of a user code; `nil` if there is none.
    package func waiting(_ userCode: String) throws -> (client: Client, scopes: [String])? {
        guard let grant = try grants.find(name(userCode), kind: .userCode, at: provider),
            grant.details["state"]?.stringValue == State.pending.rawValue, let client = findClient(grant.client)
        else { return nil }
        return (client, grant.details["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? [])
    }

    /// Records that a user approves the request of a user code.
    package func approve(_ userCode: String, _ approval: Approval) async throws {
        try await decide(userCode) { grant in
            grant.person = approval.person.name
            for (name, value) in approval.details.members { grant.details[name] = value }
            grant.details["state"] = .string(State.approved.rawValue)
        }
    }

    /// Records that a user denies the request of a user code.
    package func deny(_ userCode: String) async throws {
        try await decide(userCode) { $0.details["state"] = .string(State.denied.rawValue) }
    }

    /// Only the first decision counts. A poll may have taken the request in the meantime; it does not come back.
    private func decide(_ userCode: String, _ change: @escaping @Sendable (inout Grant) -> Void) async throws {
        guard try waiting(userCode) != nil else { return }
        try await issuer.amend(name(userCode), kind: .userCode, at: provider) { grant in
            guard grant.details["state"]?.stringValue == State.pending.rawValue else { return }
            change(&grant)
        }
    }

    /// Handles a poll (section 3.4).
    /// - Parameters:
    ///   - userCode: the user code, for providers that require it too.
    ///   - client: the identifier of the client that polls.
    /// - Returns: the grant from which to issue the tokens; no other poll gets it.
    /// - Throws: `Fault`, or an error of the database.
    package func redeem(_ deviceCode: String, userCode given: String? = nil, by client: String) async throws -> Grant {
        guard let device = try grants.look(up: deviceCode, kind: .deviceCode, at: provider), device.client == client,
            let userCode = device.details["user_code"]?.stringValue, given.map({ name($0) == name(userCode) }) ?? true
        else { throw Fault.unknown }
        guard !cloud.clock.hasExpired(device.expires, issuedAt: device.issued) else { throw Fault.expired }
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
        let clock = cloud.clock
        var device = device
        let interval = device.details["interval"]?.integerValue ?? 5
        let last = device.details["polled"]?.integerValue.map { clock.effective(Timestamp(milliseconds: $0)) }
        let now = clock.now
        let isEarly = last.map { now.milliseconds - $0.milliseconds < interval * 1000 } ?? false
        device.details["polled"] = .integer(now.milliseconds)
        if isEarly { device.details["interval"] = .integer(interval + 5) }
        try await issuer.keep(device, under: deviceCode)
        return isEarly ? .slowDown : .pending
    }
}
