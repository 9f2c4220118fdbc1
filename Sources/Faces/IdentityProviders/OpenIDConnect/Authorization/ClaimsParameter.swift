import Calls
import Federation
import WireFormats

/// The `claims` parameter: the claims that the application requests, by place of delivery (OpenID Connect Core 1.0 section 5.5).
struct ClaimsParameter {
    var names = RequestedClaims()
    /// The required subject, if the application requests `sub` with a value.
    var subject: String?
    /// The requested `acr`.
    var context: Context?

    struct Context {
        /// The requested values; if empty, any value is accepted.
        var values: [String]
        var isEssential: Bool
    }

    init() {}

    /// Parses the parameter.
    /// - Throws: `AuthorizationFault` for an invalid text.
    init(_ text: String) throws(AuthorizationFault) {
        guard let json = try? JSONValue(parsing: text), let members = json.objectValue else {
            throw AuthorizationFault(.invalidRequest, "The claims parameter must be a JSON object.")
        }
        // Other members are ignored, as section 5.5 requires.
        names.userInfo = try read(members["userinfo"])
        names.idToken = try read(members["id_token"])
    }

    private mutating func read(_ member: JSONValue?) throws(AuthorizationFault) -> [String] {
        guard let member else { return [] }
        guard let claims = member.objectValue else {
            throw AuthorizationFault(.invalidRequest, "Each member of the claims parameter must be a JSON object.")
        }
        for (name, wish) in claims.members {
            guard wish == .null || wish.objectValue != nil else {
                throw AuthorizationFault(.invalidRequest, "The claims parameter asks for \(name) with neither null nor an object.")
            }
            switch name {
            case "sub":
                guard let wanted = wish["value"] else { continue }
                guard let value = wanted.stringValue else {
                    throw AuthorizationFault(.invalidRequest, "The sub in the claims parameter must be a string.")
                }
                if let subject, subject != value {
                    throw AuthorizationFault(.invalidRequest, "The claims parameter names different users.")
                }
                subject = value
            case "acr":
                let values = wish["values"]?.arrayValue ?? wish["value"].map { [$0] } ?? []
                context = Context(
                    values: values.map { $0.stringValue ?? $0.serialized() }, isEssential: wish["essential"]?.boolValue == true)
            default: break
            }
        }
        return claims.names
    }
}
