import Calls
import HTTPTypes
import WireFormats

/// Keycloak's health paths, which it serves at a port of their own, for which the container modules for Keycloak wait. (Keycloak, "Tracking
/// instance status with health checks".)
enum HealthEntrance {
    /// Returns the response to a request at that port.
    /// - Parameter isReady: whether the start is complete.
    static func response(to request: Request, isReady: Bool) -> Response {
        let path = String(request.target.prefix { $0 != "?" })
        // The paths are below the path of the server, which may be /auth.
        let name = path.hasPrefix("/auth/") ? String(path.dropFirst("/auth".count)) : path
        let isUp: Bool
        switch name {
        case "/health/live": isUp = true
        case "/health", "/health/ready", "/health/started": isUp = isReady
        default: return Response(status: .notFound)
        }
        guard request.method == .get || request.method == .head else { return Response(status: .methodNotAllowed) }
        return .json(["status": .string(isUp ? "UP" : "DOWN"), "checks": []], status: isUp ? .ok : .serviceUnavailable)
    }
}
