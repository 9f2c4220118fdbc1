import Calls
import HTTPTypes
import WireFormats

/// An error of the control API: a JSON object with `error` and `message`.
struct ControlError: Error {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    /// The methods of the path, for status 405 (RFC 9110 section 15.5.6).
    var allowed: [HTTPRequest.Method] = []
    /// Additional members of the object.
    var details: JSONObject = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    init(_ refusal: ControlAccess.Refusal) {
        self =
            switch refusal {
            case .tokenMissing:
                ControlError(.unauthorized, "token_missing", "Send the control token as 'Authorization: Bearer <token>'.")
            case .tokenWrong: ControlError(.unauthorized, "token_wrong", "The control token is not the one of this process.")
            case .closed:
                ControlError(
                    .forbidden, "control_closed",
                    "This address can be reached from other machines; start with --control-token to open the control API.")
            case .page:
                ControlError(
                    .forbidden, "page_refused",
                    "Pages need the control token. Start virga with --control-token and send it as 'Authorization: Bearer <token>'.")
            case .foreignHost:
                ControlError(
                    .forbidden, "foreign_host", "The Host is not a name of this server. Start it with --alias to add one.")
            }
    }

    /// The response. A 401 names the required scheme (RFC 9110 section 11.6.1).
    var response: Response {
        var headers: HTTPFields = status == .unauthorized ? [.wwwAuthenticate: "Bearer"] : [:]
        if !allowed.isEmpty { headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ") }
        var json: JSONObject = ["error": .string(code), "message": .string(message)]
        for (name, value) in details.members { json[name] = value }
        return .json(.object(json), status: status, headers: headers)
    }
}
