import Calls
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The two cookies of a domain (RFC 6265), by their names at the service. Both are limited to the paths of the pool, not readable by scripts, and not
/// sent with cross-site requests except for navigation.
enum HostedCookie: String {
    /// The value that the forms of the browser have, too.
    case form = "XSRF-TOKEN"
    /// The login in the browser.
    case session = "cognito"

    /// The lifetime in seconds. (Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".)
    static let lifetime = 3600

    /// Returns the cookie's value in the request.
    func value(in visit: HostedVisit) -> String? { visit.call.cookie(named: rawValue) }

    /// Returns the header that sets the cookie.
    func setting(_ value: String, for seconds: Int = HostedCookie.lifetime, in visit: HostedVisit) -> HTTPField {
        let secure = visit.origin.hasPrefix("https://") ? "; Secure" : ""
        return HTTPField(
            name: .setCookie,
            value: "\(rawValue)=\(value); Path=\(visit.basePath)/; Max-Age=\(seconds); HttpOnly; SameSite=Lax\(secure)")
    }
}

/// The proof that a form comes from a page of the domain: its field `_csrf` has the value of a cookie. The service has the same names.
struct HostedForm: Sendable {
    /// The value.
    let value: String

    private static let field = "_csrf"

    /// The form value of a browser: that of its cookie, or a new one.
    init(for visit: HostedVisit) throws {
        let known = HostedCookie.form.value(in: visit).flatMap { [UInt8](base64url: $0)?.count == 32 ? $0 : nil }
        value = try known ?? OpaqueToken.unguessable()
    }

    private init(value: String) { self.value = value }

    /// What the sessions of challenges are bound to.
    var browser: String { SHA256.hash(value).hex }

    /// The hidden field.
    var input: HTML { "<input type=\"hidden\" name=\"\(Self.field)\" value=\"\(value)\">" }

    /// Reads a posted form.
    /// - Throws: `HostedFault` for a form that a page of another origin sent or that lacks the value, or `FormFault`.
    static func posted(to visit: HostedVisit) async throws -> (form: HostedForm, fields: FormFields) {
        guard !visit.call.source.isForeignPage else { throw HostedFault.foreignForm }
        let fields = try await visit.call.form()
        guard let cookie = HostedCookie.form.value(in: visit), let value = fields.value(field), constantTimeEquals(cookie, value) else {
            throw HostedFault.foreignForm
        }
        return (HostedForm(value: value), fields)
    }
}
