import Calls
import Federation
import WireFormats

/// The `claims` parameter: which claims the application wants, by where they are delivered (OpenID Connect Core 1.0 section 5.5).
struct ClaimsParameter {
    var names = RequestedClaims()
    /// Whom the application needs, where it asks for `sub` with a value.
    var subject: String?
    /// What the application says of `acr`.
    var context: Context?

    struct Context {
        /// May be empty: any will do.
        var values: [String]
        var isEssential: Bool
    }

    init() {}

    /// - Throws: `AuthorizationFault` for a text that is no such request.
    init(_ text: String) throws(AuthorizationFault) {
        guard let json = try? JSONValue(parsing: text), let members = json.objectValue else {
            throw AuthorizationFault(.invalidRequest, "The claims parameter must be a JSON object.")
        }
        // Members other than these two are ignored, as section 5.5 asks.
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
                    throw AuthorizationFault(.invalidRequest, "The claims parameter means different persons.")
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
