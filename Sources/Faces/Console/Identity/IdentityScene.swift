import Calls
import ControlDocuments
import WireFormats

/// What an action of Identity returned, which is kept because it can contain secrets and pasted texts.
struct IdentityResult: Sendable {
    /// The action, which is the last part of the form's path.
    var action: String
    /// A request to IAM or RAM.
    var exchange: Exchange?
    /// An error of the control API.
    var refusal: ConsoleRefusal?
    /// The fields of the refused form, so that nothing that was typed is lost.
    var form: FormFields = [:]
    /// Secrets that are shown only here, with their names.
    var secrets: [Secret] = []
    /// A token or assertion.
    var preview: TokenPreview?

    struct Secret: Sendable {
        var name: String
        var text: String
    }

    var isSuccess: Bool { refusal == nil && exchange?.isSuccess ?? true }

    /// What follows the name of a field that is not JSON.
    static let invalidJSON = " is not valid JSON: "
    /// What follows the name of a field that is JSON, but not an object.
    static let notAnObject = " must be a JSON object."

    /// The field that an error names, such as `subject` in "Expected at subject …".
    var field: String? {
        guard let message = refusal?.message else { return nil }
        for end in [Self.invalidJSON, Self.notAnObject] {
            if let range = message.firstRange(of: end) { return String(message[..<range.lowerBound]) }
        }
        guard message.hasPrefix("Expected at ") else { return nil }
        return String(message.dropFirst("Expected at ".count).prefix { $0 != " " && $0 != "." && $0 != "[" })
    }
}

/// What all pages of Identity need.
struct IdentityScene: Sendable {
    let visit: Visit
    let info: CloudInfo
    let results: KeptValues<IdentityResult>

    init(_ visit: Visit, _ results: KeptValues<IdentityResult>) async throws {
        self.visit = visit
        self.results = results
        info = try await CloudInfo(visit.client)
    }

    /// The result that the URL names.
    var result: IdentityResult? {
        visit.query.value("result").flatMap { results.value($0, generation: info.generation, session: visit.session) }
    }

    /// Keeps a result, and opens the page that shows it.
    func show(_ result: IdentityResult, at path: String, _ message: DoneMessage? = nil) throws -> Response {
        let id = try results.keep(result, generation: info.generation, session: visit.session)
        let done = message.map { "&done=\($0.rawValue)" } ?? ""
        return Visit.seeOther("\(path)?result=\(id)\(done)#result")
    }

    /// Returns the path of a page below `/identity`.
    static func path(_ parts: String...) -> String { path(parts) }

    static func path(_ parts: [String]) -> String { Visit.path("/identity" + parts.map { "/\(percentEncoded($0))" }.joined()) }

    /// The way from the start of Identity to a page.
    static func trail(_ items: [(title: String, path: String)]) -> HTML {
        let links = ([("Identity", path())] + items).enumerated().map { index, item -> HTML in
            let mark: HTML = index == 0 ? "" : " <span aria-hidden=\"true\">/</span> "
            return "\(mark)<a href=\"\(item.1)\">\(Parts.value(item.0, limit: 120))</a>"
        }
        return "<nav class=\"trail\" aria-label=\"Place in Identity\">\(links)</nav>\n"
    }

    /// Returns the response of a page.
    func page(_ title: String, _ content: HTML) -> Response {
        ConsolePage(title: title, section: .identity, content: content).response(for: visit, info: info)
    }

