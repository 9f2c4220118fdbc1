import Cryptography
import WireFormats

/// A user's login at a provider, with the requests of a browser and an application: the authorization code grant with PKCE.
/// (RFC 6749 section 4.1, RFC 7636.)
struct TourLogin {
    static let redirectURI = "http://localhost:8765/callback"

    let client: CloudClient
    let printer: TourPrinter
    private var cookies: [String: String] = [:]

    init(client: CloudClient, printer: TourPrinter) {
        self.client = client
        self.printer = printer
    }

    /// - Returns: the token that the provider issues to the application.
    mutating func token(at provider: TourProvider, user: String) async throws -> String {
        let base = "/idp/\(provider.name)"
        let verifier = try randomBytes(32).base64url
        let parameters: FormFields = [
            "response_type": "code", "client_id": provider.clientID, "redirect_uri": Self.redirectURI, "scope": provider.scope,
            "state": "tour", "code_challenge": SHA256.hash(verifier).base64url, "code_challenge_method": "S256",
        ]
        var target = "\(base)\(provider.authorizePath)?\(parameters.encoded)"
        var answer = try await client.send("GET", target, fields: cookieFields)
        keepCookies(of: answer)
        printer.request("GET", "\(base)\(provider.authorizePath)?client_id=…", answer.status, "the login page")

        // First the login page, then the consent page, until the provider redirects to the application.
        for choice in [("person", user), ("action", "allow")] where answer.field("location") == nil {
            guard let form = TourForm(page: answer.body) else {
                throw Failure(description: "\(provider.title) showed no login form: \(answer.body)")
            }
            target = form.action.hasPrefix("/") || form.action.hasPrefix("http") ? form.action : base + "/" + form.action
            var fields = form.hidden
            fields.fields.append(.init(name: choice.0, value: choice.1))
            answer = try await client.post(form: fields, to: target, fields: cookieFields)
            keepCookies(of: answer)
            printer.request("POST", target.prefixBeforeQuery, answer.status, "\(choice.0)=\(choice.1)")
        }
        guard let location = answer.field("location"), location.hasPrefix(Self.redirectURI),
            let query = location.split(separator: "?", maxSplits: 1).last,
            let code = FormFields(parsing: String(query.prefix { $0 != "#" }))?.first("code")
        else { throw Failure(description: "\(provider.title) did not send the browser back: \(answer.body)") }
        printer.note("back at \(Self.redirectURI)?code=\(code.prefix(8))…")

        let call: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI, "client_id": provider.clientID,
            "client_secret": provider.clientSecret, "code_verifier": verifier,
        ]
        let tokens = try await client.post(form: call, to: base + provider.tokenPath)
        guard let token = tokens.json?[provider.tokenMember]?.stringValue else {
            throw Failure(description: "\(provider.title) returned no token: \(tokens.body)")
        }
        printer.request("POST", base + provider.tokenPath, tokens.status, "\(provider.tokenMember): \(token.prefix(24))…")
        return token
    }

    private var cookieFields: [(String, String)] {
        cookies.isEmpty ? [] : [("cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))]
    }

    private mutating func keepCookies(of answer: CloudClient.Answer) {
        for field in answer.fields where field.name.lowercased() == "set-cookie" {
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
    }
}

/// The form of a sign-in page: its action and hidden fields.
struct TourForm {
    var action: String
    var hidden: FormFields = [:]

    init?(page: String) {
        guard let form = page.firstRange(of: "<form"), let action = Self.attribute("action", in: page[form.upperBound...]) else {
            return nil
        }
        self.action = action
        for input in page[form.upperBound...].split(separator: "<") where input.hasPrefix("input type=\"hidden\"") {
            guard let name = Self.attribute("name", in: input), let value = Self.attribute("value", in: input) else { continue }
            hidden.fields.append(.init(name: name, value: value))
        }
    }

    private static func attribute(_ name: String, in text: Substring) -> String? {
        guard let start = text.firstRange(of: " \(name)=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&"))
    }
}

extension String {
    fileprivate var prefixBeforeQuery: String { String(prefix { $0 != "?" }) }
}
