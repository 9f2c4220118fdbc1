package import Calls
import Cryptography
import HTTPTypes
import WireFormats

/// A sign-in to the console.
struct SignIn {
    var session: String
    /// Whether it is the sign-in of a student, which is valid in one sandbox and has no right over the process.
    var isStudent = false
    /// Whether the console's own port shows this sandbox because the user chose it.
    var isAway = false

    /// The beginning of a student's session, as the control API makes it.
    static let studentPrefix = "student-"
}

extension ConsoleFace {
    /// The purpose of the cookies of students of this sandbox.
    private var studentTokens: ConsoleAccess.PageTokens { access.tokens("student", access.sandbox) }

    /// Returns the sign-in of a browser; `nil` if it has none in this sandbox.
    func signIn(of call: Call, at place: ConsolePlace) -> SignIn? {
        guard let value = SignInCookie.chosen(of: call.headers.cookies(named: SignInCookie(place: place).name)) else { return nil }
        let (sandbox, token) = SignInCookie.parts(of: value)
        guard sandbox == nil || sandbox == access.sandbox else { return nil }
        if let session = access.cookieTokens.session(token) { return SignIn(session: session, isAway: sandbox != nil) }
        guard sandbox != nil, let session = studentTokens.session(token) else { return nil }
        return SignIn(session: session, isStudent: true, isAway: true)
    }

    /// Returns to the sandbox at which the console's own port begins.
    func leave(_ visit: Visit) -> Response {
        var response = Visit.seeOther(Visit.path("/sandboxes/class"))
        if !visit.isStudent, let token = access.cookieTokens.issue(visit.session) {
            response.headers.append(HTTPField(name: .setCookie, value: SignInCookie(place: visit.place).setting(token)))
        }
        return response
    }

    /// Answers `/_virga/ui/enter?ticket=…`: a link from the console of another sandbox, which signs the browser in here. If the ticket is not
    /// valid, an earlier sign-in still counts.
    ///
    /// The response is a page that opens the console, because a browser does not send the new cookie with a redirect: the chain began at another site.
    func redeemTicket(_ call: Call, _ place: ConsolePlace, _ query: FormFields) -> Response {
        let path = Visit.path(query.first("to") == "class" ? "/sandboxes/class" : "/")
        var response = EntrancePage(path: path).page.response(at: place)
        guard call.method == .get, let session = SandboxTicket(sandbox: access.sandbox, access: access).redeem(query.first("ticket") ?? "")
        else { return response }
        let isStudent = session.hasPrefix(SignIn.studentPrefix)
        let tokens = isStudent ? studentTokens : access.cookieTokens
        // The session may have ended in the meantime.
        guard let token = tokens.issue(session), tokens.session(token) != nil else { return response }
        let value = isStudent ? SignInCookie.value(token, of: access.sandbox) : token
        response.headers.append(HTTPField(name: .setCookie, value: SignInCookie(place: place).setting(value)))
        return response
    }

    /// Returns the sandbox that a sign-in cookie names; `nil` for none.
    package static func sandbox(ofCookie value: String) -> String? { SignInCookie.parts(of: value).sandbox }

    /// Returns the sign-in cookie of a request to the console's own port; `nil` if it has none, or if it is for the page that signs in.
    package static func cookie(of request: Request) -> String? {
        let path = request.target.prefix { $0 != "?" }
        guard path != "/_virga/ui/join", path != "/_virga/ui/sign-in" else { return nil }
        let port = request.authority.split(separator: ":").last.flatMap { Int(digits: String($0)) } ?? 80
        return SignInCookie.chosen(of: request.headers.cookies(named: "virga-console-\(port)"))
    }
}

/// The page after a ticket, which opens the console at once.
struct EntrancePage {
    let path: String

    var page: ConsolePage {
        var page = ConsolePage(
            title: "Opening the console",
            content: """
                <section class="card narrow"><h1>Opening the console</h1>
                <p><a class="button primary" href="\(path)">Continue</a></p></section>
                """)
        page.next = path
        return page
    }
}

/// A ticket signs a browser in at the address of a sandbox: once, within an hour. It is part of a link, so it holds no secret that is valid
/// elsewhere.
struct SandboxTicket {
    private static let lifetime: Int64 = 3600

    let sandbox: String
    let access: ConsoleAccess

    private var tokens: ConsoleAccess.PageTokens { access.tokens("ticket", sandbox) }

    /// Returns a ticket for a session.
    func issue(_ session: String, at now: Timestamp = .now()) -> String? {
        guard let random = try? randomBytes(8).hex else { return nil }
        return tokens.issue("\(now.seconds)_\(random)_\(session)")
    }

    /// Returns the session of a ticket, which is used up; `nil` if it is not valid.
    func redeem(_ ticket: String, at now: Timestamp = .now()) -> String? {
        guard let content = tokens.session(ticket) else { return nil }
        tokens.end(content)
        let parts = content.split(separator: "_", maxSplits: 2).map(String.init)
        guard parts.count == 3, let issued = Int64(digits: parts[0]), now.seconds - issued <= Self.lifetime else { return nil }
        return parts[2]
    }
}
