import Calls
import Federation
import HTTPTypes
import WireFormats

/// A refusal as plain text, for requests that are not from a person at a page of the console.
struct PlainRefusal {
    var code: String
    var text: String
    var status: HTTPResponse.Status = .forbidden

    init(code: String, text: String, status: HTTPResponse.Status = .forbidden) {
        (self.code, self.text, self.status) = (code, text, status)
    }

    /// Checks that a request is a navigation of a tab or window, and that a form is from this origin.
    ///
    /// Scripts must not read pages, and other pages must not show them in frames. (W3C, "Fetch Metadata Request Headers".)
    /// - Returns: `nil` for a request that is accepted.
    init?(of call: Call) {
        let mode = call.headers.value(of: .secFetchMode)
        let destination = call.headers.value(of: .secFetchDest)
        guard mode ?? "navigate" == "navigate", destination ?? "document" == "document" else {
            self.init(code: "page_refused", text: "Scripts cannot read this page, and it is not shown in frames.")
            return
        }
        if call.method == .post, call.source.isForeignPage || Self.hasForeignOrigin(call) {
            self.init(code: "foreign_form", text: "A page of another origin sent this form.")
            return
        }
        return nil
    }

    /// Returns whether the header `Origin` is there and names another origin. The scheme is ignored: a proxy may terminate TLS.
    private static func hasForeignOrigin(_ call: Call) -> Bool {
        guard let origin = call.headers.value(of: .origin) else { return false }
        return origin.lowercased() != call.origin.lowercased()
            && Origin(url: origin)?.authority.lowercased() != call.authority.lowercased()
    }

    func response(to call: Call) -> Response {
        call.note(errorCode: code, message: text)
        var headers = HTTPFields.unstored
        headers[.resourcePolicy] = "same-origin"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        var response = Response(status: status, contentType: "text/plain; charset=utf-8", headers: headers, text: text + "\n")
        response.display = .frame
        return response
    }
}