    /// The last action: what it returned, or why it was refused.
    var resultBox: HTML {
        guard let result else { return "<div id=\"result\"></div>" }
        var content: HTML = ""
        if let refusal = result.refusal {
            content =
                "<div class=\"error\" role=\"alert\"><p><strong>✗ \(Parts.value(refusal.code))</strong></p><p>\(Parts.value(refusal.message, limit: 2_000))</p></div>\n"
        }
        if let exchange = result.exchange {
            let title: HTML =
                exchange.isSuccess
                ? "<p><strong class=\"good\">✓ \(Parts.value(exchange.title))</strong></p>" : ExchangeView(exchange: exchange).refusal
            content = "\(content)\(title)"
        }
        let secrets = result.secrets.enumerated().map { index, secret in
            Parts.secret(secret.text, id: "secret-\(index)", label: secret.name)
        }
        let note: HTML = secrets.isEmpty ? "" : "<p>The secret is shown only here. Keep it.</p>\n"
        let exchange: HTML = result.exchange.map { ExchangeView(exchange: $0.withoutAllowed, id: "result-exchange").html } ?? ""
        content = "\(content)\(note)\(secrets)\(result.preview?.html ?? "")\(exchange)"
        return """
            <section class="result \(result.isSuccess ? "good" : "bad")-line" id="result" tabindex="-1" aria-label="Result"\(result.isSuccess ? "" : " data-focus")>
            \(content)</section>

            """
    }

    /// The call that a page shows.
    func call(_ path: String) -> HTML {
        """
        \(Parts.calls("curl '\(visit.place.services)/_virga\(path)'"))

        """
    }

    /// The calls of IAM or RAM that a page shows.
    func calls(_ exchanges: [Exchange]) -> HTML {
        let text = exchanges.map(\.sent.curl).filter { !$0.isEmpty }.joined(separator: "\n\n")
        guard !text.isEmpty else { return "" }
        return """
            \(Parts.calls(text))

            """
    }

    /// The start of a form.
    func form(
        _ path: String, _ fields: KeyValuePairs<String, String> = [:], confirm: String? = nil, style: String = ""
    ) -> HTML {
        let question: HTML = confirm.map { " data-confirm=\"\($0)\"" } ?? ""
        let kind: HTML = style.isEmpty ? "" : " class=\"\(style)\""
        // Browsers change line breaks in fields, so names are percent-encoded.
        let inputs = fields.map { name, value -> HTML in "<input type=\"hidden\" name=\"\(name)\" value=\"\(percentEncoded(value))\">" }
        return "<form method=\"post\" action=\"\(path)\"\(question)\(kind)>\(visit.formToken)\(inputs)"
    }

    /// A button that is a form of its own.
    func button(
        _ title: String, _ path: String, _ fields: KeyValuePairs<String, String> = [:], confirm: String? = nil, style: String = "small",
        label: String? = nil
    ) -> HTML {
        let name: HTML = label.map { " aria-label=\"\($0.visible)\"" } ?? ""
        return "\(form(path, fields, confirm: confirm))<button class=\"\(style)\"\(name)>\(title)</button></form>"
    }

    /// A field of a form, with the error that is about it.
    /// - Parameters:
    ///   - key: the member of the document, which the control API names in errors.
    ///   - lines: the height of a text of several lines; `nil` for one line.
    func field(
        _ id: String, _ title: String, _ value: String, key: String, lines: Int? = nil, isRequired: Bool = false, action: String
    ) -> HTML {
        let refused = result.flatMap { $0.action == action && $0.refusal != nil ? $0 : nil }
        let text = refused?.form.first(id) ?? value
        let isWrong = refused?.field == key
        let fault: HTML = isWrong ? "<p class=\"bad\" id=\"\(id)-fault\">✗ \(Parts.value(refused?.refusal?.message ?? ""))</p>" : ""
        let state: HTML = isWrong ? " aria-invalid=\"true\" aria-describedby=\"\(id)-fault\"" : ""
        let required: HTML = isRequired ? " required" : ""
        guard let lines else {
            return """
                <div><label for="\(id)">\(title)</label><input id="\(id)" name="\(id)" value="\(text)"\(required)\(state) autocomplete="off" autocapitalize="none">\(fault)</div>

                """
        }
        return """
            <div class="full"><label for="\(id)">\(title)</label><textarea id="\(id)" name="\(id)" rows="\(String(lines))"\(required)\(state) spellcheck="false">
            \(text)</textarea>\(fault)</div>

            """
    }
}
