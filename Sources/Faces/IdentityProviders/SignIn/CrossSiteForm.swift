import Calls
import HTTPTypes
import WireFormats

extension Visit {
    /// The field that marks a resubmitted form.
    static let again = "again"

    /// Returns a page that submits a form of another site again from this provider's origin.
    ///
    /// Browsers do not send the session cookie with forms of other sites (`SameSite=Lax`, RFC 6265bis section 5.6.7), so the user would
    /// seem to be logged out.
    /// - Parameter parameters: the fields of the form, including those to submit again.
    /// - Returns: the page; `nil` if the request can be handled as it is.
    func resubmissionPage(_ parameters: FormFields) -> Response? {
        guard call.method == .post, parameters[Self.again] == nil, Cookie.session.value(in: self) == nil,
            let origin = call.headers[.origin], origin != call.origin
        else { return nil }
        var answer = AuthorizationAnswer(to: basePath + path, mode: .formPost, fields: [Self.again: "1"])
        answer.fields.fields += parameters.fields
        return answer.response(of: provider)
    }
}
