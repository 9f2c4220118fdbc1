import Calls
import WireFormats

/// Walks through a login as a browser in a private window does: follows redirects, keeps cookies, and presses the buttons of the login page.
struct BrowserLogin {
    let sender: Sender
    /// The origins of this cloud.
    let origins: [String]
    /// The user name at the identity provider.
    let person: String
    /// The requests so far.
    private(set) var exchanges: [Exchange] = []
    private var cookies: [String: String] = [:]

    /// The most requests of a login.
    private static let mostSteps = 12

    init(sender: Sender, origins: [String], person: String) {
        (self.sender, self.origins, self.person) = (sender, origins, person)
    }

    private struct Step {
        var method = "GET"
        var target: String
        var body: FormFields?
    }

    /// Returns the access token in the JSON at the end of the login.
    /// - Throws: ``FormRefusal`` if there is none.
    mutating func token(from target: String) async throws -> String {
        var step = Step(target: target)
        for _ in 0..<Self.mostSteps {
            let exchange = try await send(step)
            if let token = exchange.json["access_token"]?.stringValue, exchange.isSuccess { return token }
            step = try next(after: exchange, at: step)
        }
        throw FormRefusal("token", "The login did not end after \(Self.mostSteps) requests.")
    }

    private mutating func send(_ step: Step) async throws -> Exchange {
        var headers: [String: String] = ["Accept": "text/html,application/json"]
        if !cookies.isEmpty {
            headers["Cookie"] = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
        if step.body != nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
        let path = step.target.prefix { $0 != "?" }
        let exchange = try await sender.send(
            "\(step.method) \(path)", step.method, step.target, headers: headers, body: step.body?.encoded)
        exchanges.append(exchange)
        for header in exchange.headers where header.name.lowercased() == "set-cookie" {
            let pair = header.value.prefix { $0 != ";" }
            let name = pair.prefix { $0 != "=" }
            cookies[String(name)] = String(pair.dropFirst(name.count + 1))
        }
        return exchange
    }

    private func next(after exchange: Exchange, at step: Step) throws -> Step {
        if (300..<400).contains(exchange.status), let location = exchange.header("location") {
            return Step(target: try local(location))
        }
        guard let form = HTMLForm.first(in: exchange.text) else { throw failure(exchange) }
        var fields = FormFields(form.fields)
        if form.buttons.contains(where: { $0.name == "person" && $0.value == person }) {
            fields.fields.append(.init(name: "person", value: person))
        } else if form.buttons.contains(where: { $0.name == "person" }) {
            throw FormRefusal("token", "The identity provider has no user \(person).")
        } else if form.buttons.contains(where: { $0.name == "action" && $0.value == "allow" }) {
            fields.fields.append(.init(name: "action", value: "allow"))
        }
        guard exchange.isSuccess else { throw failure(exchange) }
        let target = try local(form.action.isEmpty ? step.target : form.action)
        guard form.isPosted else { return Step(target: "\(target)\(target.contains("?") ? "&" : "?")\(fields.encoded)") }
        return Step(method: "POST", target: target, body: fields)
    }

    /// Returns a path of this cloud for a URL.
    private func local(_ url: String) throws(FormRefusal) -> String {
        if url.hasPrefix("/"), !url.hasPrefix("//") { return url }
        for origin in origins where url.hasPrefix("\(origin)/") { return String(url.dropFirst(origin.count)) }
        throw FormRefusal(
            "token",
            "The login continues outside of this cloud, at \(url.prefix { $0 != "?" }). Open the token endpoint in a private window.")
    }

    private func failure(_ exchange: Exchange) -> FormRefusal {
        let detail =
            exchange.json["detail"]?.stringValue ?? HTMLForm.alert(in: exchange.text) ?? exchange.refusal?.message
            ?? "the page has no form."
        return FormRefusal("token", "The login failed with status \(exchange.status): \(detail)")
    }
}

/// The first form of a page of this process: what a browser would send.
struct HTMLForm {
    var action = ""
    var isPosted = false
    var fields: [FormFields.Field] = []
    var buttons: [FormFields.Field] = []

    /// Finds the form of a page.
    static func first(in page: String) -> HTMLForm? {
        guard let start = page.firstRange(of: "<form") else { return nil }
        var rest = page[start.upperBound...]
        guard let opening = attributes(&rest) else { return nil }
        var form = HTMLForm(action: opening["action"] ?? "", isPosted: opening["method"]?.lowercased() == "post")
        while let next = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: next)...]
            let name = rest.prefix { $0.isLetter || $0 == "/" }
            if name == "/form" { break }
            guard name == "input" || name == "button" else { continue }
            rest = rest.dropFirst(name.count)
            guard let values = attributes(&rest), let field = values["name"] else { continue }
            let value = FormFields.Field(name: field, value: values["value"] ?? "")
            if name == "button" { form.buttons.append(value) } else if values["type"] == "hidden" { form.fields.append(value) }
        }
        return form
    }

    /// Returns the text of a page's error.
    static func alert(in page: String) -> String? {
        guard let start = page.firstRange(of: "role=\"alert\">") else { return nil }
        return unescaped(page[start.upperBound...].prefix { $0 != "<" })
    }

    /// Reads the attributes of a tag up to its end.
    private static func attributes(_ rest: inout Substring) -> [String: String]? {
        var attributes: [String: String] = [:]
        while let character = rest.first {
            if character == ">" {
                rest.removeFirst()
                return attributes
            }
            guard character.isLetter else {
                rest.removeFirst()
                continue
            }
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
            rest = rest.dropFirst(name.count)
            attributes[name.lowercased()] = ""
            guard rest.hasPrefix("=\"") else { continue }
            rest = rest.dropFirst(2)
            let value = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(value.count + 1)
            attributes[name.lowercased()] = unescaped(value)
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(String(text)) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
