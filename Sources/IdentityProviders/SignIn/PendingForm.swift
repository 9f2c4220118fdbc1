import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// A form that a browser was shown and has not sent back yet, with the authorization request that it belongs to.
///
/// Its single-use value is bound to the browser's cookie: another site can neither guess the value nor use one of its own.
struct PendingForm {
    enum Stage: String {
        case login, consent, logout
        /// A page of the provider's own, on which the person changes something.
        case account
    }

    var stage: Stage
    /// The authorization request's parameters.
    var parameters: FormFields
    /// Who is logged in; not at the stage of login.
    var session: BrowserSession?

    /// Seconds in which a form must be answered.
    static let lifetime = 1800

    /// Remembers the form for the browser.
    /// - Returns: the value of its hidden field, and of the browser's cookie.
    func keep(for client: Client?, in visit: Visit) async throws -> (form: String, browser: String) {
        let known = Cookie.browser.value(in: visit).flatMap { [UInt8](base64url: $0)?.count == 32 ? $0 : nil }
        let browser = try known ?? OpaqueToken.unguessable()
        var details: JSONObject = [
            "stage": .string(stage.rawValue), "request": .string(parameters.encoded),
            "browser": .string(SHA256.hash(browser).hex),
        ]
        if let session { details["session"] = .string(session.id) }
        let now = visit.cloud.clock.now
        let grant = Grant(
            kind: .pendingForm, provider: visit.provider.name, client: client?.id ?? "", person: session?.person.name ?? "", issued: now,
            expires: now + .seconds(Self.lifetime), details: details)
        let form = try OpaqueToken.unguessable()
        try await visit.cloud.grants.keep(grant, under: form)
        return (form, browser)
    }

    /// Takes the form that is sent back; `nil` if it is unknown, used, too old or another browser's.
    /// - Throws: `FaultPage` for a form that a page of another origin sends.
    static func take(_ form: String, in visit: Visit) async throws -> PendingForm? {
        guard !visit.call.source.isForeignPage else { throw FaultPage.foreignForm }
        guard let browser = Cookie.browser.value(in: visit),
            let grant = try visit.cloud.grants.find(form, kind: .pendingForm, at: visit.provider.name),
            constantTimeEquals(grant.details["browser"]?.stringValue ?? "", SHA256.hash(browser).hex),
            try await visit.cloud.grants.redeem(form, kind: .pendingForm, at: visit.provider.name) != nil,
            let stage = grant.details["stage"]?.stringValue.flatMap(Stage.init(rawValue:)),
            let parameters = FormFields(parsing: grant.details["request"]?.stringValue ?? "")
        else { return nil }
        var pending = PendingForm(stage: stage, parameters: parameters)
        // The session that the page was shown in, unless another one has begun or it has ended since.
        if let session = try BrowserSession(of: visit), session.id == grant.details["session"]?.stringValue {
            pending.session = session
        }
        return pending
    }
}
