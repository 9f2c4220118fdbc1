import Calls
import Cloud
import HTTPTypes
import NIOCore
import WireFormats

/// An HTML page that the website endpoint generates.
/// (S3 User Guide, "Configuring a custom error document", "Key differences between the website endpoint and the REST API".)
struct WebsitePage {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    /// Elements that are shown in order after code and message.
    var details: [S3Error.Detail] = []
    /// The error of reading the bucket's error document.
    var errorDocumentFailure: S3Error?

    init(status: HTTPResponse.Status, code: String, message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    init(_ error: S3Error) {
        self.init(status: error.code.status, code: error.code.rawValue, message: error.message)
        details = error.details
    }

    func response(_ call: Call) -> Response {
        var fields = call.s3Headers()
        fields.append(HTTPField(name: .errorCode, value: code))
        fields.append(HTTPField(name: .errorMessage, value: message))
        for detail in details {
            // A key can contain characters that are not allowed in headers.
            guard let name = HTTPField.Name("x-amz-error-detail-\(detail.name)"), HTTPField.isValidValue(detail.value),
                detail.value.utf8.allSatisfy({ $0 < 0x80 })
            else { continue }
            fields.append(HTTPField(name: name, value: detail.value))
        }
        fields.append(HTTPField(name: .contentType, value: "text/html; charset=utf-8"))
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text(call.id))))
    }

    private func text(_ id: RequestID) -> String {
        let title = "\(status.code) \(status.reasonPhrase)"
        var lines = ["<html>", "<head><title>\(title)</title></head>", "<body>", "<h1>\(title)</h1>", "<ul>"]
        lines += Self.items(code, message, details)
        lines += ["<li>RequestId: \(id.text)</li>", "<li>HostId: \(id.hostID)</li>", "</ul>"]
        if let failure = errorDocumentFailure {
            lines += ["<h3>An Error Occurred While Attempting to Retrieve a Custom Error Document</h3>", "<ul>"]
            lines += Self.items(failure.code.rawValue, failure.message, failure.details)
            lines.append("</ul>")
        }
        lines += ["<hr/>", "</body>", "</html>", ""]
        return lines.joined(separator: "\n")
    }

    private static func items(_ code: String, _ message: String, _ details: [S3Error.Detail]) -> [String] {
        ["<li>Code: \(code)</li>", "<li>Message: \(escaped(message))</li>"]
            + details.map { "<li>\($0.name): \(escaped($0.value))</li>" }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
