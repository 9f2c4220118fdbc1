import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// One request for a page, after all checks.
struct Visit: Sendable {
    let call: Call
    let place: ConsolePlace
    let client: ControlClient
    /// The session: one for each sign-in, or one for the process if no control token is set.
    let session: String
    /// The token for the forms and the script of the page.
    let token: String
    /// Whether a control token is set, so that the user has signed in.
    let isSignedIn: Bool
    /// Whether the user is a student, who has no right over the process.
    var isStudent = false
    /// Whether the console's own port shows this sandbox because the user chose it.
    var isAway = false
    /// Returns the progress of the student whose sandbox it is; `nil` if it is of no student.
    var progress: @Sendable () async -> Document<ProgressMembers>? = { nil }
    /// The path after `/_virga/ui`.
    let path: String
    let query: FormFields
    /// The fields of the form that was sent; empty for a GET.
    var form: FormFields = [:]

    /// The segments of the path.
    var segments: [String] { path.split(separator: "/").map { percentDecoded($0) ?? String($0) } }

    /// The hidden field of every form.
    var formToken: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(token)\">" }

    /// Returns the URL of a page of the console.
    static func path(_ path: String) -> String { "/_virga/ui\(path)" }

    /// Returns the response after a form: the browser opens `path` with GET. (RFC 9110 section 15.4.4.)
    static func seeOther(_ path: String) -> Response {
        var headers = HTTPFields.unstored
        headers[.location] = path
        headers[.referrerPolicy] = "same-origin"
        var response = Response(status: .seeOther, headers: headers)
        response.display = .page
        return response
    }
}
