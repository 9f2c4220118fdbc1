import Calls
import ControlDocuments
import WireFormats

/// The checks and the decoded parts of an inspection.
struct InspectionView {
    private static let longestPart = 20_000

    let inspection: Document<InspectionMembers>
    let info: CloudInfo

    private var parts: JSONValue { inspection.decoded }

    /// A row for each check.
    var checks: HTML {
        let checks = inspection.checks
        guard !checks.isEmpty else { return "" }
        let rows = checks.map { check -> HTML in
            let outcome =
                switch check.passed {
                case true?: Outcome(kind: "good", sign: "✓", word: "ok")
                case false?: Outcome(kind: "bad", sign: "✗", word: "wrong")
                case nil: Outcome(kind: "warn", sign: "?", word: "your check")
                }
            return """
                <tr><td>\(Parts.outcome(outcome))</td><th scope="row">\(Parts.value(check.name))</th>\
                <td>\(Parts.value(check.detail, limit: 2_000))</td></tr>

                """
        }
        return """
            <section aria-labelledby="checks"><h2 id="checks">Checks</h2>
            <div class="scroll" tabindex="0" role="region" aria-label="Checks"><table class="checks stack">
            <thead><tr><th scope="col">Result</th><th scope="col">Check</th><th scope="col">Detail</th></tr></thead>
            <tbody>\(rows)</tbody></table></div></section>\(subject)

            """
    }

    /// Who the subject is in this cloud.
    private var subject: HTML {
        guard let members = inspection.subject.objectValue?.members, !members.isEmpty else { return "" }
        let rows = members.filter { $0.value != .null }.map { name, value -> HTML in
            "<div><dt>\(Parts.value(InspectionWords.label(name, of: value)))</dt><dd>\(Parts.value(value.stringValue ?? value.serialized(), limit: 1_000))</dd></div>\n"
        }
        return """
            <section aria-labelledby="subject"><h2 id="subject">Who it is here</h2><dl class="facts">
            \(rows)</dl></section>

            """
    }

    var decoded: HTML {
        guard let members = parts.objectValue, !members.isEmpty else { return "" }
        let content: HTML =
            switch inspection.kind {
            case "jwt", "mobile_token": token
            case "saml_response", "saml_assertion": assertion
            case "presigned_url": presigned
            default: block(parts, "decoded", "Content")
            }
        return "<section aria-labelledby=\"decoded-title\"><h2 id=\"decoded-title\">Decoded</h2>\n\(content)</section>\n"
    }

    /// - Parameter color: the class of the part in the token; empty for none.
    private func block(_ json: JSONValue, _ id: String, _ title: String, color: String = "") -> HTML {
        var text = json.serialized(pretty: true)
        if text.count > Self.longestPart { text = "\(text.prefix(Self.longestPart))\n… \(text.count - Self.longestPart) more characters" }
        let style: HTML = color.isEmpty ? "" : " class=\"\(color)\""
        return "<div><h3\(style)>\(title)</h3>\(Parts.code(text, id: id, label: title.lowercased()))</div>\n"
    }

    private var token: HTML {
        let claims = parts["claims"] ?? .null
        let issued = claims["iat"]?.integerValue.flatMap { $0.magnitude < 1 << 38 ? $0 * 1000 : nil }
        let age = issued.map(info.age(since:)) ?? 0
        let times = ["iat", "nbf", "auth_time", "exp"].compactMap { name -> HTML? in
            guard let seconds = claims[name]?.integerValue, seconds.magnitude < 1 << 38 else { return nil }
            let time = Timestamp(seconds: seconds)
            return """
                <div><dt>\(InspectionWords.label(name)) (<code>\(name)</code>)</dt><dd>\(time.iso8601), \
                \(InspectionWords.distance(milliseconds: time.milliseconds - age - info.nowMilliseconds))</dd></div>

                """
        }
        let nested: HTML =
            if let inner = parts["nested"] {
                """
                <div class="pair">\(block(inner["header"] ?? .null, "nested-header", "Header of the inner token"))\
                \(block(inner["claims"] ?? .null, "nested-claims", "Claims of the inner token"))</div>
                """
            } else {
                ""
            }
        let timeList: HTML = times.isEmpty ? "" : "<dl class=\"facts\">\n\(times)</dl>\n"
        return """
            \(timeList)<div class="pair">\(block(parts["header"] ?? .null, "header", "Header", color: "one"))\
            \(parts["claims"] == nil ? "" : block(claims, "claims", "Claims", color: "two"))</div>\(nested)
            \(Parts.secret(parts["signature"]?.stringValue ?? "", id: "signature", label: "the signature"))
            """
    }

    private var assertion: HTML {
        let attributes = (parts["attributes"]?.arrayValue ?? []).map { attribute -> HTML in
            let values = (attribute["values"]?.arrayValue ?? []).compactMap(\.stringValue).map { value -> HTML in
                "<code>\(Parts.value(value, limit: 1_000))</code><br>"
            }
            return "<tr><th scope=\"row\">\(Parts.value(attribute["name"]?.stringValue ?? ""))</th><td>\(values)</td></tr>\n"
        }
        let facts = ["encoding", "id", "issuer", "issued", "audiences", "recipients"].compactMap { name -> HTML? in
            guard let value = parts[name] else { return nil }
            let texts = value.arrayValue?.compactMap(\.stringValue) ?? [value.stringValue ?? ""]
            return
                "<div><dt>\(InspectionWords.label(name))</dt><dd>\(Parts.value(texts.joined(separator: ", "), limit: 1_000))</dd></div>\n"
        }
        let table: HTML =
            attributes.isEmpty
            ? ""
            : """
            <h3>Attributes</h3><div class="scroll" tabindex="0" role="region" aria-label="Attributes"><table class="stack">
            <thead><tr><th scope="col">Name</th><th scope="col">Values</th></tr></thead><tbody>\(attributes)</tbody></table></div>

            """
        return """
            <dl class="facts">
            \(facts)</dl>
            \(table)
            <details class="fold"><summary>The XML</summary>
            \(Parts.code(Layout.indented(parts["xml"]?.stringValue ?? ""), id: "xml", label: "the XML"))</details>
            """
    }

    private var presigned: HTML {
        let rows = (parts["parameters"]?.arrayValue ?? []).map { parameter -> HTML in
            """
            <div><dt><code>\(Parts.value(parameter["name"]?.stringValue ?? ""))</code></dt>\
            <dd><code>\(Parts.value(parameter["value"]?.stringValue ?? "", limit: 1_000))</code></dd></div>

            """
        }
        let methods = (parts["methods"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
        return """
            <dl class="facts">
            <div><dt>Signature</dt><dd>\(InspectionWords.signature(parts["signature"]?.stringValue ?? ""))</dd></div>
            <div><dt>Method</dt><dd>\(methods.isEmpty ? "none that matches" : methods)</dd></div>
            <div><dt>Host</dt><dd>\(Parts.value(parts["host"]?.stringValue ?? ""))</dd></div>
            <div><dt>Path</dt><dd>\(Parts.value(String((parts["target"]?.stringValue ?? "").prefix { $0 != "?" }), limit: 1_000))</dd></div>
            \(rows)</dl>

            """
    }
}
