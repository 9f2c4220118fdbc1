import Calls
import ControlDocuments
import WireFormats

/// A request that the console sent, with its answer and the decisions that it caused.
struct ExchangeView {
    let exchange: Exchange
    /// Distinguishes the parts of this exchange from others on the page.
    var id = "exchange"
    /// Whether the request and the response are unfolded.
    var isOpen = false

    /// The request, the response, the curl command and the decisions.
    var html: HTML {
        let decisions = exchange.decisions.enumerated().map { DecisionView(decision: $1, index: index + $0).html }
        let link: HTML =
            exchange.number.map { number -> HTML in
                "<p><a href=\"\(Visit.path("/journal/\(number)"))\">In the journal: request \(String(number))</a></p>"
            } ?? ""
        let curl = exchange.sent.curl
        return """
            <details class="fold"\(isOpen ? " open" : "")><summary>\(Parts.value(exchange.title)): request and response (\(String(exchange.status)))</summary>
            \(MessageView(exchange.sent, id: id).html)
            \(curl.isEmpty ? "" : Parts.code(curl, id: "\(id)-curl", label: "curl command"))\(link)</details>
            \(decisions)
            """
    }

    /// The error of the service in plain words; empty for a success.
    var refusal: HTML {
        guard let refusal = exchange.refusal else { return "" }
        return """
            <div class="error" role="alert"><p><strong>✗ \(Parts.value(refusal.code))</strong></p>
            <p>\(Parts.name(refusal.message, limit: 2_000))</p>\(Self.meaning(refusal.code))</div>

            """
    }

    /// What a code means and what to change.
    private static func meaning(_ code: String) -> HTML {
        switch code {
        case "AccessDenied": "<p>A policy does not allow this. The decision below shows each statement and why it does not apply.</p>"
        case "InvalidIdentityToken":
            "<p>STS did not accept the token: its signature, issuer, audience or time is wrong. Log in again in step 1.</p>"
        case "NoPermission": "<p>The role does not trust the caller, or the caller may not assume roles.</p>"
        case "MOBILE-58003": "<p>The user name or the password is wrong.</p>"
        case "MOBILE-58004": "<p>The token is not valid, or it has expired. Log in again in step 1.</p>"
        case "MOBILE-58005": "<p>The backend has this method switched off. Step 1 says what to change.</p>"
        case "MOBILE-58008": "<p>The API is for some roles, and the user has none of them.</p>"
        case "RequestTimeTooSkewed": "<p>The clock of the client differs from the server's by more than 15 minutes.</p>"
        case "ExpiredTokenException", "ExpiredToken", "SecurityTokenExpired":
            "<p>The token or the credentials have expired. Log in again, or get new credentials.</p>"
        case "NoSuchKey": "<p>The bucket has no object with this key, and the credentials may list this folder.</p>"
        case "SignatureDoesNotMatch": "<p>The secret does not belong to the access key.</p>"
        case "IDPCommunicationError": "<p>STS did not reach the identity provider. Such an error is temporary: repeat the request.</p>"
        case "IDPRejectedClaim": "<p>The identity provider does not accept the token any more, for example after a revocation.</p>"
        default: ""
        }
    }

    /// A number for the decisions of an exchange, so that their identifiers are unique in the page.
    private var index: Int { id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } * 100 }
}
