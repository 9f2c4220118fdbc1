import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The requests below `/mobile/custom/`. (Using Oracle Mobile Cloud Service, "Custom API Design" and "Implementing Custom APIs".)
struct CustomAPIs {
    let call: MobileCall

    func respond() async throws -> Response {
        let versions = try versions()
        // The methods of an endpoint are not secret, and a preflight request has no credentials.
        if call.method == .options, let newest = versions.first { _ = try Self.endpoint(of: newest, method: .options, path: rest) }
        let caller = try await call.enter(authenticating: "CallCustomAPI")
        let api = try api(of: caller.backend, among: versions)
        let found = try Self.endpoint(of: api, method: call.http.method, path: rest)
        try CustomAPIAccess(api: api, endpoint: found.endpoint, caller: caller).admit(on: call.http)
        switch found.endpoint.answer {
        case .fixed(let status, let headers, let body, let isTemplate):
            return try await FixedAnswer(call: call, caller: caller, parameters: found.parameters)
                .response(status: status, headers: headers, body: body, isTemplate: isTemplate)
        case .caller: return .json(caller.json)
        case .forwarded(let url): return try await CustomCode(call: call, api: api, caller: caller).answer(at: url)
        }
    }

    /// The path below the API.
    private var rest: [String] { Array(call.path.dropFirst(3)) }

    private var name: String { call.path.dropFirst(2).first ?? "" }

    /// Returns the APIs with the name in the path: the version that `Oracle-Mobile-API-Version` names, or all versions, newest first.
    /// (Using Oracle Mobile Cloud Service, appendix "HTTP Headers".)
    private func versions() throws(MobileError) -> [CustomAPI] {
        guard let version = call.http.headers[.apiVersion] else {
            let versions = call.mobile.customAPIs(named: name)
            guard !versions.isEmpty else { throw MobileError(.unknownPath, "There is no custom API \(name).") }
            return versions
        }
        guard let api = call.mobile.customAPIs["\(name)(\(version))"] else {
            throw MobileError(.unknownPath, "There is no custom API \(name) in version \(version).")
        }
        return [api]
    }

    /// Returns the newest version that the backend offers. To the backend's apps, an API that it does not offer does not exist.
    private func api(of backend: MobileBackend, among versions: [CustomAPI]) throws(MobileError) -> CustomAPI {
        if let api = versions.first(where: backend.apis.contains) { return api }
        let names = versions.map(\.key).joined(separator: ", ")
        throw MobileError(.unknownPath, "The mobile backend \(backend.key) does not have the custom API \(names) among its APIs.")
    }

    /// Returns the endpoint with the most specific path, and the values of its path parameters. HEAD falls back to GET.
    /// - Throws: ``MobileError``
    static func endpoint(
        of api: CustomAPI, method: HTTPRequest.Method, path: [String]
    ) throws(MobileError) -> (endpoint: CustomAPI.Endpoint, parameters: [String: String]) {
        // CONNECT and TRACE concern the connection, which custom code shares with other requests (RFC 9110 sections 9.3.6 and 9.3.8).
        guard method != .connect, method != .trace else { throw MobileError.methodNotAllowed(.get, .post, .put, .patch, .delete) }
        var fitting: [(endpoint: CustomAPI.Endpoint, path: EndpointPath, parameters: [String: String])] = []
        for endpoint in api.endpoints {
            guard let template = EndpointPath(endpoint.path), let parameters = template.values(in: path) else { continue }
            fitting.append((endpoint, template, parameters))
        }
        guard !fitting.isEmpty else {
            throw MobileError(.unknownResource, "The custom API \(api.key) has no endpoint /\(path.joined(separator: "/")).")
        }
        // If two paths are equally specific, the endpoint that names the method is chosen.
        let methods = method == .head ? ["HEAD", "GET", "*"] : [method.rawValue, "*"]
        let candidates = methods.flatMap { name in fitting.filter { $0.endpoint.method == name } }
        var best = candidates.first
        for candidate in candidates.dropFirst() {
            if let known = best, candidate.path.isMoreSpecific(than: known.path) { best = candidate }
        }
        if let best { return (best.endpoint, best.parameters) }
        throw .methodNotAllowed(Set(fitting.map(\.endpoint.method)))
    }
}

extension MobileError {
    /// Returns the error for a path whose endpoints have only these methods.
    fileprivate static func methodNotAllowed(_ methods: Set<String>) -> MobileError {
        let names = methods.union(methods.contains("GET") ? ["HEAD"] : []).union(["OPTIONS"]).sorted().joined(separator: ", ")
        return MobileError(.methodNotAllowed, "The endpoints of this path take \(names).", headers: [.allow: names])
    }
}

extension MobileCaller {
    /// The caller's identity as JSON, for endpoints that echo their caller.
    fileprivate var json: JSONValue {
        var json: JSONObject = [:]
        switch identity {
        case .anonymous: json["kind"] = "anonymous"
        case .user(let user):
            json["kind"] = "user"
            json["id"] = .string(user.id)
            json["username"] = .string(user.username)
        case .virtual(let name, let issuer):
            json["kind"] = "virtual"
            json["username"] = .string(name)
            json["issuer"] = .string(issuer)
        case .social(let user):
            json["kind"] = "social"
            json["id"] = .string(user.id)
            json["identityProvider"] = .string(user.provider)
            if let name = user.name { json["name"] = .string(name) }
        }
        json["method"] = .string(method.rawValue)
        json["roles"] = .array(roles.sorted().map(JSONValue.string))
        json["backend"] = ["id": .string(backend.id), "name": .string(backend.name), "version": .string(backend.version)]
        if let customCode { json["customCode"] = .string(customCode.api) }
        return .object(json)
    }
}

extension HTTPField.Name {
    static let apiVersion = HTTPField.Name(literal: "Oracle-Mobile-API-Version")
}
