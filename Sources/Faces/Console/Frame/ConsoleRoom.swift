import Calls
import HTTPTypes

/// The pages below one segment of the path, and the actions of their forms.
protocol ConsoleRoom {
    /// Answers GET. It changes nothing.
    func show() async throws -> Response
    /// Answers POST, with a redirect to the page that shows the result.
    func act() async throws -> Response
}

extension ConsoleRefusal {
    static let noSuchPage = ConsoleRefusal(code: "not_found", message: "There is no such page.", status: .notFound)
    static let staleForm = ConsoleRefusal(
        code: "form_refused", message: "The form is too old, or it is not from a page of this console. Open the page again.",
        status: .forbidden)
    static let noSuchAction = ConsoleRefusal(code: "not_found", message: "There is no such action.", status: .notFound)
}
