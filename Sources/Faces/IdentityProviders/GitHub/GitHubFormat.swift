import Calls
import HTTPTypes
import WireFormats

/// The format of the answers of the OAuth endpoints, which the header `Accept` selects (GitHub Docs, "Authorizing OAuth apps").
enum GitHubFormat {
    case form, json, xml

    /// - Parameter accept: the value of `Accept`. The first type in it that is one of the formats counts; the usual format is a form.
    init(accept: String?) {
        for item in (accept ?? "").split(separator: ",") {
            switch item.prefix(while: { $0 != ";" }).trimmed.lowercased() {
            case "application/json":
                self = .json
                return
            case "application/xml", "text/xml":
                self = .xml
                return
            case "application/x-www-form-urlencoded":
                self = .form
                return
            default: continue
            }
        }
        self = .form
    }

    /// Returns an answer with members that are texts or numbers.
    func response(_ members: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        switch self {
        case .form:
            var fields: FormFields = [:]
            fields.fields = members.members.map { .init(name: $0.name, value: Self.text($0.value)) }
            return Response(
                status: status, contentType: "application/x-www-form-urlencoded; charset=utf-8", headers: .unstored, text: fields.encoded)
        case .json:
            return Response(
                status: status, contentType: "application/json; charset=utf-8", headers: .unstored,
                body: JSONValue.object(members).serializedBytes())
        case .xml:
            var xml = XMLWriter()
            xml.declaration()
            xml.element("OAuth") { root in
                for (name, value) in members.members { root.element(name, Self.text(value)) }
            }
            return Response(status: status, contentType: "application/xml; charset=utf-8", headers: .unstored, xml: xml)
        }
    }

    private static func text(_ value: JSONValue) -> String { value.stringValue ?? value.integerValue.map { String($0) } ?? "" }
}
