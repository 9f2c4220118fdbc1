import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// WebFinger: returns the issuer of a user from an identifier that the user typed (OpenID Connect Discovery 1.0 section 2, RFC 7033).
struct WebFinger {
    let call: Call

    private static let issuerRelation = "http://openid.net/specs/connect/1.0/issuer"

    private var issuers: [IdentityProvider] {
        call.cloud.directory.providers.values.filter { !$0.kind.isSocial }.sorted { $0.name < $1.name }
    }

    func respond() -> Response {
        call.note(face: "webfinger")
        call.note(operation: "WebFinger")
        switch call.method {
        case .get, .head: break
        case .options: return .preflight
        default: return refusal(.invalidRequest, "The endpoint takes GET requests.", .methodNotAllowed)
        }
        let query = call.queryFields ?? [:]
        let resources = query.all(named: "resource")
        guard resources.count == 1, let resource = resources.first, resource.dropFirst().contains(":") else {
            return refusal(.invalidRequest, "There must be one resource, a URI.", .badRequest)
        }
        let found = issuers(of: resource)
        guard !found.isEmpty else { return refusal(.notFound, "No issuer has this resource.", .notFound) }
        let relations = query.all(named: "rel")
        let isAsked = relations.isEmpty || relations.contains(Self.issuerRelation)
        let links = found.map { issuer -> JSONValue in
            let name = (issuer.origins?.issuer ?? call.origin) + IssuerPaths.own + issuer.name
            return ["rel": .string(Self.issuerRelation), "href": .string(name)]
        }
        let document: JSONValue = ["subject": .string(resource), "links": .array(isAsked ? links : [])]
        return shared(Response(status: .ok, contentType: "application/jrd+json", text: document.serialized()))
    }

    private func issuers(of resource: String) -> [IdentityProvider] {
        if let account = Account(resource) { return issuers.filter { knows(account, at: $0) } }
        guard let address = Origin(url: resource) else { return [] }
        // The resource is an issuer's canonical name, or a page below it.
        let named = issuers.filter { issuer in
            guard let canonical = issuer.issuer else { return false }
            return resource == canonical || resource.hasPrefix(canonical + "/")
        }
        if !named.isEmpty { return named }
        guard call.names.contains(address) || address.authority == call.authority else { return [] }
        let path = String(address.path)
        let below = issuers.filter { issuer in
            IssuerPaths.all.contains { path == $0 + issuer.name || path.hasPrefix($0 + issuer.name + "/") }
        }
        // The host alone is sufficient if there is only one issuer.
        return below.isEmpty && (path.isEmpty || path == "/") && issuers.count == 1 ? issuers : below
    }

    /// Returns whether an issuer has an account: by e-mail address, or by user name if the host is this process or the issuer.
    private func knows(_ account: Account, at issuer: IdentityProvider) -> Bool {
        if issuer.people.first(.foldedMail(TextKey(account.address))) != nil { return true }
        let isOwn = call.names.contains(account.host) || issuer.issuer.flatMap { Origin(url: $0)?.host } == account.host
        return isOwn && issuer.person(named: account.user) != nil
    }

    /// An account: `acct:<user>@<host>[:<port>]` (RFC 7565), or an e-mail address.
    private struct Account {
        var user: String
        /// The host in lower case, without port.
        var host: String

        var address: String { "\(user)@\(host)".lowercased() }

        init?(_ resource: String) {
            guard let scheme = ["acct:", "mailto:"].first(where: resource.lowercased().hasPrefix),
                case let text = resource.dropFirst(scheme.count), let at = text.lastIndex(of: "@"),
                let user = percentDecoded(String(text[..<at])), let origin = Origin(url: "http://\(text[text.index(after: at)...])"),
                origin.path.isEmpty, !user.isEmpty
            else { return nil }
            self.user = user
            host = origin.host
        }
    }

    private func refusal(_ code: OAuthError.Code, _ description: String, _ status: HTTPResponse.Status) -> Response {
        call.note(errorCode: code.rawValue, message: description)
        return shared(OAuthError(code, description, status: status, allow: "GET").response())
    }

    /// Returns the response readable for browser applications of every origin (RFC 7033 section 5).
    private func shared(_ response: Response) -> Response {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }
}
