package import Calls
import Cryptography
import Federation
import HTTPTypes
import ObjectServing
import WireFormats

/// The web console under `/_virga/ui/`: pages for people.
///
/// It is a client of this process. What it shows comes from the control API, and what its buttons do are calls that a test can make as well.
/// Pages are HTML with plain forms. A script adds live updates, copying and countdowns.
package struct ConsoleFace: Sendable {
    /// Answers a request that the console sends to this process.
    package typealias Enter = @Sendable (Request) async -> Response

    /// The longest form, in bytes.
    private static let longestForm = 1 << 20

    let access: ConsoleAccess
    let walks = WalkStore()
    let storeResults = KeptValues<StoreResult>()
    let identityResults = KeptValues<IdentityResult>()
    let pastedTexts = PageMemory<PastedText>()
    let simulations = PageMemory<Simulation>()
    let mobileMemory = MobileMemory()

    /// - Parameter access: the access rules.
    package init(access: ConsoleAccess) { self.access = access }

    /// Responds to a request.
    /// - Parameters:
    ///   - path: the path after `/_virga/ui`.
    ///   - enter: answers requests of the console to this process. They never leave it.
    package func respond(to call: Call, path: String, enter: @escaping Enter) async -> Response {
        call.note(face: "console")
        guard let place = ConsolePlace(call, endpoint: access.endpoint()) else {
            return PlainRefusal(
                code: "foreign_host",
                text: "\(call.host.visible) is not a name of this server. Start virga with --alias \(call.host.visible)."
            ).response(to: call)
        }
        if let name = path.split(separator: "/").last, path.hasPrefix("/assets/") {
            guard let asset = Asset(rawValue: String(name)), [.get, .head].contains(call.method) else {
                return PlainRefusal(code: "not_found", text: "There is no such file.", status: .notFound).response(to: call)
            }
            return asset.response
        }
        if let refusal = PlainRefusal(of: call) { return refusal.response(to: call) }
        guard place.isSafe else {
            return UnsafePlacePage(host: call.host, ownPort: access.ownPort(), endpoint: access.endpoint()).page.response(at: place)
        }
        do {
            return try await answer(call, place, path, enter)
        } catch let refusal as ConsoleRefusal {
            call.note(errorCode: refusal.code, message: refusal.message)
            var page = ConsolePage(title: "Refused", content: Parts.refusal(refusal))
            page.status = refusal.status
            return page.response(at: place)
        } catch let error as BodyTooLarge {
            return PlainRefusal(
                code: "body_too_large", text: "The form may have at most \(error.limit) bytes.", status: .contentTooLarge
            ).response(to: call)
        } catch {
            call.note(failure: error)
            return PlainRefusal(code: "internal_error", text: "Virga failed; its log says why.", status: .internalServerError).response(
                to: call)
        }
    }

    private func answer(_ call: Call, _ place: ConsolePlace, _ path: String, _ enter: @escaping Enter) async throws -> Response {
        guard [.get, .head, .post].contains(call.method) else {
            throw ConsoleRefusal(code: "method_not_allowed", message: "Use GET or POST.", status: .methodNotAllowed)
        }
        let query = call.queryFields ?? [:]
        let authority = place.services.split(separator: "/").last.map(String.init) ?? call.authority
        let process = ControlClient(enter: enter, authority: authority, token: access.controlToken)
        if path == "/join" { return try await join(call, place, query, process) }
        var signIn = SignIn(session: "open")
        if access.controlToken != nil {
            if path == "/sign-in" { return try await self.signIn(call, place, query) }
            if path == "/enter" { return redeemTicket(call, place, query) }
            guard let known = self.signIn(of: call, at: place) else {
                guard call.method != .post else {
                    throw ConsoleRefusal(
                        code: "signed_out", message: "You are not signed in. Sign in and repeat the action.", status: .forbidden)
                }
                return Visit.seeOther(Visit.path("/sign-in"))
            }
            signIn = known
        } else if path == "/sign-in" || path == "/enter" {
            return Visit.seeOther(Visit.path("/"))
        }
        let session = signIn.session
        guard let token = access.formTokens.issue(session) else {
            throw ConsoleRefusal(code: "no_entropy", message: "There are no random bytes.", status: .serviceUnavailable)
        }
        // An empty token is valid nowhere.
        let client =
            signIn.isStudent ? ControlClient(enter: enter, authority: authority, token: access.sandboxToken() ?? "") : process
        var visit = Visit(
            call: call, place: place, client: client, session: session, token: token, isSignedIn: access.controlToken != nil,
            isStudent: signIn.isStudent, isAway: signIn.isAway, path: path, query: query)
        visit.progress = { [sandbox = access.sandbox] in await StudentSteps.progress(in: sandbox, process) }
        guard call.method == .post else { return try await show(visit) }
        let isOfPage = { (visit: Visit) in access.formTokens.session(visit.form.first("form") ?? "") == session }
        if let boundary = call.headers.formBoundary { return try await upload(visit, boundary: boundary, isOfPage: isOfPage) }
        visit.form = try await form(of: call)
        guard isOfPage(visit) else { throw ConsoleRefusal.staleForm }
        return try await act(visit)
    }

    /// Returns the fields of a form.
    func form(of call: Call) async throws -> FormFields {
        let bytes = try await call.collectBody(upTo: Self.longestForm)
        guard let form = FormFields(parsing: bytes) else {
            throw ConsoleRefusal(code: "malformed_form", message: "The form is not well encoded.")
        }
        return form
    }

    /// Answers GET. Only the return from a login and a sign-in by URL change anything.
    private func show(_ visit: Visit) async throws -> Response {
        let segments = visit.segments
        switch (segments.first, segments.count) {
        case (nil, _): return try await HomePage(visit: visit).response()
        case ("search", 1): return try await SearchPage(visit: visit).response()
        case ("journal", 1): return try await JournalPage(visit: visit).response()
        case ("journal", 2) where segments[1] == "sequence": return try await SequencePage(visit: visit).response()
        case ("journal", 2): return try await JournalEntryPage(visit: visit, id: segments[1]).response()
        case ("callback", 1) where visit.call.method != .get:
            throw ConsoleRefusal(code: "method_not_allowed", message: "Use GET.", status: .methodNotAllowed)
        case ("callback", 1): return try await PlaygroundRoom(visit: visit, walks: walks, access: access).show()
        case (let name?, _):
            if let room = room(name, visit) { return try await room.show() }
            fallthrough
        default: throw ConsoleRefusal.noSuchPage
        }
    }

    /// Answers POST, with a redirect to the page that shows the result.
    private func act(_ visit: Visit) async throws -> Response {
        let segments = visit.segments
        switch (segments.first, segments.dropFirst().first) {
        case ("sign-out", nil):
            access.formTokens.end(visit.session)
            access.cookieTokens.end(visit.session)
            var response = Visit.seeOther(Visit.path("/sign-in"))
            response.headers.append(HTTPField(name: .setCookie, value: SignInCookie(place: visit.place).removal))
            return response
        case ("leave", nil): return leave(visit)
        case ("appearance", nil): return try HomeActions(visit: visit).chooseAppearance()
        case ("reset", nil): return try await HomeActions(visit: visit).reset()
        case ("clock", nil): return try await HomeActions(visit: visit).resumeClock()
        case ("faults", nil): return try await HomeActions(visit: visit).removeFaults()
        case ("journal", .some): return try await JournalActions(visit: visit).perform(Array(segments.dropFirst()))
        case (let name?, _):
            if let room = room(name, visit) { return try await room.act() }
            fallthrough
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    /// Returns the room of a path's first segment; `nil` if there is none.
    private func room(_ name: String, _ visit: Visit) -> (any ConsoleRoom)? {
        switch name {
        case "playground": PlaygroundRoom(visit: visit, walks: walks, access: access)
        case "tokens": TokensRoom(visit: visit, texts: pastedTexts)
        case "policies": PoliciesRoom(visit: visit, simulations: simulations)
        case "store": StoreRoom(visit: visit, results: storeResults)
        case "identity": IdentityRoom(visit: visit, results: identityResults)
        case "credentials": CredentialsRoom(visit: visit)
        case "mobile": MobileRoom(visit: visit, memory: mobileMemory)
        case "time": TimeRoom(visit: visit)
        case "sandboxes": SandboxesRoom(visit: visit, access: access)
        default: nil
        }
    }
}
