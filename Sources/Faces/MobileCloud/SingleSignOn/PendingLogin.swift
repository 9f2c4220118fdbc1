import Cloud
import Cryptography
import Federation
import HTTPTypes
import WireFormats

/// A login that has redirected a browser to the identity provider and not received the response yet.
///
/// The state value in the provider's response can be used once and is bound to the browser's cookie. So a login must finish in the browser
/// that began it, and a response cannot be replayed.
struct PendingLogin {
    /// ``Cloud/Realm/key``
    var realm: String
    /// The path and query of the URL that the browser first requested, to which it returns.
    var target: String
    /// The values that the response is checked against; the members depend on the protocol.
    var expected: JSONObject

    /// The provider name under which the relay stores its grants. No identity provider can have it.
    static let relayName = "mobile cloud"
    /// The lifetime of a pending login in seconds.
    static let lifetime = 1800

    /// Stores the login.
    /// - Parameter state: the value that the provider's response will contain.
    /// - Returns: the browser's cookie.
    func keep(under state: String, in call: MobileCall) async throws -> HTTPField {
        let known = RelayCookie.browser.value(in: call.http).flatMap { [UInt8](base64url: $0)?.count == 32 ? $0 : nil }
        let browser = try known ?? OpaqueToken.unguessable()
        let now = call.cloud.clock.now
        try await call.cloud.grantIssuer.keep(
            Grant(
                kind: .pendingForm, provider: Self.relayName, client: "", person: "", issued: now, expires: now + .seconds(Self.lifetime),
                details: [
                    "realm": .string(realm), "target": .string(target), "expected": .object(expected),
                    "browser": .string(SHA256.hash(browser).hex),
                ]),
            under: state)
        return RelayCookie.browser.setting(browser, in: call.http)
    }

    /// Returns the login that a response belongs to, and removes it.
    /// - Throws: ``MobileError`` if it is unknown, used or expired, or belongs to another browser.
    static func take(_ state: String?, in call: MobileCall) async throws -> PendingLogin {
        let grants = call.cloud.grants
        guard let state, let browser = RelayCookie.browser.value(in: call.http),
            let grant = try grants.find(state, kind: .pendingForm, at: relayName),
            constantTimeEquals(grant.details["browser"]?.stringValue ?? "", SHA256.hash(browser).hex),
            try await grants.redeem(state, kind: .pendingForm, at: relayName) != nil,
            let realm = grant.details["realm"]?.stringValue, let target = grant.details["target"]?.stringValue,
            let expected = grant.details["expected"]?.objectValue
        else {
            throw MobileError(
                .signOnExpired,
                "This login was already finished, has expired, or was started in another browser. Go back to the app and start again.")
        }
        return PendingLogin(realm: realm, target: target, expected: expected)
    }

    // The error of a failed login is returned at the URL that the browser first requested, where SDKs expect it.

    /// Stores the error of a failed login.
    func fail(with error: MobileError, in call: MobileCall) async throws {
        guard let key = Self.failureKey(of: target, in: call) else { return }
        let now = call.cloud.clock.now
        try await call.cloud.grantIssuer.keep(
            Grant(
                kind: .pendingForm, provider: Self.relayName, client: "", person: "", issued: now, expires: now + .seconds(Self.lifetime),
                details: ["code": .string(error.kind.code), "detail": .string(error.detail)]),
            under: key)
    }

    /// Returns and removes the error of the login that the browser has just returned from; `nil` if it did not fail.
    static func takeFailure(of target: String, in call: MobileCall) async throws -> MobileError? {
        guard let key = failureKey(of: target, in: call),
            // Reading is cheaper than writing, and most requests have no failed login before them.
            try call.cloud.grants.find(key, kind: .pendingForm, at: relayName) != nil,
            let grant = try await call.cloud.grants.redeem(key, kind: .pendingForm, at: relayName),
            let kind = MobileErrorKind.allCases.first(where: { $0.code == grant.details["code"]?.stringValue })
        else { return nil }
        return MobileError(kind, grant.details["detail"]?.stringValue ?? "")
    }

    private static func failureKey(of target: String, in call: MobileCall) -> String? {
        RelayCookie.browser.value(in: call.http).map { "failure \($0) \(target)" }
    }
}
