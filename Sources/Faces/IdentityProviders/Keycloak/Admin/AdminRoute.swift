import Calls
import HTTPTypes
import WireFormats

/// A call of the Admin API: a row of its table of routes.
struct AdminRoute: Sendable {
    let method: HTTPRequest.Method
    /// The segments of the path after the realm. Those in braces are parameters; the last one can end with `...` and has the rest then.
    let path: [String]
    /// The name in the journal and in rules of errors on demand.
    let operation: String
    let permission: AdminPermission
    let perform: @Sendable (AdminCall) async throws -> Response

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ operation: String, _ permission: AdminPermission,
        _ perform: @escaping @Sendable (AdminCall) async throws -> Response
    ) {
        self.method = method
        self.path = path.split(separator: "/").map { String($0) }
        self.operation = operation
        self.permission = permission
        self.perform = perform
    }

    static func get(
        _ path: String, _ operation: String, _ permission: AdminPermission,
        _ perform: @escaping @Sendable (AdminCall) async throws -> Response
    ) -> AdminRoute { AdminRoute(.get, path, operation, permission, perform) }

    static func post(
        _ path: String, _ operation: String, _ permission: AdminPermission,
        _ perform: @escaping @Sendable (AdminCall) async throws -> Response
    ) -> AdminRoute { AdminRoute(.post, path, operation, permission, perform) }

    static func put(
        _ path: String, _ operation: String, _ permission: AdminPermission,
        _ perform: @escaping @Sendable (AdminCall) async throws -> Response
    ) -> AdminRoute { AdminRoute(.put, path, operation, permission, perform) }

    static func delete(
        _ path: String, _ operation: String, _ permission: AdminPermission,
        _ perform: @escaping @Sendable (AdminCall) async throws -> Response
    ) -> AdminRoute { AdminRoute(.delete, path, operation, permission, perform) }

    /// Returns the parameters of a path that the row has; `nil` if it has others.
    func parameters(of segments: [String]) -> [String]? {
        var parameters: [String] = []
        for (index, part) in path.enumerated() {
            guard part.hasPrefix("{") else {
                guard index < segments.count, segments[index] == part else { return nil }
                continue
            }
            guard index < segments.count else { return nil }
            if part.hasSuffix("...}") { return parameters + [segments[index...].joined(separator: "/")] }
            parameters.append(segments[index])
        }
        return segments.count == path.count ? parameters : nil
    }
}
