import Calls
import WireFormats

/// The redirect to a login, and the return from it.
struct RedirectView {
    let walk: Walk

    var html: HTML {
        guard let url = walk.authorizeURL else { return "" }
        return """
            <details class="fold"><summary>The redirect to the provider, and back</summary>
            <h4>The application sends the browser here</h4>
            \(Parts.code(Self.lines(of: url), id: "authorize", label: "login URL"))
            <h4>After the login the provider sends it back</h4>
            \(Parts.code(walk.returned ?? "", id: "returned", label: "redirect"))
            </details>

            """
    }

    /// A URL with a line for each parameter.
    private static func lines(of url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let query = FormFields(parsing: String(url[url.index(after: mark)...]))?.fields ?? []
        return url[..<mark] + query.enumerated().map { "\n  \($0 == 0 ? "?" : "&")\($1.name)=\($1.value)" }.joined()
    }
}
