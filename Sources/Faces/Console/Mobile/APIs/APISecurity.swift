import Calls
import WireFormats

/// The settings of an API's *Security* page, in the service's words and as its document has them.
struct APISecurity {
    let api: JSONObject

    init(_ api: JSONObject) { self.api = api }

    var isLoginRequired: Bool { api.string("access") != "open" }
    var isSocial: Bool { api.string("access") == "social" }

    /// The settings in a few words.
    var summary: HTML {
        guard isLoginRequired else { return "Login Required off" }
        if isSocial { return "Login Required, Social Login" }
        let roles = api.texts("roles")
        return roles.isEmpty
            ? "Login Required" : "Login Required: \(roles.map { role -> HTML in "<span class=\"tag\">\(Parts.value(role))</span>" })"
    }

    /// The document without roles, which only APIs for enterprise logins have.
    func document(access: String) -> JSONObject {
        var changed = api
        changed["access"] = .string(access)
        changed["roles"] = nil
        changed["endpoints"] = .array(
            (api["endpoints"]?.arrayValue ?? []).map { endpoint in
                var endpoint = endpoint.objectValue ?? [:]
                endpoint["roles"] = nil
                return .object(endpoint)
            })
        return changed
    }
}
