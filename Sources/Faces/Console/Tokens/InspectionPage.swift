import Calls
import ControlDocuments
import WireFormats

/// What a text is: the verdict, the checks, the decoded parts, and what can be done with it.
struct InspectionPage {
    let visit: Visit
    let info: CloudInfo
    let text: PastedText
    /// The answer of `POST /_virga/inspect`.
    private(set) var inspection = Document<InspectionMembers>()

    init(visit: Visit, info: CloudInfo, text: PastedText) { (self.visit, self.info, self.text) = (visit, info, text) }

    /// The path of an action.
    func action(_ name: String) -> String { "\(TokensRoom.path(text.id))/\(name)" }

    /// The roles, those that accept the text first.
    var roles: [Document<InspectedRoleMembers>] {
        let all = inspection.roles
        return all.filter { $0.accepts } + all.filter { !$0.accepts }
    }

    func response() async throws -> Response {
        var page = self
        page.inspection = try await TokenActions.inspect(text, visit.client)
        return ConsolePage(title: InspectionWords.name(of: page.inspection), section: .tokens, content: page.content).response(
            for: visit, info: info)
    }

    private var content: HTML {
        """
        <p><a href="\(Visit.path("/tokens"))">← Tokens</a></p>
        <h1>\(InspectionWords.name(of: inspection))</h1>
        \(verdict)
        \(fault)
        \(InspectionView(inspection: inspection, info: info).checks)
        \(differences)
        \(InspectionView(inspection: inspection, info: info).decoded)
        \(receivers)
        \(TokenExchange(page: self).html)
        \(breaking)
        \(expectations)
        \(encoding)
        \(correction)\(Parts.token(text.text, id: "raw", label: "the text"))
        \(Self.call(at: visit.place.services, expected: text.expected))
        <div class="row actions"><a class="button" href="\(Visit.path("/tokens"))">Inspect another one</a>
        <form method="post" action="\(action("forget"))">\(visit.formToken)<button class="danger">Forget this text</button></form></div>
        """
    }

    private var verdict: HTML {
        let (line, sign): (String, HTML) =
            switch inspection.valid {
            case true?: ("good-line", "<strong class=\"good\">✓</strong>")
            case false?: ("bad-line", "<strong class=\"bad\">✗</strong>")
            case nil: ("", "<strong>?</strong>")
            }
        return
            "<p class=\"result \(line)\" id=\"verdict\">\(sign) \(Parts.value(inspection.verdict, limit: 1_000))</p>\n"
    }

    /// A field with a text that could not be read, to correct it.
    private var correction: HTML {
        let hasContent = inspection.decoded.objectValue?.isEmpty == false
        guard ["json", "xml", "url", "unknown"].contains(inspection.kind) || !hasContent else { return "" }
        return """
            <form method="post" action="\(Visit.path("/tokens/inspect"))" class="card">\(visit.formToken)
            <label for="text">Correct the text</label>
            <textarea id="text" name="text" rows="7" spellcheck="false" autocomplete="off" required>
            \(text.text)</textarea>
            <p><button class="primary">Inspect</button></p></form>

            """
    }

    /// What was made wrong on purpose.
    private var fault: HTML {
        guard let order = text.order, let fault = order.fault else { return "" }
        let words = TokenFaultWords.text(for: fault, isAssertion: order.serviceProvider != nil)
        return """
            <div class="notice" role="note" id="fault"><p><strong>Made wrong on purpose: <code>\(fault)</code>.</strong> \(words.wrong) \(words.noticed)</p></div>

            """
    }

    private var signatureDifference: String {
        let isWrong = inspection.checks.contains { ["signature", "format"].contains($0.name) && $0.passed == false }
        return isWrong ? " The signature is different." : ""
    }

