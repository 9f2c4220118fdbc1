import Calls
import WireFormats

/// The request of a test, with the credentials of the chosen method.
struct TestRequest {
    let site: MobileSite
    let api: TestableAPI
    let choice: TestChoice

    /// Sends the request.
    /// - Throws: ``FormRefusal`` if it cannot be sent.
    func send(_ test: inout APITest) async throws {
        guard let backend = choice.backend else { throw FormRefusal("backend", "Choose a mobile backend.") }
        if let obstacle = choice.method.obstacle(backend) { throw FormRefusal("method", obstacle) }
        let number = Int(test.fields.first("endpoint") ?? "") ?? 0
        guard api.endpoints.indices.contains(number) else { throw FormRefusal("endpoint", "The API does not have this endpoint any more.") }
        let endpoint = api.endpoints[number]
        let method = endpoint.method == "*" ? (test.fields.first("verb") ?? "").trimmed.uppercased() : endpoint.method
        var headers = try await credentials(backend, &test)
        let isPlatform = api.name == "platform" && api.base == "/mobile/platform"
        if !isPlatform { headers["Oracle-Mobile-API-Version"] = api.version }
        var body: String?
        if endpoint.takesBody(method) {
            body = test.fields.first("body") ?? ""
            headers["Content-Type"] = "application/json"
        }
        let query = (test.fields.first("query") ?? "").trimmed
        let target = api.base + path(endpoint, test.fields) + (query.isEmpty ? "" : "?" + Self.encoded(query: query))
        test.answer = try await site.sender.send(
            "\(method.isEmpty ? "GET" : method) \(endpoint.path)", method.isEmpty ? "GET" : method, target, headers: headers, body: body)
    }

    /// Returns the path with its parameters.
    private func path(_ endpoint: TestableAPI.Endpoint, _ fields: FormFields) -> String {
        endpoint.path.split(separator: "/").map { segment in
            if segment == "*" { return "/" + percentEncoded(fields.first("parameter-*") ?? "", keepingSlash: true) }
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return "/" + percentEncoded(String(segment), keepingSlash: true) }
            return "/" + percentEncoded(fields.first("parameter-\(segment.dropFirst().dropLast())") ?? "")
        }.joined()
    }

    /// Returns a query whose names and values are encoded where they have to be.
    private static func encoded(query: String) -> String {
        let text = query.hasPrefix("?") ? String(query.dropFirst()) : query
        return FormFields(parsing: text)?.encoded ?? percentEncoded(text)
    }

    // MARK: Credentials

    private static func basic(_ name: String, _ password: String) -> String { "Basic \(Array("\(name):\(password)".utf8).base64)" }

    /// Returns the headers that authenticate the request.
    private func credentials(_ backend: JSONObject, _ test: inout APITest) async throws -> [String: String] {
        let (user, password) = (test.fields.first("username") ?? "", test.fields.first("password") ?? "")
        let anonymous = ["Authorization": "Basic \(backend.string("anonymousKey"))", "Oracle-Mobile-Backend-ID": backend.string("id")]
        switch choice.method {
        case .basic:
            guard !user.isEmpty || !password.isEmpty else { return anonymous }
            return ["Authorization": Self.basic(user, password), "Oracle-Mobile-Backend-ID": backend.string("id")]
        case .oauth:
            let grant: FormFields =
                user.isEmpty && password.isEmpty
                ? ["grant_type": "client_credentials"] : ["grant_type": "password", "username": user, "password": password]
            let exchange = try await token(
                "Get a token with OAuth", to: "/oam/oauth2/tokens", grant,
                ["Authorization": Self.basic(backend.string("clientID"), backend.string("clientSecret"))])
            test.preparation.append(exchange)
            return try bearer(exchange, field: "username")
        case .sso:
            let text = (test.fields.first("token") ?? "").filter { !$0.isWhitespace }
            guard !text.isEmpty else { throw FormRefusal("token", "Paste a token, or press Get a token.") }
            let external = ExternalToken(text)
            if case .own = external { return ["Authorization": "Bearer \(text)"] }
            for request in external.exchanges(backend) {
                let exchange: Exchange
                if let form = request.form {
                    exchange = try await token(request.title, to: request.path, form, request.headers)
                } else {
                    exchange = try await site.sender.send(request.title, "GET", request.path, headers: request.headers)
                }
                test.preparation.append(exchange)
                if exchange.isSuccess { break }
            }
            guard let last = test.preparation.last(where: \.isSuccess) ?? test.preparation.first else {
                throw FormRefusal("token", "This is neither a token of the mobile cloud nor one that it can exchange.")
            }
            return try bearer(last, field: "token")
        case .facebook:
            let token = (test.fields.first("token") ?? "").trimmed
            // Without a user, APIs whose Login Required is off can be called.
            guard !token.isEmpty else { return anonymous }
            return anonymous.merging([
                "Oracle-Mobile-Social-Identity-Provider": "facebook", "Oracle-Mobile-Social-Access-Token": token,
            ]) { $1 }
        }
    }

    private func token(_ title: String, to path: String, _ form: FormFields, _ headers: [String: String]) async throws -> Exchange {
        try await site.sender.send(
            title, "POST", path, headers: headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 }, body: form.encoded)
    }

    private func bearer(_ exchange: Exchange, field: String) throws(FormRefusal) -> [String: String] {
        guard exchange.isSuccess, let token = exchange.json["access_token"]?.stringValue else {
            let detail =
                exchange.json["detail"]?.stringValue ?? exchange.refusal.map { "\($0.code): \($0.message)" } ?? "there is no token."
            throw FormRefusal(field, "\(exchange.title) failed: \(detail)")
        }
        return ["Authorization": "Bearer \(token)"]
    }
}
