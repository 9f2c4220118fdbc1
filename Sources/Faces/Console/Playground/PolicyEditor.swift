import Calls
import WireFormats

/// A policy that can be changed in place.
struct PolicyEditor {
    let page: WalkPage
    let role: String
    /// The name of an inline policy; `nil` for the trust policy.
    let policy: String?
    let document: String
    let label: String

    var html: HTML {
        let id = "edit-\(Array((policy ?? "-").utf8).base64url)"
        let text = Layout.indented(document)
        return """
            <form method="post" action="\(page.action("save"))">\(page.visit.formToken)
            <input type="hidden" name="role-name" value="\(role)"><input type="hidden" name="name" value="\(policy ?? "")">
            <label for="\(id)">\(label)</label>
            <textarea id="\(id)" name="document" rows="\(String(min(24, 1 + text.split(separator: "\n").count)))" spellcheck="false">\(text)</textarea>
            <p><button>Save \(label.lowercased())</button></p></form>

            """
    }
}
