import Calls
import ControlDocuments
import Federation
import HTTPTypes
import WireFormats

extension ConsoleFace {
    /// Answers `/_virga/ui/join`: the page of a class link and of a student's link. The browser has no session yet, so the form has no token.
    /// It must come from this origin.
    ///
    /// GET changes nothing, so that a preview of the link does not use it up.
    func join(_ call: Call, _ place: ConsolePlace, _ query: FormFields, _ client: ControlClient) async throws -> Response {
        let seatTokens = access.tokens("seat", nil)
        let seat = SignInCookie(place: place, kind: "seat")
        let session = call.cookie(named: seat.name).flatMap(seatTokens.session)
        guard call.method == .post else {
            let page = JoinPage(place: place, access: access)
            if let code = query.first("code") { return await page.invitation(client, code: code).response(at: place) }
            return await page.welcome(client, session: session).response(at: place)
        }
        guard call.source == .ownPage || call.source == .program || call.source == .browser else {
            throw ConsoleRefusal(code: "foreign_form", message: "Open your link and send the form of its page.", status: .forbidden)
        }
        let form = try await form(of: call)
        var order: JSONObject = [:]
        if let code = form.first("code") { order["code"] = .string(code) }
        if let name = form.first("name") { order["name"] = .string(name) }
        if let session { order["session"] = .string(session) }
        let answer = await client.post("/class/join", .object(order))
        let student = answer.document(JoinedMembers.self)
        guard answer.isSuccess, !student.session.isEmpty, let seatToken = seatTokens.issue(student.session) else {
            let refusal = answer.refusal ?? ConsoleRefusal(code: "no_entropy", message: "There are no random bytes.")
            call.note(errorCode: refusal.code, message: refusal.message)
            return await JoinPage(place: place, access: access)
                .invitation(client, code: form.first("code") ?? "", name: form.first("name"), fault: refusal, status: answer.status)
                .response(at: place)
        }
        var response = Visit.seeOther(Visit.path("/join"))
        response.headers.append(HTTPField(name: .setCookie, value: seat.setting(seatToken)))
        if access.controlToken != nil, place.isOwnPort, let token = access.tokens("student", student.sandbox).issue(student.session) {
            // The port has one address for all sandboxes, so that the cookie chooses.
            response.headers[.location] = Visit.path("/")
            response.headers.append(
                HTTPField(
                    name: .setCookie, value: SignInCookie(place: place).setting(SignInCookie.value(token, of: student.sandbox))))
        }
        return response
    }
}

/// The pages of a link to a class: the invitation, and the welcome after joining.
struct JoinPage {
    let place: ConsolePlace
    let access: ConsoleAccess

    /// Returns the page that a link opens.
    /// - Parameters:
    ///   - fault: the error of the last attempt.
    ///   - status: the status of the last attempt.
    func invitation(
        _ client: ControlClient, code: String, name: String? = nil, fault: ConsoleRefusal? = nil, status: Int = 200
    ) async -> ConsolePage {
        let owner = await client.get("/class/join", ["code": code])
        guard owner.isSuccess else { return notValid }
        let alert: HTML =
            fault.map {
                "<p class=\"error\" id=\"fault\" role=\"alert\" tabindex=\"-1\" data-focus>\(Parts.value($0.message, limit: 300))</p>\n"
            } ?? ""
        let marking: HTML = fault == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"fault\""
        let student = owner.document(LinkOwnerMembers.self).name
        let field: HTML =
            student.map { "<p>This link is for <strong>\(Parts.value($0))</strong>.</p>\n" }
                ?? """
                <label for="name">Your name</label>
                <input id="name" name="name" value="\(name ?? "")" maxlength="40" autocomplete="name" required autofocus\(marking)>
                <p class="soft">Your teacher sees it. Choose one that no one else in the class has.</p>

                """
        var page = ConsolePage(
            title: "Join the class",
            content: """
                <section class="card narrow">
                <h1>Join the class</h1>
                <p>You get a cloud of your own, called a sandbox. You can change everything in it. A reset restores it.</p>
                \(alert)<form method="post" action="\(Visit.path("/join"))">
                <input type="hidden" name="code" value="\(code)">
                \(field)<p><button class="primary">\(student == nil ? "Join" : "Enter")</button></p>
                </form>
                </section>
                """)
        if fault != nil { page.status = .init(code: status) }
        return page
    }

    private var notValid: ConsolePage {
        var page = ConsolePage(
            title: "Not valid",
            content: """
                <section class="card narrow"><h1>This link is not valid</h1>
                <p>It was mistyped or revoked, or the class has ended. Ask your teacher for a new one.</p></section>
                """)
        page.status = .notFound
        return page
    }

    /// Returns the page of a student who has joined in this browser.
    func welcome(_ client: ControlClient, session: String?) async -> ConsolePage {
        guard let session, case let answer = await client.post("/class/join", ["session": .string(session)]), answer.isSuccess,
            case let student = answer.document(JoinedMembers.self), !student.sandbox.isEmpty
        else {
            var page = ConsolePage(
                title: "Join the class",
                content: """
                    <section class="card narrow"><h1>Join the class</h1>
                    <p>Open the link that you got from your teacher.</p></section>
                    """)
            page.status = .notFound
            return page
        }
        let sandbox = await client.get("/sandboxes/\(student.sandbox)").document(SandboxMembers.self)
        let link: HTML =
            student.code.map { code -> HTML in
                """
                <p>To come back from another browser, sign out in this one first, then open your own link. Do not share it.</p>
                \(Parts.secret("\(place.origin)\(Visit.path("/join"))?code=\(code)", id: "own-link", label: "your own link"))
                """
            } ?? ""
        return ConsolePage(
            title: "Welcome",
            content: """
                <section class="card narrow"><h1>Welcome, \(Parts.value(student.name))</h1>
                <p>Your sandbox is <code>\(student.sandbox)</code>.</p>
                \(entrance(student.sandbox, SandboxAddresses(sandbox), session))\(link)</section>
                """)
    }

    private func entrance(_ sandbox: String, _ addresses: SandboxAddresses, _ session: String) -> HTML {
        if let origin = addresses.origin(for: place) {
            let path =
                access.controlToken == nil
                ? Visit.path("/")
                : Visit.path("/enter?ticket=\(SandboxTicket(sandbox: sandbox, access: access).issue(session) ?? "")")
            return "<p><a class=\"button primary\" href=\"\(origin)\(path)\">Open your console</a></p>\n"
        }
        return """
            <form method="post" action="\(Visit.path("/join"))"><p><button class="primary">Open your console</button></p></form>

            """
    }
}
