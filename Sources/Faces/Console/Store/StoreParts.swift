import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// Parts that the pages of the store share.
extension StoreScene {
    /// The choice of the identity that acts.
    var identityForm: HTML {
        var options: [HTML] = ["<option value=\"\"\(isRoot ? " selected" : "")>root user of the account</option>"]
        for (kind, title) in [("user", "Users"), ("role", "Roles"), ("session", "Live sessions"), ("root", "Root users")] {
            let group = principals.filter { $0.kind == kind }
            guard !group.isEmpty else { continue }
            let items = group.map { principal -> HTML in
                let name = principal.kind == "root" ? "root of \(principal.account)" : principal.name
                let selected: HTML = principal.id == location.identity ? " selected" : ""
                return
                    "<option value=\"\(principal.id)\"\(selected)>\(Self.short(name)) (\(principal.vendor == "aws" ? "AWS" : "Alibaba"))</option>"
            }
            options.append("<optgroup label=\"\(title)\">\(items)</optgroup>")
        }
        options.append("<option value=\"anonymous\"\(isAnonymous ? " selected" : "")>anonymous</option>")
        if !isRoot, !isAnonymous, chosen == nil {
            options.append("<option value=\"\(location.identity)\" selected>\(Self.short(location.identity)) (unknown)</option>")
        }
        return """
            <form method="get" action="\(Visit.path("/store"))" class="row actor" data-filters>
            <input type="hidden" name="from" value="\(percentEncoded(location.acting(as: "").path))">
            <label for="as">Act as</label><select id="as" name="as">\(options)</select>
            <button class="small">Switch</button></form>

            """
    }

    private static func short(_ text: String) -> String { text.count > 70 ? "\(String(text.prefix(69)).visible)…" : text.visible }

