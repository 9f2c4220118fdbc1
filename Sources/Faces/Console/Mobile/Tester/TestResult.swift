import Calls
import ControlDocuments
import WireFormats

/// The tab *Response* of the API tester: status, time, the decision about roles, and all requests.
struct TestResult {
    let page: TesterPage
    let test: APITest?
    let endpoint: TestableAPI.Endpoint

    var html: HTML {
        guard let test, test.answer != nil || !test.preparation.isEmpty else {
            return """
                <section class="card absent" id="response" aria-labelledby="response-title"><h2 id="response-title">Response</h2>
                <p class="soft">Nothing yet. Press <em>Test Endpoint</em>.</p></section>

                """
        }
        return """
            <section class="card" id="response" aria-labelledby="response-title"><h2 id="response-title">Response</h2>
            \(test.answer.map(answer) ?? "")
            \(preparation(test))</section>

            """
    }

    private func answer(_ answer: Exchange) -> HTML {
        let outcome =
            answer.isSuccess ? Outcome(kind: "good", sign: "✓", word: "ok") : Outcome(kind: "bad", sign: "✗", word: "refused")
        let milliseconds = "\((answer.sent.duration * 10).rounded() / 10) ms"
        let body = Layout.indented(answer.text)
        return """
            <p>\(Parts.outcome(outcome)) HTTP status <strong>\(String(answer.status))</strong> in \(milliseconds)</p>
            \(refusal(answer))
            \(body.isEmpty ? "<p class=\"soft\">The response has no body.</p>" : Parts.code(body, id: "answer", label: "the response's body"))
            \(ExchangeView(exchange: Exchange(title: answer.title, sent: answer.sent), id: "test").html)
            \(decision(answer))
            """
    }

    /// The platform's error in plain words.
    private func refusal(_ answer: Exchange) -> HTML {
        guard !answer.isSuccess else { return "" }
        let error = answer.json
        let code = error["o:errorCode"]?.stringValue ?? answer.code
        let detail = error["detail"]?.stringValue ?? answer.refusal?.message ?? ""
        return """
            <div class="error" role="alert"><p><strong>✗ \(Parts.value(error["title"]?.stringValue ?? code))</strong></p>
            <p>\(Parts.value(detail, limit: 2_000))</p>\(advice(code))<p class="soft">Code: <code>\(Parts.value(code))</code></p></div>

            """
    }

    private func advice(_ code: String) -> HTML {
        let security: HTML =
            page.key == "platform" ? "" : "<a href=\"\(MobileRoom.path("apis", page.key))\">Security of the API</a>"
        switch code {
        case "MOBILE-58008":
            return
                "<p>The user has none of the roles. Give the user a role, or switch <em>Login Required</em> off for the test: \(security).</p>"
        case "MOBILE-58002":
            return "<p>The API needs a login. Enter a user, or switch <em>Login Required</em> off for the test: \(security).</p>"
        case "MOBILE-58005": return "<p>Switch the method on in the backend's Settings.</p>"
        case "MOBILE-15002": return "<p>The backend does not offer the API. Add it on the backend's page APIs.</p>"
        case "MOBILE-58003":
            return "<p>Check the user name and the password. Users without a password log in at an identity provider only.</p>"
        case "MOBILE-58004": return "<p>Get a new token.</p>"
        default: return ""
        }
    }

    private func decision(_ answer: Exchange) -> HTML {
        guard !answer.decisions.isEmpty else { return "<p class=\"soft\">No role was evaluated for this request.</p>" }
        let decisions = answer.decisions.enumerated().map { DecisionView(decision: $1, index: $0).html }
        return "<h3>Role decision</h3>\n\(decisions)"
    }

    private func preparation(_ test: APITest) -> HTML {
        guard !test.preparation.isEmpty else { return "" }
        let steps = test.preparation.enumerated().map { index, exchange -> HTML in
            ExchangeView(exchange: exchange, id: "step-\(index)").html
        }
        return "<h3>How the token was obtained</h3>\n\(steps)"
    }
}
