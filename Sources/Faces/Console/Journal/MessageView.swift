import Calls
import WireFormats

/// A request and a response as far as they were captured.
struct MessageView {
    /// An object with `request` and `response`, as the journal's detail and `POST /_virga/send` return them.
    let entry: JSONValue
    /// Distinguishes the messages from others on the page.
    var id = "message"

    var html: HTML {
        guard entry["request"]?.objectValue != nil || entry["response"]?.objectValue != nil else {
            return "<p class=\"soft\">Headers and bodies were not captured. The button on the journal's page turns capture on.</p>"
        }
        return """
            <div class="pair">
            <div><h3>Request</h3>\(Parts.code(request, id: "\(id)-request", label: "the request"))\(signature)</div>
            <div><h3>Response</h3>\(Parts.code(response, id: "\(id)-response", label: "the response"))</div>
            </div>

            """
    }

    private var request: String {
        let message = entry["request"] ?? .null
        let method = (message["method"] ?? entry["method"])?.stringValue ?? ""
        let target = (message["target"] ?? entry["target"])?.stringValue ?? ""
        let host = (message["host"] ?? entry["host"])?.stringValue ?? ""
        return "\(method) \(target)\nHost: \(host)\n" + Self.headers(message, besides: ["host"]) + Self.body(message)
    }

    private var response: String {
        let message = entry["response"] ?? .null
        if message["lost"]?.boolValue == true { return "The connection was closed: no response." }
        let status = message["status"]?.integerValue ?? entry["status"]?.integerValue ?? 0
        return "\(status)\n" + Self.headers(message, besides: []) + Self.body(message)
    }

    private var signature: HTML {
        guard let signature = entry["request"]?["signature"], let kind = signature["kind"]?.stringValue else { return "" }
        let canonical = signature["canonical_request"]?.stringValue
        let toSign = signature["string_to_sign"]?.stringValue
        return """
            <details class="fold"><summary>How it was signed (\(kind))</summary>
            \(canonical.map { text -> HTML in "<h4>Canonical request</h4>\(Parts.code(text, id: "\(id)-canonical", label: "canonical request"))" } ?? "")\
            \(toSign.map { text -> HTML in "<h4>String to sign</h4>\(Parts.code(text, id: "\(id)-tosign", label: "string to sign"))" } ?? "")</details>

            """
    }

    private static func headers(_ message: JSONValue, besides omitted: [String]) -> String {
        (message["headers"]?.arrayValue ?? []).filter { !omitted.contains($0["name"]?.stringValue?.lowercased() ?? "") }.map { header in
            "\(header["name"]?.stringValue ?? ""): \((header["value"]?.stringValue ?? "").replacing("\n", with: " "))\n"
        }.joined()
    }

    /// The body as text; JSON and XML are indented.
    private static func body(_ message: JSONValue) -> String {
        guard let body = message["body"], body != .null else { return "" }
        let rest = body["truncated"]?.boolValue == true ? "\n… cut" : ""
        if let base64 = body["base64"]?.stringValue { return "\n(base64) \(base64)\(rest)" }
        let text = body["text"]?.stringValue ?? ""
        return text.isEmpty ? "" : "\n\(Layout.indented(text))\(rest)"
    }
}
