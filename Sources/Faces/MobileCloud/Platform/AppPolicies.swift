import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/platform/appconfig/client`: returns the backend's app policies to every authenticated caller, including the anonymous one.
/// (REST API for Oracle Mobile Cloud Service, "Retrieve App Policies".)
struct AppPolicies {
    let call: MobileCall

    func respond() async throws -> Response {
        guard call.path.dropFirst(3) == ["client"] else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
        let caller = try await call.enter(authenticating: "GetAppPolicies")
        return .json(.object(caller.backend.appPolicies))
    }
}
