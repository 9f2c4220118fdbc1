import WireFormats

/// The self-signed mode: the app server signs each request to OSS.
/// (OSS SDK for iOS, `OSSCustomSignerCredentialProvider`.)
extension AlibabaCourse {
    func send(_ request: FileRequest, by actions: WalkActions, in walk: inout Walk) async throws -> Exchange {
        guard method == .selfSigned else {
            return try await actions.send(request, as: .credentials(try actions.credentials(of: walk)), to: walk.files.store)
        }
        let (exchange, header) = try await sign(request, date: Timestamp.now().httpDate, by: actions, in: walk)
        // The last requests only; each action adds some.
        walk.login = walk.login.suffix(2) + [exchange]
        guard exchange.isSuccess else { return exchange }
        return try await actions.sender.send(
            request.title, service: "oss", signature: "none", request.method, request.target, headers: header, body: request.body)
    }

    /// Lets the app server sign a request in Version 1.
    /// - Returns: the request to the app server, and the headers of the signed request.
    func sign(
        _ request: FileRequest, date: String, by actions: WalkActions, in walk: Walk
    ) async throws -> (exchange: Exchange, headers: [String: String]) {
        let text = "\(request.method)\n\n\(request.type ?? "")\n\(date)\n\(resource(of: request.target))"
        let exchange = try await actions.sender.send(
            "Sign “\(request.title)”", "POST", "/sign", headers: ["Content-Type": "text/plain"], body: text)
        var headers = ["Date": date, "Authorization": exchange.text.filter { !$0.isNewline }]
        headers["Content-Type"] = request.type
        return (exchange, headers)
    }

    /// Returns the resource of a target: the path without parameters that select no subresource.
    private func resource(of target: String) -> String {
        let path = target.prefix { $0 != "?" }
        let decoded = percentDecoded(path) ?? String(path)
        return decoded.dropFirst().contains("/") ? decoded : decoded + "/"
    }

    func presign(_ key: String, by actions: WalkActions, in walk: inout Walk) async throws -> String {
        guard method == .selfSigned else { return actions.presign(key, in: walk, with: try actions.credentials(of: walk)) }
        let expires = String(Timestamp.now().seconds + 900)
        let target = WalkActions.target(key, in: walk)
        let (exchange, headers) = try await sign(
            FileRequest(title: "Presign \(key)", method: "GET", target: target), date: expires, by: actions, in: walk)
        walk.login = walk.login.suffix(2) + [exchange]
        let parts = (headers["Authorization"] ?? "").dropFirst("OSS ".count).split(separator: ":", maxSplits: 1).map(String.init)
        guard exchange.isSuccess, parts.count == 2 else {
            throw ConsoleRefusal(code: "not_signed", message: "The app server did not sign the URL.")
        }
        let query: FormFields = ["OSSAccessKeyId": parts[0], "Expires": expires, "Signature": parts[1]]
        return "\(actions.visit.place.services)\(target)?\(query.queryEncoded)"
    }
}
