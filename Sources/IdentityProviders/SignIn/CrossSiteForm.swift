import Calls
import HTTPTypes
import WireFormats

extension Visit {
    /// Marks a form that a page of our own sent for another site's.
    static let again = "again"

    /// Browsers keep the session's cookie from forms of other sites (`SameSite=Lax`, RFC 6265bis section 5.6.7), so that nobody would be
    /// logged in, and nobody logged out: such a form is sent once more, from a page of our own.
    /// - Parameter parameters: those of the form, with what is to be sent again.
    /// - Returns: the page; `nil` if the request counts as it is.
    func sendingOnceMore(_ parameters: FormFields) -> Response? {
        guard call.method == .post, parameters[Self.again] == nil, Cookie.session.value(in: self) == nil,
            let origin = call.headers[.origin], origin != call.origin
        else { return nil }
        var answer = AuthorizationAnswer(to: basePath + path, mode: .formPost, fields: [Self.again: "1"])
        answer.fields.fields += parameters.fields
        return answer.response(of: provider)
    }
}
