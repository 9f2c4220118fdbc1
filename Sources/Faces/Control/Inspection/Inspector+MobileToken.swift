import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension Inspector {
    /// Adds the checks that the mobile cloud makes of one of its tokens, and compares the backend with the expected one.
    func checkMobileToken(_ text: String, _ header: JSONObject, _ claims: JSONObject, _ found: inout Inspection) async throws {
        let id = claims["backend_id"]?.stringValue ?? ""
        let backend = cloud.directory.mobile.backend(id: id)?.name
        let name = backend ?? (id.isEmpty ? "(none)" : id)
        found.subject = ["backend": .string(name), "user": claims["sub"] ?? .null, "method": claims["method"] ?? .null]
        for check in try await services?.checkMobileToken(text, call) ?? [] {
            let words =
                switch check.name {
                case "signature": "the signature is of the mobile cloud's key '\(header["kid"]?.stringValue ?? "")'."
                case "times": "the token expires at \(effectiveExpiry(of: claims)?.iso8601 ?? "(never)"); it is \(now)."
                case "backend": "the backend is \(name)."
                case "method": "the backend accepts the method \(claims["method"]?.stringValue ?? "")."
                case "user": "the mobile cloud knows the user \(claims["sub"]?.stringValue ?? "")."
                default: "accepted."
                }
            found.check(check, passed: words)
        }
        if let wanted = expected["backend"] {
            found.check("expected backend", wanted == backend || wanted == id, "the backend is \(name); expected \(wanted).")
        }
    }
}
