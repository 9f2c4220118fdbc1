import Calls
import Cloud
import Directory
import WireFormats

/// The access check of a custom API's endpoint. The settings of the *Security* page of the API designer become a policy, so that the usual
/// evaluator decides and the journal explains the decision. An endpoint's own roles replace those of the API.
/// (Using Oracle Mobile Cloud Service, "Security in Custom APIs".)
struct CustomAPIAccess {
    let api: CustomAPI
    let endpoint: CustomAPI.Endpoint
    let caller: MobileCaller

    private static let action = "mobile:CallCustomAPI"

    /// - Throws: ``MobileError``
    func admit(on call: Call) throws(MobileError) {
        let verdict = try MobileVerdict(
            caller, asksFor: Self.action, on: "\(api.key) \(endpoint.method) \(endpoint.path)", policy: "access to \(api.key)",
            statements: [statement])
        verdict.note(on: call)
        guard verdict.isAllowed else {
            var refusal = refusal
            refusal.detail += " \(verdict.explanation)"
            throw refusal
        }
    }

    /// The roles of which a caller needs one; if it is empty, any logged-in caller is allowed.
    private var roles: [String] {
        guard case .enterprise(let roles) = api.access else { return [] }
        return endpoint.roles.isEmpty ? roles : endpoint.roles
    }

    private var statement: JSONValue {
        let sid: String
        var condition: JSONObject = [:]
        switch api.access {
        case .open: sid = "Login not required"
        case .enterprise:
            sid = "Login required, Enterprise"
            condition["StringEquals"] = ["mobile:Login": "Enterprise"]
            if !roles.isEmpty { condition["ForAnyValue:StringEquals"] = ["mobile:Role": .array(roles.map(JSONValue.string))] }
        case .social:
            sid = "Login required, Social Identity"
            condition["StringEquals"] = ["mobile:Login": "Social Identity"]
        }
        return [
            "Sid": .string(sid), "Effect": "Allow", "Principal": "*", "Action": .string(Self.action), "Resource": "*",
            "Condition": .object(condition),
        ]
    }

    private var refusal: MobileError {
        switch (caller.identity, api.access) {
        case (.anonymous, _): MobileError(.notAuthenticated, "The custom API \(api.key) requires a login.")
        case (.social, _): MobileError(.forbidden, "The custom API \(api.key) is not for users of social identity providers.")
        case (_, .social): MobileError(.forbidden, "The custom API \(api.key) is for users of social identity providers only.")
        default:
            MobileError(
                .roleRequired,
                "\(endpoint.method) \(endpoint.path) of \(api.key) requires one of the roles \(roles.joined(separator: ", ")).")
        }
    }
}
