import Calls
import WireFormats

/// The last step at an object store: the files under the credentials, and the permission policy with its variables resolved.
struct FileStep {
    let page: WalkPage
    var number = 3
    var role: WalkRole?
    /// Whether the permission policies can be changed in place.
    var isEditable = true
    /// What is above the files.
    var head: HTML = ""

    private var walk: Walk { page.walk }

    var html: HTML {
        let id = "step-\(String(number))"
        let title: HTML = "<span aria-hidden=\"true\">\(String(number))</span> Access \(walk.files.store.title)"
        guard walk.credentials != nil else {
            return """
                <section class="step waiting" id="\(id)"><h2>\(title)</h2>
                <p class="soft">Needs the credentials of step \(String(number - 1)).</p></section>

                """
        }
        return """
            <section class="step" id="\(id)" aria-labelledby="\(id)-title">
            <h2 id="\(id)-title">\(title)</h2>
            \(content)
            </section>

            """
    }

    /// The files and the requests, without the frame of a step.
    var content: HTML {
        """
        \(head)\(files)
        \(presigned)\(result)
        \(policies)
        \(more)

        """
    }

    private var files: HTML {
        let files = walk.files
        guard !files.bucket.isEmpty else {
            return "<p>The policies name no bucket. Send a request below.</p>"
        }
        let own = files.own.map { key in
            row(key, [("read", "Read"), ("presign", "Presign"), ("delete", "Delete")])
        }
        let owner = owner(of:)
        let known = files.others.filter { owner($0) != nil } + files.others.filter { owner($0) == nil }
        let others = known.prefix(12).map { key in row(key, [("read", "Try to read")]) }
        let listing: HTML =
            if let refusal = files.refusal {
                "<p class=\"error\">The credentials may not list this folder. \(Parts.name(refusal, limit: 1_000))</p>"
            } else if own.isEmpty {
                "<p class=\"empty\">The folder is empty. Write a file below.</p>"
            } else {
                "<ul class=\"plain files\">\n\(own)</ul>"
            }
        let otherListing: HTML =
            if others.isEmpty {
                "<p class=\"soft\">The bucket has no other files.</p>"
            } else {
                "<p class=\"soft\">Listed as the root user. The credentials above should be refused.</p><ul class=\"plain files\">\n\(others)</ul>"
            }
        return """
            <div class="pair">
            <div><h3>Your folder <code>\(Parts.name("\(files.bucket)/\(files.prefix)"))</code></h3>\(listing)</div>
            <div><h3>Files outside your folder</h3>
            \(otherListing)
            </div></div>

            """
    }

    private func owner(of key: String) -> String? { walk.files.owners[key] ?? walk.course.owner(of: key) }

    private func row(_ key: String, _ actions: [(name: String, title: String)]) -> HTML {
        let forms = actions.map { action -> HTML in
            let question: HTML = action.name == "delete" ? " data-confirm=\"Delete this object?\"" : ""
            return """
                <form method="post" action="\(page.action(action.name))"\(question)>\(page.visit.formToken)\
                <input type="hidden" name="key" value="\(key)"><button class="small" aria-label="\(action.title) \(key.visible)">\(action.title)</button></form>
                """
        }
        let owner = owner(of: key).map { person -> HTML in "\(Parts.value(person)): " } ?? ""
        return "<li>\(forms) \(owner)<code>\(Parts.name(key))</code></li>\n"
    }

    private var presigned: HTML {
        guard let url = walk.presignedURL else { return "" }
        return """
            <div class="result good-line" id="presigned" tabindex="-1"><p>Anyone with this URL may read the object for 15 minutes:</p>
            \(Parts.code(url, id: "presigned-url", label: "presigned URL"))</div>

            """
    }

    private var result: HTML {
        guard let access = walk.access else { return "<div id=\"result\"></div>" }
        let content: HTML =
            access.isSuccess
            ? """
            <p><strong class="good">✓ \(Parts.name(access.title))</strong> (\(String(access.status)))</p>
            \(access.text.isEmpty ? "" : Parts.code(Layout.indented(access.text), id: "content", label: "the content"))
            """ : page.refusal(access)
        return """
            <div class="result \(access.isSuccess ? "good" : "bad")-line" id="result" tabindex="-1">
            \(content)\(page.exchange(access, id: "access", isOpen: false))</div>

            """
    }

    private var policies: HTML {
        guard let role, let credentials = walk.credentials, !role.policies.isEmpty else { return "" }
        let variables = PolicyScope.variables(in: role.policies.map(\.document)).map { name -> HTML in
            let value = credentials.claims[name]?.joined(separator: ", ")
            return """
                <div><dt><code>${\(Parts.value(name))}</code></dt><dd>\(value.map { text -> HTML in "<code>\(Parts.value(text))</code>" } ?? "<em>no value in this session</em>")</dd></div>

                """
        }
        let editors = role.policies.map { policy -> HTML in
            isEditable
                ? PolicyEditor(
                    page: page, role: role.name, policy: policy.name, document: policy.document, label: "Permission policy \(policy.name)"
                ).html
                : Parts.code(
                    Layout.indented(policy.document), id: "policy-\(Array(policy.name.utf8).base64url)", label: "policy \(policy.name)")
        }
        let table: HTML =
            variables.isEmpty ? "" : "<h4>Variables in the policy, for this person</h4><dl class=\"facts\">\n\(variables)</dl>"
        let isChanged = walk.originals.keys.contains { $0.policy != nil }
        return """
            <details class="fold"\(isChanged ? " open" : "")><summary>The permissions of \(Parts.value(role.name)): what the credentials may do\
            \(isChanged ? " (changed)" : "")</summary>
            \(table)
            \(editors)</details>

            """
    }

    private var more: HTML {
        let files = walk.files
        let token = page.visit.formToken
        return """
            <details class="fold"><summary>Write a file</summary>
            <form method="post" action="\(page.action("write"))">\(token)
            <label for="write-key">Key</label><input id="write-key" name="key" value="\(files.prefix)note.txt">
            <label for="write-text">Text</label><textarea id="write-text" name="text" rows="3">Written with temporary credentials.</textarea>
            <p><button>Write</button></p></form></details>
            <details class="fold"><summary>List another folder</summary>
            <form method="post" action="\(page.action("list"))"><div class="fields">\(token)
            <div><label for="list-bucket">Bucket</label><input id="list-bucket" name="bucket" value="\(files.bucket)"></div>
            <div><label for="list-prefix">Prefix</label><input id="list-prefix" name="prefix" value="\(files.prefix)"></div></div>
            <p><button>List</button></p></form></details>
            <details class="fold"><summary>Send any request to \(files.store.title)</summary>
            <form method="post" action="\(page.action("request"))"><div class="fields">\(token)
            <div><label for="free-method">Method</label><select id="free-method" name="method"><option value="GET">GET</option><option value="HEAD">HEAD</option>\
            <option value="PUT">PUT</option><option value="POST">POST</option><option value="DELETE">DELETE</option></select></div>
            <div class="full"><label for="free-target">Path and query</label><input id="free-target" name="target" value="/\(files.bucket)?list-type=2"></div>
            <div class="full"><label for="free-text">Body</label><textarea id="free-text" name="text" rows="3"></textarea></div></div>
            <p><button>Send</button></p></form></details>

            """
    }
}
