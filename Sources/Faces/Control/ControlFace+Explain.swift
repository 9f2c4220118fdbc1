import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    /// `POST /_virga/explain`: explains who may do what, and why.
    ///
    /// `{"as":…, "action":"s3:GetObject", "resource":"arn:…", "context":{"aws:SourceIp":"10.0.0.1"}}` evaluates a request now; `as` is an
    /// ARN, an access key or `anonymous`. The ARN of a session means its newest live session, with its claims, tags and session policies.
    /// `session` instead of `as` accepts a live session only. `policies`, `resourcePolicy` and `trustPolicy` take the place of the stored
    /// policies. `{"request_id":…}` explains a request that is still in the journal. `AssumeRoleWithWebIdentity` and `AssumeRoleWithSAML`
    /// are asked about an identity provider or a token, see ``explain(federated:_:)``, and `AssumeRole` also about a service of AWS.
    func explain(_ call: Call, _ body: JSONObject) async throws -> Response {
        if let id = try body.text("request_id") {
            try body.expect(only: ["request_id"])
            return try explain(request: id, call)
        }
        if let answer = try await explain(federated: body, call) { return answer }
        if let answer = try explain(service: body, call) { return answer }
        try body.expect(only: Self.questionMembers)
        let sessionName = try body.text("session")
        guard let name = try sessionName ?? body.text("as"), let action = try body.text("action"), let resource = try body.text("resource")
        else {
            throw ControlError(
                .badRequest, "missing_member",
                "Send {\"as\":\"arn:…\",\"action\":\"s3:GetObject\",\"resource\":\"arn:…\"}, or {\"request_id\":\"…\"}.")
        }
        guard sessionName == nil || body["as"] == nil else { throw Self.malformedMember("'as' and 'session' cannot be combined.") }
        let directory = call.cloud.directory
        let live = liveCaller(name)
        guard sessionName == nil || live != nil else {
            throw ControlError(.notFound, "unknown_session", "There is no live session '\(name)'. Pass its ARN or its access key.")
        }
        let policies = try AssumedPolicies(body, action: action)
        guard let caller = live ?? directory.caller(named: name, now: call.received) else {
            throw ControlError.unknownCaller(name, in: directory)
        }
        let assumption = AccessAssumption(caller: caller, keys: try body.conditionKeys("context"))
        var json: JSONObject
        if let ruling = ruling(action, caller) {
            json = ruling.json(caller, action, resource)
            if body["documents"] != nil { json["policies"] = [] }
        } else {
            let verdict = policies.apply(to: try decide(action, on: resource, assumption, policies, call))
            json = verdict.json
            try verdict.add(documentsTo: &json, body)
        }
        if !policies.isEmpty { json["assumed"] = true }
        let session = live?.session?.credentials
        json["session"] = session?.description(of: caller, by: call.cloud.clock) ?? .null
        // If no session with this name exists, the directory has created a caller for it.
        if let line = session?.line(by: call.cloud.clock) ?? (caller.arn == name && caller.session != nil ? Self.unknownSession : nil) {
            let lines = json["explanation"]?.arrayValue ?? []
            json["explanation"] = .array(lines.prefix(1) + [.string(line)] + lines.dropFirst())
        }
        return .json(.object(json))
    }

    /// Evaluates an action of any service.
    private func decide(
        _ action: String, on resource: String, _ assumption: AccessAssumption, _ policies: AssumedPolicies, _ call: Call
    ) throws(ControlError) -> Authorizer.Verdict {
        switch action.prefix(while: { $0 != ":" }).lowercased() {
        case "s3":
            let spelled = actionsOfS3.first { $0.lowercased() == action.lowercased() } ?? action
            guard let decided = decideS3(call, spelled, resource, assumption) else {
                throw ControlError.unknownAction(action, among: actionsOfS3)
            }
            guard resource == "*" || resource.hasPrefix("arn:aws:s3:::") else { throw ControlError.malformedResourceOfS3(resource) }
            return decided
        case "oss":
            guard let decided = decideOSS(call, action, resource, assumption) else {
                throw ControlError(
                    .badRequest, "unknown_resource", "A resource of OSS is acs:oss:<region>:<account>:<bucket>[/<key>], or *.")
            }
            return decided
        case "sts":
            let name = action.lowercased()
            guard !["sts:assumerolewithwebidentity", "sts:assumerolewithsaml"].contains(name) else {
                throw ControlError.actionWithToken(action)
            }
            guard name != "sts:assumerole" || resource == "*" || policies.hasTrust || call.cloud.directory.role(arn: resource) != nil else {
                throw ControlError.unknownRole(resource)
            }
            return call.decide(action, on: resource, assumption)
        case "iam", "ram": return call.decide(action, on: resource, assumption)
        default:
            throw ControlError(
                .badRequest, "unknown_action",
                "'\(action)' is not an action of s3, iam, sts, oss or ram. Write it as service:Action, such as s3:GetObject.")
        }
    }

    private static let questionMembers = [
        "as", "session", "action", "resource", "context", "policies", "resourcePolicy", "trustPolicy", "request_id", "documents",
    ]

    private static let unknownSession =
        "no live session with this name is known: its claims, tags and session policies are assumed to be empty"

    private func explain(request id: String, _ call: Call) throws -> Response {
        guard let entry = call.cloud.journal.recent(limit: 1, where: { RequestID.isSame(id, as: $0.requestID) }).first else {
            throw ControlError(.notFound, "unknown_request", "The journal has no exchange '\(id)' (any more).")
        }
        return .json([
            "request_id": .string(entry.requestID), "time": .string(entry.time.iso8601Milliseconds), "face": .string(entry.face),
            "operation": entry.operation.map(JSONValue.string) ?? .null, "caller": entry.caller.map(JSONValue.string) ?? .null,
            "status": .integer(Int64(entry.status)), "error": entry.errorCode.map(JSONValue.string) ?? .null,
            "reason": entry.reason.map(JSONValue.string) ?? .null,
            "decisions": .array(entry.decisions.map { .object($0.evidence.json) }),
        ])
    }
}

