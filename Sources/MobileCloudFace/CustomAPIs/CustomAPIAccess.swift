import Cloud
import Exchange
import Policy
import WireFormats

/// Who may call an endpoint of a custom API: what the *Security* page of the API designer says, as a policy on the API, so that the one
/// evaluator decides and the journal tells why. An endpoint's own roles stand in place of the API's.
/// (Using Oracle Mobile Cloud Service, "Security in Custom APIs".)
struct CustomAPIAccess {
    let api: CustomAPI
    let endpoint: CustomAPI.Endpoint
    let caller: MobileCaller

    private static let action = "mobile:CallCustomAPI"

    /// - Throws: ``MobileError``
    func admit(on exchange: Exchange) throws(MobileError) {
        guard let document = try? PolicyDocument(json: ["Statement": [statement]], kind: .resource) else {
            throw MobileError(.internalError, "The access to \(api.key) is no policy.")
        }
        var keys = ConditionKeys()
        keys.set("mobile:Login", to: login)
        keys.set("mobile:Role", to: caller.roles.sorted())
        // Callers are no principals of AWS: what counts of them stands in the keys.
        let question = RequestContext(
            action: Self.action, resource: "\(api.key) \(endpoint.method) \(endpoint.path)", principal: .anonymous, resourceAccount: "",
            keys: keys)
        let verdict = CustomAPIVerdict(
            caller: caller.name ?? "anonymous", question: question, rule: AttachedPolicy("access to \(api.key)", document))
        let isAllowed = verdict.policies.decision(for: question).isAllowed
        exchange.note(JournalDecision(action: question.action, resource: question.resource, allowed: isAllowed, evidence: verdict))
        if !isAllowed { throw refusal }
    }

    /// The roles of which a caller needs one; none asks for a login only.
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

    private var login: String? {
        switch caller.identity {
        case .anonymous: nil
        case .user, .virtual: "Enterprise"
        case .social: "Social Identity"
        }
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

/// What was decided about the call of a custom API, from what.
private final class CustomAPIVerdict: DecisionEvidence {
    let caller: String
    let question: RequestContext
    let policies: PolicySet

    init(caller: String, question: RequestContext, rule: AttachedPolicy) {
        self.caller = caller
        self.question = question
        policies = PolicySet(resource: rule)
    }

    var trace: DecisionTrace {
        var trace = policies.trace(for: question)
        trace.request.principal = caller
        return trace
    }

    var message: JSONValue {
        [
            "allowed": .bool(policies.decision(for: question).isAllowed), "action": .string(question.action),
            "resource": .string(question.resource), "context": ["principal": .string(caller)],
        ]
    }
}
