import Calls
import WireFormats

/// The first page of the token debugger: paste a text, take a sample, or make one.
struct TokenStartPage {
    let visit: Visit
    let info: CloudInfo
    let sources: [TokenSource]
    let kept: [PastedText]
    /// Why the form that was sent had no effect; `nil` for a page without one.
    var refusal: ConsoleRefusal?

    private func typed(_ name: String) -> String { visit.form.first(name) ?? "" }

    var response: Response {
        let isMaking = visit.segments.last == "make"
        let content: HTML = """
            <h1>Tokens</h1>
            \(isMaking ? "" : refusal.map(Parts.refusalBox) ?? "")
            <p>Paste a token, a SAML response, a presigned URL or a policy. You see what it is, whether this cloud accepts it, and why not.</p>
            <form method="post" action="\(Visit.path("/tokens/inspect"))" class="card lead">\(visit.formToken)
            <label for="text">Text</label>
            <textarea id="text" name="text" rows="7" spellcheck="false" autocomplete="off" data-decode="preview" required>\(typed("text"))</textarea>
            <div id="preview" role="region" aria-label="Decoded while you type" hidden></div>
            <p><button class="primary">Inspect</button></p>
            <p class="soft">The text stays in memory for two hours. It does not get into the address of a page, the journal or the log.</p>
            <details class="fold"><summary>What you expect: audience, recipient, nonce, …</summary>
            \(Self.expectations(TokenActions(visit: visit, info: info).expected()))</details>
            </form>
            \(samples)
            \(making(refusal: isMaking ? refusal : nil))
            \(recent)
            \(InspectionPage.call(at: visit.place.services, expected: [:]))
            """
        var page = ConsolePage(title: "Tokens", section: .tokens, content: content)
        if let refusal { page.status = refusal.status }
        return page.response(for: visit, info: info)
    }

    /// The fields for the values that an application expects.
    static func expectations(_ values: [String: String]) -> HTML {
        func input(_ name: String, _ label: String) -> HTML {
            """
            <div><label for="expect-\(name)">\(label)</label>\
            <input id="expect-\(name)" name="\(name)" value="\(values[name] ?? "")" autocomplete="off" spellcheck="false"></div>

            """
        }
        return """
            <div class="fields">
            \(input("audience", "Audience (client ID or entity ID)"))\(input("recipient", "Recipient (SAML)"))\
            \(input("nonce", "Nonce"))\(input("backend", "Backend (mobile cloud)"))\(input("accessToken", "Access token, for at_hash"))</div>

            """
    }

    private var samples: HTML {
        let buttons = TokenSample.allCases.map { sample -> HTML in
            "<button class=\"small\" name=\"sample\" value=\"\(sample.rawValue)\">\(sample.title)</button>\n"
        }
        return """
            <section aria-labelledby="samples"><h2 id="samples">Nothing at hand? Take a sample</h2>
            <form method="post" action="\(Visit.path("/tokens/sample"))" class="row">\(visit.formToken)
            \(buttons)</form></section>

            """
    }

    private func making(refusal: ConsoleRefusal?) -> HTML {
        guard !sources.isEmpty else {
            return """
                <section aria-labelledby="make"><h2 id="make">Make one</h2>
                <div class="empty"><p>The seed has no identity provider with people. The built-in seed has four:</p>
                \(Parts.code("virga serve", id: "start", label: "the command"))</div></section>

                """
        }
        let people = sources.map { source -> HTML in
            let options = source.people.map { person -> HTML in
                let value = "\(percentEncoded(source.name))/\(percentEncoded(person.name))"
                return """
                    <option value="\(value)"\(value == typed("who") ? " selected" : "")>\(person.fullName.visible) (\(source.name.visible))</option>
                    """
            }
            return "<optgroup label=\"\(source.name.visible)\">\(options)</optgroup>"
        }
        let kinds = Self.kinds.map { value, name -> HTML in
            "<option value=\"\(value)\"\(value == typed("kind") ? " selected" : "")>\(name)</option>\n"
        }
        let fault = typed("fault").split(separator: ":").map(String.init)
        return """
            <section aria-labelledby="make"><h2 id="make">Make one, good or bad</h2>
            \(refusal.map(Parts.refusalBox) ?? "")
            <form method="post" action="\(Visit.path("/tokens/make"))" class="card">\(visit.formToken)
            <div class="fields">
            <div><label for="who">Person</label><select id="who" name="who">\(people)</select></div>
            <div><label for="kind">Kind</label><select id="kind" name="kind">
            \(kinds)</select></div>
            <div><label for="fault">What is wrong</label><select id="fault" name="fault"><option value="">nothing</option>
            \(Self.faults(isAssertion: false, selected: fault.first == "token" ? fault.last : nil))\
            \(Self.faults(isAssertion: true, selected: fault.first == "saml" ? fault.last : nil))</select></div></div>
            <details class="fold"\(refusal == nil ? "" : " open")><summary>More: receiver, claims, lifetime, nonce</summary>
            <div class="fields">
            <div><label for="receiver">Client ID, or entity ID of the service provider</label>\
            <input id="receiver" name="receiver" value="\(typed("receiver"))" placeholder="the first one" autocomplete="off"></div>
            <div><label for="lifetime">Lifetime in seconds</label><input id="lifetime" name="lifetime" value="\(typed("lifetime"))" inputmode="numeric" autocomplete="off"></div>
            <div><label for="nonce">Nonce</label><input id="nonce" name="nonce" value="\(refusal == nil ? "" : typed("nonce"))" autocomplete="off"></div>
            <div class="full"><label for="claims">Claims as JSON, which replace those of the person</label>\
            <textarea id="claims" name="claims" rows="3" spellcheck="false">\(typed("claims"))</textarea></div></div></details>
            <p><button>Make it</button></p>
            </form></section>

            """
    }

    private static let kinds = [
        ("", "What an app gets after the login"), ("id_token", "ID token"), ("access_token", "Access token"),
        ("jwt", "Access token as JWT"),
        ("refresh_token", "Refresh token"), ("code", "Authorization code"), ("saml", "SAML response"),
    ]

    /// The options for what is wrong with a token or a SAML response.
    static func faults(isAssertion: Bool, withKind: Bool = true, selected: String? = nil) -> HTML {
        let names = isAssertion ? TokenFaultWords.assertionFaults : TokenFaultWords.tokenFaults
        let options = names.map { name -> HTML in
            let value = withKind ? "\(isAssertion ? "saml" : "token"):\(name)" : name
            return """
                <option value="\(value)"\(name == selected ? " selected" : "")>\(name): \
                \(TokenFaultWords.text(for: name, isAssertion: isAssertion).wrong)</option>
                """
        }
        return withKind ? "<optgroup label=\"\(isAssertion ? "SAML responses" : "Tokens")\">\(options)</optgroup>\n" : "\(options)"
    }

    private var recent: HTML {
        guard !kept.isEmpty else { return "" }
        let rows = kept.prefix(10).map { text -> HTML in
            let what = text.order.map { "made for \($0.person) at \($0.provider)\($0.fault.map { ": \($0)" } ?? "")" } ?? "pasted"
            return """
                <li><a href="\(TokensRoom.path(text.id))">\(Parts.time(text.created.iso8601Milliseconds))</a> \(Parts.value(what, limit: 120)), \
                \(String(text.text.count)) characters</li>

                """
        }
        return "<section aria-labelledby=\"recent\"><h2 id=\"recent\">Looked at lately</h2><ul class=\"plain\">\n\(rows)</ul></section>\n"
    }
}
