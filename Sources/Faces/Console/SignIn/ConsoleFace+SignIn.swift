import Calls
import Cryptography
import HTTPTypes
import WireFormats

extension ConsoleFace {
    /// Answers `/_virga/ui/sign-in`: a form for the control token, or the code of the URL that `virga serve` prints.
    func signIn(_ call: Call, _ place: ConsolePlace, _ query: FormFields) async throws -> Response {
        guard let controlToken = access.controlToken else { return Visit.seeOther(Visit.path("/")) }
        if call.method == .post {
            guard call.source == .ownPage || call.source == .program || call.source == .browser else {
                throw ConsoleRefusal(code: "foreign_form", message: "Open the sign-in page and send its form.", status: .forbidden)
            }
            let text = try await form(of: call).first("token") ?? ""
            return try finish(access.attempts.attempt(text, token: controlToken), call, place, wrong: "This is not the control token.")
        }
        if let code = query.first("code"), call.method == .get {
            return try finish(
                access.attempts.redeem(code), call, place, wrong: "This URL was used before, or it is of another start of the server.")
        }
        return SignInPage(fault: nil).page.response(at: place)
    }

    private func finish(_ outcome: SignInAttempts.Outcome, _ call: Call, _ place: ConsolePlace, wrong: String) throws -> Response {
        switch outcome {
        case .accepted:
            let session = try randomBytes(24).base64url
            guard let value = access.cookieTokens.issue(session) else { break }
            var response = Visit.seeOther(Visit.path("/"))
            response.headers.append(HTTPField(name: .setCookie, value: SignInCookie(place: place).setting(value)))
            return response
        case .wrong:
            call.note(errorCode: "token_wrong", message: wrong)
            return SignInPage(fault: wrong, status: .forbidden).page.response(at: place)
        case .tooMany:
            call.note(errorCode: "too_many_attempts", message: nil)
            return SignInPage(fault: "There were too many attempts. Wait a minute.", status: .tooManyRequests).page.response(at: place)
        }
        throw ConsoleRefusal(code: "no_entropy", message: "There are no random bytes.", status: .serviceUnavailable)
    }
}
