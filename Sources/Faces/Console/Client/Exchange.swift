import Calls
import ControlDocuments
import WireFormats

/// A request that the console sent, with its answer and the decisions that it caused.
struct Exchange: Sendable {
    /// What was done, such as "Read hello.txt".
    var title: String
    /// The answer of `POST /_virga/send`.
    var sent: Document<SentMembers>
    /// The decisions of the journal's entry.
    var decisions: [Document<DecisionMembers>] = []

    var status: Int { Int(sent.response.status) }
    var isSuccess: Bool { (200..<300).contains(status) && appServerRefusal == nil }
    /// The number in the journal.
    var number: Int64? { sent.number }
    /// The body of the answer; empty if it is not text.
    var text: String { sent.response.message.body.text ?? "" }
    /// The body as JSON; `null` if it is something else.
    var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
    /// The body as XML; `nil` if it is something else.
    var xml: XMLElement? { try? XMLElement(parsing: Array(text.utf8)) }

    /// The code and message of an error, from XML or JSON; `nil` for a success.
    var refusal: (code: String, message: String)? {
        if isSuccess { return nil }
        if sent.response.lost { return ("ConnectionClosed", "The connection was closed.") }
        if let document = xml {
            let error = document.child("Error") ?? document
            if let code = error.child("Code")?.text { return (code, error.child("Message")?.text ?? "") }
        }
        if let refusal = appServerRefusal { return refusal }
        let json = json
        // Services with AWS JSON.
        if let type = json["__type"]?.stringValue {
            let code = type.split(separator: "#").last.map(String.init) ?? type
            return (code, json["message"]?.stringValue ?? json["Message"]?.stringValue ?? "")
        }
        // The mobile cloud's, and those of Alibaba Cloud's RPC services.
        if let code = json["o:errorCode"]?.stringValue { return (code, json["detail"]?.stringValue ?? "") }
        if let code = json["Code"]?.stringValue { return (code, json["Message"]?.stringValue ?? "") }
        if let error = json["error"]?.stringValue { return (error, json["error_description"]?.stringValue ?? "") }
        if let error = json["error"] { return (error["type"]?.stringValue ?? "error", error["message"]?.stringValue ?? "") }
        return ("HTTP \(status)", String(text.prefix(300)))
    }

    /// The exchange without the decisions, if the request succeeded.
    var withoutAllowed: Exchange { isSuccess ? Exchange(title: title, sent: sent) : self }

    /// The error code, or `success`.
    var code: String { refusal?.code ?? "success" }

    /// The error of an app server of Alibaba Cloud, which can have the status 200.
    private var appServerRefusal: (code: String, message: String)? {
        let path = sent.request.target.prefix { $0 != "?" }
        guard path == "/distribute-token.json" || path == "/sign" else { return nil }
        return json["ErrorCode"]?.stringValue.map { ($0, json["ErrorMessage"]?.stringValue ?? "") }
    }
}
