import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// A fixed response of a custom API's endpoint. A template is filled in with values of the request.
struct FixedAnswer {
    let call: MobileCall
    let caller: MobileCaller
    /// The parameters of the endpoint's path.
    let parameters: [String: String]

    /// The longest request body, in bytes, that a template can refer to.
    private static let longestBody = 1 << 20

    func response(status: Int, headers: [String: String], body: String, isTemplate: Bool) async throws -> Response {
        var fields = HTTPFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        if fields[.contentType] == nil, !body.isEmpty { fields[.contentType] = CustomAPI.contentType(of: body, isTemplate: isTemplate) }
        var text = body
        if isTemplate {
            guard let template = AnswerTemplate(body, parameters: Array(parameters.keys)) else {
                throw MobileError(.internalError, "The endpoint's template is malformed.")
            }
            let content = try await call.http.collectBody(upTo: Self.longestBody)
            let json = try? JSONValue(parsing: content)
            text = template.text(asJSON: CustomAPI.isJSON(fields[.contentType] ?? "")) { name in
                value(of: name, content: json ?? .string(String(decoding: content, as: UTF8.self)))
            }
        }
        guard !text.isEmpty else { return Response(status: HTTPResponse.Status(code: status), headers: fields) }
        return Response(
            status: HTTPResponse.Status(code: status), contentType: fields[.contentType] ?? "text/plain; charset=utf-8", headers: fields,
            text: text)
    }

    private func value(of name: AnswerTemplate.Name, content: JSONValue) -> JSONValue? {
        switch name {
        case .path(let name): parameters[name].map(JSONValue.string)
        case .query(let name): call.query[name].map(JSONValue.string)
        case .header(let name): HTTPField.Name(name).flatMap { call.http.headers[$0] }.map(JSONValue.string)
        case .body(let members): members.reduce(content) { value, member in value?[member] }
        case .user(let member): value(of: member)
        case .backend(.id): .string(caller.backend.id)
        case .backend(.name): .string(caller.backend.name)
        case .backend(.version): .string(caller.backend.version)
        case .method: .string(call.http.method.rawValue)
        case .time: .string(call.http.received.iso8601Milliseconds)
        }
    }

    private func value(of member: AnswerTemplate.UserMember) -> JSONValue? {
        if member == .roles { return .array(caller.roles.sorted().map(JSONValue.string)) }
        switch (caller.identity, member) {
        case (.user(let user), .id): return .string(user.id)
        case (.user(let user), .username): return .string(user.username)
        case (.user(let user), .email): return user.email.map(JSONValue.string)
        case (.user(let user), .firstName): return user.firstName.map(JSONValue.string)
        case (.user(let user), .lastName): return user.lastName.map(JSONValue.string)
        case (.virtual(let name, _), .username): return .string(name)
        case (.virtual(_, let issuer), .issuer): return .string(issuer)
        case (.social(let user), .id): return .string(user.id)
        case (.social(let user), .username): return user.name.map(JSONValue.string)
        case (.social(let user), .identityProvider): return .string(user.provider)
        default: return nil
        }
    }
}
