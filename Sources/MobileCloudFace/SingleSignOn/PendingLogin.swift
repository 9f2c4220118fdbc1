import Cloud
import Cryptography
import Federation
import HTTPTypes
import WireFormats

/// A login that a browser has been sent to, and from which it has not come back yet.
///
/// The value that the provider's answer brings back is for one use and bound to the browser's cookie: nobody can finish a login in another
/// browser than the one that began it, and nobody can bring an answer twice.
struct PendingLogin {
    /// ``Cloud/Realm/key``
    var realm: String
    /// Path and query of the URL that the browser asked first, to which it returns.
    var target: String
    /// What the answer is checked against; the members are each protocol's own.
    var expected: JSONObject

    /// In whose name the relay keeps its grants. No identity provider can have it.
    static let keeper = "mobile cloud"
    /// Seconds in which the browser must come back.
    static let lifetime = 1800

    /// Remembers the login.
    /// - Parameter state: what the provider's answer will bring back.
    /// - Returns: the browser's cookie.
    func keep(under state: String, in call: MobileCall) async throws -> HTTPField {
        let known = RelayCookie.browser.value(in: call.http).flatMap { [UInt8](base64url: $0)?.count == 32 ? $0 : nil }
        let browser = try known ?? OpaqueToken.unguessable()
        let now = call.cloud.clock.now
        try await call.cloud.grants.keep(
            Grant(
                kind: .pendingForm, provider: Self.keeper, client: "", person: "", issued: now, expires: now + .seconds(Self.lifetime),
                details: [
                    "realm": .string(realm), "target": .string(target), "expected": .object(expected),
                    "browser": .string(SHA256.hash(browser).hex),
                ]),
            under: state)
        return RelayCookie.browser.setting(browser, in: call.http)
    }

    /// Takes the login whose answer has come.
    /// - Throws: ``MobileError`` where it is unknown, used, too old or another browser's.
    static func take(_ state: String?, in call: MobileCall) async throws -> PendingLogin {
        let grants = call.cloud.grants
        guard let state, let browser = RelayCookie.browser.value(in: call.http),
            let grant = try grants.find(state, kind: .pendingForm, at: keeper),
            constantTimeEquals(grant.details["browser"]?.stringValue ?? "", SHA256.hash(browser).hex),
            try await grants.redeem(state, kind: .pendingForm, at: keeper) != nil,
            let realm = grant.details["realm"]?.stringValue, let target = grant.details["target"]?.stringValue,
            let expected = grant.details["expected"]?.objectValue
        else {
            throw MobileError(
                .signOnExpired,
                "This login was finished already, is too old, or was begun in another browser. Go back to the app and start again.")
        }
        return PendingLogin(realm: realm, target: target, expected: expected)
    }

    // What has become of a login that failed waits for the browser at the URL that it asked first, where SDKs look for it.

    /// Remembers why nobody has been let in.
    func fail(with error: MobileError, in call: MobileCall) async throws {
        guard let key = Self.failureKey(of: target, in: call) else { return }
        let now = call.cloud.clock.now
        try await call.cloud.grants.keep(
            Grant(
                kind: .pendingForm, provider: Self.keeper, client: "", person: "", issued: now, expires: now + .seconds(Self.lifetime),
                details: ["code": .string(error.kind.code), "detail": .string(error.detail)]),
            under: key)
    }

    /// Why the login that the browser has just come back from has failed, once; `nil` if it has not.
    static func takeFailure(of target: String, in call: MobileCall) async throws -> MobileError? {
        guard let key = failureKey(of: target, in: call),
            // A look costs less than a write, and most requests have no failure behind them.
            try call.cloud.grants.find(key, kind: .pendingForm, at: keeper) != nil,
            let grant = try await call.cloud.grants.redeem(key, kind: .pendingForm, at: keeper),
            let kind = MobileErrorKind.allCases.first(where: { $0.code == grant.details["code"]?.stringValue })
        else { return nil }
        return MobileError(kind, grant.details["detail"]?.stringValue ?? "")
    }

    private static func failureKey(of target: String, in call: MobileCall) -> String? {
        RelayCookie.browser.value(in: call.http).map { "failure \($0) \(target)" }
    }
}
