import Calls
import ControlDocuments
import WireFormats

/// A request and a response as far as they were captured.
struct MessageView {
    /// The request and the response as text; `nil` if they were not captured.
    private let texts: (request: String, response: String)?
    private let signed: Document<SignatureMembers>?
    /// Distinguishes the messages from others on the page.
    private let id: String

    /// A request that the console sent.
    init(_ sent: Document<SentMembers>, id: String) {
        let (request, response) = (sent.request, sent.response)
        let start = "\(request.method) \(request.target)\nHost: \(request.host)\n"
        let answer = response.lost ? "The connection was closed: no response." : "\(response.status)\n" + Self.text(response.message)
        texts = (start + Self.text(request.message, besides: "host"), answer)
        signed = request.signature
        self.id = id
    }

    /// A request of the journal.
    init(_ detail: Document<EntryDetailMembers>) {
        let entry = detail.entry
        if let request = detail.request, let response = detail.response {
            let start = "\(entry.method) \(entry.target)\nHost: \(entry.host)\n"
            texts = (start + Self.text(request, besides: "host"), "\(entry.status)\n" + Self.text(response))
        } else {
            texts = nil
        }
        signed = nil
        id = "message"
    }

    var html: HTML {
        guard let texts else {
            return "<p class=\"soft\">Headers and bodies were not captured. The button on the journal's page turns capture on.</p>"
        }
        return """
            <div class="pair">
            <div><h3>Request</h3>\(Parts.code(texts.request, id: "\(id)-request", label: "the request"))\(signature)</div>
            <div><h3>Response</h3>\(Parts.code(texts.response, id: "\(id)-response", label: "the response"))</div>
            </div>

            """
    }

    private var signature: HTML {
        guard let signed else { return "" }
        return """
            <details class="fold"><summary>How it was signed (\(signed.kind))</summary>
            \(signed.canonicalRequest.map { text -> HTML in "<h4>Canonical request</h4>\(Parts.code(text, id: "\(id)-canonical", label: "canonical request"))" } ?? "")\
            \(signed.stringToSign.map { text -> HTML in "<h4>String to sign</h4>\(Parts.code(text, id: "\(id)-tosign", label: "string to sign"))" } ?? "")</details>

            """
    }

    /// The headers but one, and the body as text. JSON and XML are indented.
    private static func text(_ message: Document<MessageMembers>, besides omitted: String = "") -> String {
        let headers = message.headers.filter { $0.name.lowercased() != omitted }.map { header in
            "\(header.name): \(header.value.replacing("\n", with: " "))\n"
        }
        let body = message.body
        let rest = body.truncated ? "\n… cut" : ""
        if let base64 = body.base64 { return headers.joined() + "\n(base64) \(base64)\(rest)" }
        let text = body.text ?? ""
        return headers.joined() + (text.isEmpty ? "" : "\n\(Layout.indented(text))\(rest)")
    }
}