extension Call {
    /// Evaluates an action on a resource of STS, IAM or RAM. For an STS action on a role, it includes the role's trust policy.
    func decide(_ action: String, on resource: String, _ assumption: AccessAssumption) -> Authorizer.Verdict {
        let account = assumption.caller.account ?? Vendor.anonymous
        var trust: AttachedPolicy?
        var owner = account
        if action.lowercased().hasPrefix("sts:"), let role = cloud.directory.role(arn: resource)?.role {
            trust = AttachedPolicy("trust policy of \(role.name)", role.trustPolicy.document)
            owner = role.account
        }
        let tags = cloud.directory.tags(of: resource)
        return authorize(
            assumption.caller, action, on: resource, ownedBy: owner, resourcePolicy: trust, operationKeys: { tags.resourceTag($0) },
            assumed: assumption.keys)
    }
}

extension Directory {
    /// Returns the tags of a resource of IAM or RAM, for conditions on the resource. (IAM User Guide, "Tags for IAM resources".)
    fileprivate func tags(of arn: String) -> [Tag] {
        let found: [[Tag]?] = [
            role(arn: arn)?.role.tags, user(arn: arn)?.user.tags, policy(arn: arn)?.tags, trusts[arn]?.tags, samlTrusts[arn]?.tags,
            devices[arn]?.tags, instanceProfiles.values.first { $0.arn == arn }?.tags,
            accounts.values.lazy.flatMap(\.serverCertificates).first { $0.arn == arn }?.tags,
        ]
        return found.compactMap(\.self).first ?? []
    }
}

extension JSONObject {
    /// The most condition keys of a question.
    private static let mostConditionKeys = 1_000

