import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import WireFormats

/// One call of the Admin API, whose caller is known and permitted.
struct AdminCall {
    let call: Call
    let caller: AdminCaller
    /// The realm as the request has read it.
    let realm: IdentityProvider
    /// The parameters of the path.
    let parameters: [String]
    /// The parameters of the query.
    let query: FormFields

    var cloud: Cloud { call.cloud }

    private static let bodyLimit = 4 << 20

    /// Returns the body in JSON.
    func body() async throws -> JSONValue {
        let text = try await call.collectBody(upTo: Self.bodyLimit)
        do throws(JSONSyntaxError) { return try JSONValue(parsing: text) } catch {
            throw AdminError(status: .badRequest, message: "unable to read contents from stream")
        }
    }

    /// Returns the object in the body.
    func object() async throws -> JSONObject {
        guard let object = try await body().objectValue else {
            throw AdminError(status: .badRequest, message: "Cannot parse the JSON")
        }
        return object
    }

    /// Changes the directory.
    func edit<T: Sendable>(_ operation: (inout Directory) throws(KeycloakRefusal) -> T) async throws -> T {
        try await cloud.edit(saying: { (refusal: KeycloakRefusal) in AdminError(refusal) }, operation)
    }

    /// Returns the response to a call that created something below its own path.
    func created(_ id: String) -> Response { created(at: call.path, id) }

    /// Returns the response to a call that created something.
    /// - Parameter path: the path that ends with the identifier.
    func created(at path: String, _ id: String) -> Response {
        let base = path.hasSuffix("/") ? String(path.dropLast()) : path
        return Response(status: .created, headers: [.location: "\(call.origin)\(base)/\(percentEncoded(id))"])
    }

    /// The response to a call that changed something.
    static let done = Response(status: .noContent)

    /// The path of the realm in URLs.
    var realmPath: String {
        let segments = call.path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = segments.firstIndex(where: { $0 == "realms" }), index + 1 < segments.count else { return call.path }
        return segments[...(index + 1)].joined(separator: "/")
    }

    /// Returns whether a parameter of the query is on. Python's clients write `True`.
    func isOn(_ name: String, or usual: Bool = false) -> Bool { query.value(name).map { $0.lowercased() == "true" } ?? usual }

    /// Returns the part of a list that the query asks for.
    /// - Parameter usual: the number of elements without a limit in the query.
    func page<Element>(_ elements: [Element], usual: Int = .max) -> [Element] {
        let first = max(query.value("first").flatMap { Int($0) } ?? 0, 0)
        let limit = query.value("max").flatMap { Int($0) } ?? usual
        return Array(elements.dropFirst(first).prefix(limit < 0 ? .max : limit))
    }

    /// Checks that the caller may give roles, with those that they include.
    func checkGift(of names: [KeycloakRoleName]) throws(AdminError) {
        guard caller.mayGive(try current.expanded(names)) else { throw AdminError.forbidden }
    }

    /// The realm as it is now.
    var current: IdentityProvider {
        get throws(AdminError) {
            do throws(KeycloakRefusal) { return try cloud.directory.keycloakRealm(realm.name) } catch { throw AdminError(error) }
        }
    }
}