    private var differences: HTML {
        guard let all = text.differences else { return "" }
        guard !all.isEmpty else {
            return
                "<section><h2>Differences from a good one</h2><p class=\"soft\">None in the decoded parts: they are as in one that was issued at the same time.\(signatureDifference)</p></section>\n"
        }
        func value(_ text: String?) -> HTML { text.map { "<code>\(Parts.value($0, limit: 300))</code>" } ?? "<em>not present</em>" }
        let rows = all.prefix(40).map { difference -> [HTML] in
            [Parts.value(difference.name), value(difference.found), value(difference.good)]
        }
        let table = Parts.table("Differences from a good one", ["Member", "Here", "In a good one"], rows, empty: "None.")
        return """
            <section aria-labelledby="differences"><h2 id="differences">Differences from a good one</h2>
            \(table)</section>

            """
    }

    /// Which roles would take it.
    private var receivers: HTML {
        guard !roles.isEmpty else { return "" }
        let accepting = roles.filter { $0.accepts }
        let rows = roles.prefix(100).map { role -> HTML in
            let outcome =
                role.accepts
                ? Outcome(kind: "good", sign: "✓", word: "accepts it") : Outcome(kind: "bad", sign: "✗", word: "refuses it")
            return """
                <tr><td>\(Parts.outcome(outcome))</td><td><code>\(Parts.name(role.arn))</code></td>\
                <td>\(Parts.value(role.reason ?? "", limit: 600))</td></tr>

                """
        }
        let summary =
            accepting.isEmpty
            ? "No role accepts it" : "\(accepting.count == 1 ? "1 role accepts it" : "\(accepting.count) roles accept it")"
        return """
            <section aria-labelledby="roles"><h2 id="roles">\(summary)</h2>
            <details class="fold"\(accepting.isEmpty ? "" : " open")><summary>Each role, with the reason</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Roles"><table class="stack">
            <thead><tr><th scope="col">Result</th><th scope="col">Role</th><th scope="col">Reason</th></tr></thead>
            <tbody>\(rows)</tbody></table></div></details></section>

            """
    }

    private var breaking: HTML {
        let isAssertion = text.order?.serviceProvider != nil
        guard text.order != nil || TokenRequest(of: inspection) != nil else { return "" }
        return """
            <section aria-labelledby="break-title"><h2 id="break-title">Break it</h2>
            <form method="post" action="\(action("break"))">\(visit.formToken)
            <label for="break">A new one for the same person, in which this is wrong</label>
            <select id="break" name="fault">\(TokenStartPage.faults(isAssertion: isAssertion, withKind: false, selected: text.order?.fault))\
            <option value="">nothing: a good one</option></select>
            <p><button>Break it</button></p></form></section>

            """
    }

    private var expectations: HTML {
        """
        <details class="fold"\(text.expected.isEmpty ? "" : " open")><summary>What you expect: audience, recipient, nonce, …</summary>
        <form method="post" action="\(action("expect"))">\(visit.formToken)\(TokenStartPage.expectations(text.expected))
        <p><button>Check again</button></p></form></details>

        """
    }

    /// The assertion as the mobile cloud wants it.
    private var encoding: HTML {
        guard let gzip = inspection.decoded["assertion"]?["gzip"]?.stringValue else { return "" }
        return """
            <details class="fold"><summary>Encode it for the mobile cloud</summary>
            <p>The mobile cloud wants the assertion without its response, compressed by gzip, in base64:</p>
            \(Parts.code(gzip, id: "mobile-assertion", label: "the assertion in gzip and base64"))</details>

            """
    }

    /// The call that returns the same.
    static func call(at origin: String, expected: [String: String]) -> HTML {
        let members = expected.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.key == "accessToken" ? "…" : $0.value)) }
        let body: JSONValue = ["text": "PASTE IT HERE", "expect": .object(JSONObject(members))]
        return """
            \(Parts.calls("curl --data \(shellQuoted(body.serialized())) \(origin)/_virga/inspect"))

            """
    }

    private static func shellQuoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
