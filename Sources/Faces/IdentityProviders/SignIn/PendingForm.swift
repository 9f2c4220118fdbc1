import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// A form that a browser was shown and has not submitted yet, with its authorization request.
///
/// Its single-use value is bound to the browser's cookie: another site can neither guess the value nor use its own.
struct PendingForm {
    enum Stage: String {
        case login, consent, logout
        /// A page of the provider's own, on which the user changes something.
        case account
        /// The page on which a person creates an account.
        case registration
    }

    var stage: Stage
    /// The authorization request's parameters.
    var parameters: FormFields
    /// The session of the logged-in user; `nil` on the login page.
    var session: BrowserSession?

    /// The number of seconds within which a form must be submitted.
    static let lifetime = 1800

    /// Stores the form for the browser.
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
        try await visit.grantIssuer.keep(grant, under: form)
        return (form, browser)
    }

    /// Removes and returns a submitted form; `nil` if it is unknown, used, expired or another browser's.
    /// - Throws: `FaultPage` for a form submitted from another origin.
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
        // The session in which the page was shown, unless it has ended or been replaced since.
        if let session = try BrowserSession(of: visit), session.id == grant.details["session"]?.stringValue {
            pending.session = session
        }
        return pending
    }
}
