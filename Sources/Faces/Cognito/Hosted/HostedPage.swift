import Calls
import Directory
import HTTPTypes
import WireFormats

/// A page of a user pool's domain with one form. It has no script.
struct HostedPage: Sendable {
    /// An input of the form.
    struct Input: Sendable {
        var name: String
        var label: String
        var type = "text"
        /// The purpose for browsers that fill in forms (HTML Standard, "Autofill").
        var autocomplete = "off"
        var value = ""
        var isRequired = true
        /// What the person can choose from; none for a text.
        var choices: [(value: String, label: String)] = []

        fileprivate var html: HTML {
            guard choices.isEmpty else { return list }
            let required: HTML = isRequired ? " required" : ""
            return """
                <label for="\(name)">\(label)</label>
                <input id="\(name)" name="\(name)" type="\(type)" value="\(value)" autocomplete="\(autocomplete)" autocapitalize="none" \
                spellcheck="false"\(required)>

                """
        }

        private var list: HTML {
            let options = choices.map { choice -> HTML in "<option value=\"\(choice.value)\">\(choice.label)</option>\n" }
            return """
                <label for="\(name)">\(label)</label>
                <select id="\(name)" name="\(name)">
                \(options)</select>

                """
        }
    }

    /// A link to another page.
    struct Link: Sendable {
        var text: String
        var path: String
        /// What follows the query of the page.
        var further = ""
    }

    var title: String
    /// A sentence under the title; empty for none.
    var introduction = ""
    /// The error of the last attempt; `nil` for none.
    var fault: String?
    /// The path that receives the form.
    var path: String
    /// Fields that are sent and not shown.
    var hidden: [(name: String, value: String)] = []
    var inputs: [Input]
    /// The name and value of the button.
    var button: (name: String, text: String)
    var links: [Link] = []

    /// Returns the response, which also sets the cookie of the form.
    func response(in visit: HostedVisit, form: HostedForm) -> Response {
        let query = visit.call.query.isEmpty ? "" : "?" + visit.call.query
        let alert: HTML = fault.map { fault -> HTML in "<p class=\"alert\" id=\"fault\" role=\"alert\">\(fault)</p>\n" } ?? ""
        let opening: HTML = introduction.isEmpty ? "" : "<p class=\"soft\">\(introduction)</p>\n"
        let fields = hidden.map { field -> HTML in "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n" }
        let anchors = links.map { link -> HTML in
            "<p class=\"soft\"><a href=\"\(visit.basePath + link.path + query + link.further)\">\(link.text)</a></p>\n"
        }
        let pressed: HTML = "<button class=\"primary\" type=\"submit\" name=\"\(button.name)\" value=\"\(button.text)\">"
        // A page for people of identity providers only has links and no form.
        let whole: HTML = """
            <form method="post" action="\(visit.basePath + path + query)">
            \(form.input)
            \(fields)\(inputs.map(\.html))\(pressed)\(button.text)</button>
            </form>
            """
        let filled: HTML = inputs.isEmpty ? "" : whole
        let content: HTML = """
            <h1>\(title)</h1>
            \(opening)\(alert)\(filled)
            \(anchors)
            """
        if let fault { visit.call.note(errorCode: "refused", message: fault) }
        var response = WebPage(title: title, owner: visit.pool.name, theme: "cognito", content: content).response()
        response.headers.append(HostedCookie.form.setting(form.value, in: visit))
        return response
    }
}
