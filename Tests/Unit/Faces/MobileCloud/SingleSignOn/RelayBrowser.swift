import Cloud
import Directory
import HTTPTypes
import WireFormats

@testable import MobileCloudFace

/// A user's browser at the relay, which keeps cookies and follows redirects on request.
final class RelayBrowser {
    private let mobile: MobileSandbox
    var cookies: [String: String] = [:]

    static let session = "OAMAuthnCookie_localhost:4566"
    static let marker = "ORA_OSFS_SESSION"

    init(_ mobile: MobileSandbox) { self.mobile = mobile }

    /// - Parameter target: Path and query, or a URL of the sandbox.
    func send(_ method: HTTPRequest.Method, _ target: String, _ form: FormFields? = nil) async throws -> MobileAnswer {
        var fields: HTTPFields = [:]
        if !cookies.isEmpty { fields[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        let path = target.hasPrefix(MobileSandbox.origin) ? String(target.dropFirst(MobileSandbox.origin.count)) : target
        let answer = try await mobile.send(method, path, form?.encoded ?? "", fields: fields)
        for setting in answer.fields[values: .setCookie] {
            let pair = setting.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = String(pair[1])
        }
        return answer
    }

    func get(_ target: String) async throws -> MobileAnswer { try await send(.get, target) }

    func post(_ target: String, _ form: FormFields) async throws -> MobileAnswer { try await send(.post, target, form) }

    /// Follows the redirect of a response.
    func follow(_ answer: MobileAnswer) async throws -> MobileAnswer { try await get(answer.location) }
}

extension MobileAnswer {
    var location: String { fields[.location] ?? "" }

    /// The query parameters of the redirect.
    var redirected: FormFields {
        FormFields(parsing: String(location.drop { $0 != "?" }.dropFirst())) ?? [:]
    }

    /// The token that a page shows.
    var shownToken: String? {
        guard let range = text.firstRange(of: "<code id=\"access_token\">") else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "<" })
    }

    /// The value of a hidden field.
    func hidden(_ name: String) -> String? {
        guard let range = text.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }

    /// The action of the page's form.
    var action: String? {
        guard let range = text.firstRange(of: "action=\"") else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }

    func mentions(_ text: String) -> Bool { self.text.contains(text) }
}

extension MobileSandbox {
    /// Runs a test with a realm that logs in by `signOn`, with joe and ann. Another realm has another joe at the same issuer, and a third
    /// has no login.
    /// - Parameter policies: Further environment policies.
    static func withSignOn(
        _ signOn: String, policies: String = "", others: String = "accounts: []", _ test: (MobileSandbox) async throws -> Void
    ) async throws {
        try await run(
            """
            realms: [
              {name: "Default", signOn: \(signOn), users: [
                {username: "joe", email: "joe@example.com"}, {username: "ann", email: "Ann@Example.com"}]},
              {name: "Other", signOn: \(signOn), users: [{username: "joe"}]},
              {name: "Bare", users: [{username: "joe"}]}],
            backends: [
              {name: "app", sso: true}, {name: "second", sso: true}, {name: "off"}, {name: "other", realm: "Other(1.0)", sso: true},
              {name: "bare", realm: "Bare(1.0)"}, {name: "social", sso: true, facebook: {appID: "1", appSecret: "s"}}],
            policies: {
              Security_SsoRedirectWhitelist: "https://www.example.com/app, https://*.example2.com, http://localhost:8080", \(policies)}
            """, others: others, test)
    }

    /// The URL at which a browser requests a token.
    func tokenURL(_ backend: String = "app", _ more: FormFields = [:], path: String = "token") throws -> String {
        var fields: FormFields = ["clientID": try self.backend(backend).clientID]
        fields.fields += more.fields
        return "/mobile/platform/sso/\(path)?\(fields.encoded)"
    }

    /// Returns the user of a token.
    func holder(of token: String?) async throws -> String? {
        try await MobileTokens(cloud: cloud).read(token ?? "").username
    }
}