    /// Returns condition keys. Each value is a string, a number, a Boolean or a list of strings.
    func conditionKeys(_ name: String) throws(ControlError) -> [String: ConditionValues] {
        guard let value = self[name] else { return [:] }
        let malformed = ControlError(
            .badRequest, "malformed_member", "'\(name)' must be an object of condition keys, each with a string or a list of strings.")
        guard let members = value.objectValue?.members else { throw malformed }
        // A policy that names them all is compared with each of them.
        guard members.count <= Self.mostConditionKeys else {
            throw ControlError(
                .badRequest, "malformed_member",
                "'\(name)' may have at most \(Self.mostConditionKeys) condition keys, not \(members.count).")
        }
        var keys: [String: ConditionValues] = [:]
        for (key, value) in members {
            switch value {
            case .string(let text): keys[key] = .one(text)
            case .integer, .number, .bool: keys[key] = .one(value.serialized())
            case .array(let values):
                let texts = values.compactMap(\.stringValue)
                guard texts.count == values.count else { throw malformed }
                keys[key] = .many(texts)
            case .null, .object: throw malformed
            }
        }
        return keys
    }
}

extension Authorizer.Verdict {
    /// The trace, and the denial as AWS words it.
    var json: JSONObject {
        var json = (self as any DecisionEvidence).json
        json["message"] = decision.message(for: context).map(JSONValue.string)
        return json
    }
}

extension CallRuling {
    /// The decision in the form of a trace. No policy has a part in it.
    fileprivate func json(_ caller: Caller, _ action: String, _ resource: String) -> JSONObject {
        let refusal: ServiceCheck.Refusal? = if case .refused(let refusal) = self { refusal } else { nil }
        let conclusion = refusal.map { "denied: whatever policies say, the service returns \($0.code): \($0.message)" }
        return [
            "decision": refusal == nil ? "allowed" : "implicitDeny", "principal": .string(caller.principal.name),
            "action": .string(action), "resource": .string(resource), "reason": refusal.map { .string($0.message) } ?? .null,
            "statements": [],
            "explanation": [
                .string("\(caller.principal.name) asks for \(action) on \(resource)"),
                .string(conclusion ?? "allowed: policies do not apply to this action"),
            ],
            "message": refusal.map { .string($0.message) } ?? .null,
        ]
    }
}

extension DecisionEvidence {
    /// The trace and, for a denial, the smallest change that would allow the request.
    var json: JSONObject {
        var json = trace.json
        guard let remedy else {
            let lines = unresolvedVariables.map { key in
                "policy variable ${\(key)} has no value in this request; explain it with --context \(key)=VALUE"
            }
            if !lines.isEmpty { json["explanation"] = .array((trace.explanation + lines).map(JSONValue.string)) }
            return json
        }
        json["remedy"] = .array(remedy.steps.map(\.json))
        json["explanation"] = .array((trace.explanation + remedy.explanation).map(JSONValue.string))
        return json
    }
}

extension Remedy.Step {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["policy_type": .string(type.rawValue), "policy": .string(policy)]
        switch change {
        case .add(let statement): members["add"] = statement
        case .remove(let index, let sid):
            members["remove"] = ["statement": .integer(Int64(index + 1)), "sid": sid.map(JSONValue.string) ?? .null]
        }
        return .object(members)
    }
}

extension DecisionTrace {
    /// The decision, the request, and every statement with the reason why it does not apply.
    fileprivate var json: JSONObject {
        let outcome =
            switch decision.outcome {
            case .allowed: "allowed"
            case .explicitDeny: "explicitDeny"
            case .implicitDeny: "implicitDeny"
            }
        return [
            "decision": .string(outcome), "principal": .string(request.principal), "action": .string(request.action),
            "resource": .string(request.resource), "reason": decision.reason(action: request.action).map(JSONValue.string) ?? .null,
            "statements": .array(entries.map(\.json)), "stages": .array(stages.map(\.json)),
            "explanation": .array(explanation.map(JSONValue.string)),
        ]
    }
}

extension DecisionTrace.Entry {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "policy_type": .string(type.rawValue), "policy": .string(policy), "statement": .integer(Int64(index + 1)),
            "sid": sid.map(JSONValue.string) ?? .null, "effect": .string(isDeny ? "Deny" : "Allow"), "applies": .bool(mismatch == nil),
        ]
        if let mismatch {
            members["mismatch"] = [
                "element": .string(mismatch.element), "policy": .array(mismatch.wanted.map(JSONValue.string)),
                "request": mismatch.found.map { .array($0.map(JSONValue.string)) } ?? .null,
            ]
        }
        return .object(members)
    }
}
