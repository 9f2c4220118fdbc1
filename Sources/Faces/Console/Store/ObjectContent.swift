import Calls
import HTTPTypes
import WireFormats

/// The content of an object, for a tab of its own. It never runs: pixel images and texts are shown, everything else is downloaded.
///
/// The body is passed on as it is read. A document that a user stored must not use the origin of the console, so the response has a sandbox
/// without any permission, and the type that it is shown with is never that of a page.
struct ObjectContent {
    /// Encodings that browsers decode.
    private static let encodings = ["gzip", "br", "deflate", "zstd"]

    let scene: StoreScene

    func response(isDownload: Bool) async throws -> Response {
        let requests = SignedRequests(scene: scene)
        let location = scene.location
        let target = location.target(location.versionQuery)
        let answer = try await requests.send(.get, target)
        guard answer.status == .ok else {
            // The same request once more, as an exchange with its decisions.
            let exchange = try await scene.send("Read the object", "GET", target)
            let content: HTML = """
                \(scene.trail)<h1>The content is not readable</h1>
                \(scene.identityForm)
                \(scene.refused(exchange))
                """
            var page = ConsolePage(title: "The content is not readable", section: .store, content: content)
            page.status = HTTPResponse.Status(code: exchange.status >= 400 ? exchange.status : 502)
            return page.response(for: scene.visit, info: scene.info)
        }
        return Self.guarded(answer, key: location.key ?? "", isDownload: isDownload)
    }

    /// Returns the response with headers that take all power from it.
    static func guarded(_ answer: Response, key: String, isDownload: Bool) -> Response {
        let kind = ContentKind(answer.headers[.contentType] ?? "")
        var headers = HTTPFields.unstored
        headers[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.frameOptions] = "DENY"
        headers[.resourcePolicy] = "same-origin"
        headers[.referrerPolicy] = "no-referrer"
        headers[.contentLength] = answer.headers[.contentLength]
        let isShown = !isDownload && kind.isShown
        switch kind {
        case .image(let type) where isShown: headers[.contentType] = type
        case .text where isShown: headers[.contentType] = "text/plain; charset=utf-8"
        default: headers[.contentType] = "application/octet-stream"
        }
        if isShown, let encoding = answer.headers[.contentEncoding], encodings.contains(encoding.lowercased()) {
            headers[.contentEncoding] = encoding
        }
        headers[.contentDisposition] = "\(isShown ? "inline" : "attachment"); filename*=UTF-8''\(percentEncoded(fileName(key)))"
        var response = Response(status: .ok, headers: headers, body: answer.body)
        response.display = .page
        return response
    }

    /// The last part of a key, without the characters that no file name has.
    private static func fileName(_ key: String) -> String {
        let last = key.split(separator: "/").last.map(String.init) ?? ""
        let name = String(last.unicodeScalars.filter { $0.value >= 0x20 && !"\\:*?\"<>|\u{7F}".unicodeScalars.contains($0) })
        return name.isEmpty || name.allSatisfy({ $0 == "." }) ? "object" : name
    }
}