    /// The way from the list of buckets to this page.
    var trail: HTML {
        var items: [HTML] = ["<a href=\"\(StoreLocation(identity: location.identity).path)\">Store</a>"]
        if let bucket = location.bucket {
            items.append("<a href=\"\(location.folder("").path)\">\(Parts.value(bucket))</a>")
            var prefix = ""
            for part in (location.key == nil ? location.prefix : location.parent).split(separator: "/", omittingEmptySubsequences: false)
                .dropLast()
            {
                prefix += part + "/"
                items.append("<a href=\"\(location.folder(prefix).path)\">\(Self.name(String(part)))</a>")
            }
        }
        return
            "<nav class=\"trail\" aria-label=\"Place in the store\">\(items.enumerated().map { $0 == 0 ? $1 : " <span aria-hidden=\"true\">/</span> \($1)" as HTML })</nav>\n"
    }

    /// The name of a folder or object; an empty one is described.
    static func name(_ text: String) -> HTML { text.isEmpty ? "<em>(empty name)</em>" : Parts.value(text, limit: 200) }

    /// The last action: what it did, or why it was refused.
    var resultBox: HTML {
        guard let (id, result) = result else { return "<div id=\"result\"></div>" }
        var content: HTML = ""
        if let presigned = result.presigned {
            let command = presigned.method == "PUT" ? "curl --upload-file FILE '\(presigned.url)'" : "curl --output FILE '\(presigned.url)'"
            content = """
                <p><strong class="good">✓ Signed.</strong> Until \(presigned.expires) anyone with this URL may send a \(presigned.method) request as \(Parts.value(actor)).</p>
                \(Parts.code(presigned.url, id: "presigned-url", label: "the presigned URL"))
                \(Parts.code(command, id: "presigned-curl", label: "a curl command"))
                """
        }
        if let exchange = result.exchange {
            content =
                "\(content)\(outcome(of: exchange, result.uploaded))\(exchange.isSuccess ? "" : again(id, result))\(ExchangeView(exchange: exchange.withoutAllowed, id: "result-exchange").html)"
        }
        let isGood = result.exchange?.isSuccess ?? true
        return
            "<section class=\"result \(isGood ? "good" : "bad")-line\" id=\"result\" tabindex=\"-1\" aria-label=\"Result\"\(isGood ? "" : " data-focus")>\n\(content)</section>\n"
    }

    private func outcome(of exchange: Exchange, _ uploaded: StoreLocation?) -> HTML {
        if !exchange.isSuccess { return ExchangeView(exchange: exchange).refusal }
        if let uploaded {
            let link: HTML = "<a href=\"\(uploaded.path)\">\(StoreScene.name(uploaded.key ?? ""))</a>"
            return "<p><strong class=\"good\">✓ Uploaded</strong> \(link) as \(Parts.value(actor)).</p>\n"
        }
        return "<p><strong class=\"good\">✓ \(Parts.value(exchange.title))</strong> as \(Parts.value(actor)).</p>\n"
    }

    /// The button that repeats a refused request as the root user.
    private func again(_ id: String, _ result: StoreResult) -> HTML {
        guard !isRoot, result.order != nil else { return "" }
        return """
            <form method="post" action="\(Visit.path("/store/again"))">\(visit.formToken)<input type="hidden" name="as" value="\(location.identity)">\
            <input type="hidden" name="result" value="\(id)"><button>Try as root</button></form>

            """
    }

    /// A refused request of a page, with the decisions and a link to the same page as the root user.
    func refused(_ exchange: Exchange, id: String = "refused") -> HTML {
        let asRoot: HTML = isRoot ? "" : "<p><a class=\"button\" href=\"\(location.acting(as: "").path)\">Try as root</a></p>\n"
        return "\(ExchangeView(exchange: exchange).refusal)\(asRoot)\(ExchangeView(exchange: exchange, id: id).html)"
    }

    /// The call that a page shows.
    func call(behind exchanges: [Exchange]) -> HTML {
        let calls = exchanges.map(\.sent.curl).filter { !$0.isEmpty }.joined(separator: "\n\n")
        guard !calls.isEmpty else { return "" }
        return """
            <details class="fold"><summary>API calls of this page</summary>
            \(Parts.code(calls, id: "call", label: "the call"))
            \(cloud == .s3 ? "<p class=\"soft\">The key comes from <code>AWS_ACCESS_KEY_ID</code> and <code>AWS_SECRET_ACCESS_KEY</code>.</p>" as HTML : "")</details>

            """
    }

    /// The start of a form that acts on the bucket or object of the location.
    func form(_ action: String, _ fields: KeyValuePairs<String, String> = [:], confirm: String? = nil, style: String = "") -> HTML {
        let question: HTML = confirm.map { " data-confirm=\"\($0)\"" } ?? ""
        let kind: HTML = style.isEmpty ? "" : " class=\"\(style)\""
        return """
            <form method="post" action="\(Visit.path("/store/\(percentEncoded(location.bucket ?? ""))/\(action)"))"\(question)\(kind)>\(hidden(fields))
            """
    }

    /// The hidden fields of a form. Keys are percent-encoded, because browsers change line breaks and NUL in forms.
    func hidden(_ fields: KeyValuePairs<String, String> = [:]) -> HTML {
        var all: [(String, String)] = [
            ("as", location.identity), ("key", percentEncoded(location.key ?? "")), ("prefix", percentEncoded(location.prefix)),
            ("version", location.version ?? ""), ("view", location["view"] ?? ""),
        ]
        for field in fields {
            all.removeAll { $0.0 == field.key }
            all.append((field.key, field.value))
        }
        let inputs = all.filter { !$0.1.isEmpty }.map { name, value -> HTML in "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        }
        return "\(visit.formToken)\(inputs)"
    }

    /// Returns the response of a page of the store.
    func page(_ title: String, _ content: HTML, isMissing: Bool = false) -> Response {
        var page = ConsolePage(title: title, section: .store, content: content)
        if isMissing { page.status = .notFound }
        return page.response(for: visit, info: info)
    }

    /// A number of bytes in words.
    static func size(_ text: String) -> String {
        guard let bytes = Int64(text) else { return text }
        if bytes < 1024 { return "\(bytes) B" }
        var (value, unit) = (Double(bytes), "B")
        for next in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 { (value, unit) = (value / 1024, next) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// A time without its milliseconds.
    static func time(_ text: String) -> String { String(text.prefix(19)).replacing("T", with: " ") }
}
