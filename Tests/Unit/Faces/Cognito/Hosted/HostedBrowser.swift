import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import CognitoFaces

/// A browser at the domain of a pool: it keeps cookies, and fills in forms.
final class HostedBrowser {
    static let request = "client_id=app&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=openid+email&state=s1"

    let sandbox: UserPoolSandbox
    var cookies: [(name: String, value: String)] = []
    /// Headers that the browser sends besides.
    var fields: HTTPFields = [:]

    init(_ sandbox: UserPoolSandbox) { self.sandbox = sandbox }

    private func send(
        _ method: HTTPRequest.Method, _ target: String, _ form: FormFields?
    ) async throws -> UserPoolSandbox.HostedAnswer {
        var fields = fields
        if !cookies.isEmpty { fields[.cookie] = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") }
        let answer = try await sandbox.hosted(method, target, form, fields: fields)
        for setting in answer.headers[values: .setCookie] {
            let pair = String(setting.prefix { $0 != ";" }).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0])
            cookies.removeAll { $0.name == name }
            if !setting.contains("Max-Age=0;") { cookies.append((name, String(pair[1]))) }
        }
        return answer
    }

    /// Opens a page.
    func open(_ target: String) async throws -> UserPoolSandbox.HostedAnswer { try await send(.get, target, nil) }

    /// Fills in the form of a page and sends it.
    func submit(
        _ page: UserPoolSandbox.HostedAnswer, _ filled: KeyValuePairs<String, String>
    ) async throws -> UserPoolSandbox.HostedAnswer {
        var form: FormFields = [:]
        for part in page.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let pieces = String(part).split(separator: "\"", maxSplits: 3, omittingEmptySubsequences: false)
            form.fields.append(.init(name: String(pieces[0]), value: String(pieces[2])))
        }
        for (name, value) in filled {
            form.fields.removeAll { $0.name == name }
            form.fields.append(.init(name: name, value: value))
        }
        let action = try #require(page.text.split(separator: "action=\"").dropFirst().first).prefix { $0 != "\"" }
        let target = String(action).replacing("&amp;", with: "&")
        return try await send(.post, String(target.dropFirst(UserPoolSandbox.pool.count + 1)), form)
    }

    /// Signs alice in at the login page.
    func signIn(
        _ request: String = HostedBrowser.request, name: String = "alice", password: String = UserPoolSandbox.password
    ) async throws -> UserPoolSandbox.HostedAnswer {
        let page = try await open("/login?" + request)
        return try await submit(page, ["username": name, "password": password])
    }

    /// Signs alice in, and returns the code.
    func code(_ request: String = HostedBrowser.request) async throws -> String {
        let answer = try await signIn(request)
        return try #require(Self.parameters(answer.location)["code"])
    }

    /// The parameters of a redirect's query or fragment.
    static func parameters(_ location: String?) throws -> FormFields {
        let text = try #require(location)
        let rest = text.drop { $0 != "#" && $0 != "?" }.dropFirst()
        return try #require(FormFields(parsing: String(rest)))
    }
}

extension UserPoolSandbox {
    /// Redeems a code.
    func redeem(
        _ code: String, client: String = "app", redirectURI: String = "https://app.example/callback",
        _ further: KeyValuePairs<String, String> = [:]
    ) async throws -> HostedAnswer {
        var form: FormFields = ["grant_type": "authorization_code", "client_id": client, "code": code, "redirect_uri": redirectURI]
        for (name, value) in further { form.fields.append(.init(name: name, value: value)) }
        return try await hosted(.post, "/oauth2/token", form)
    }
}
