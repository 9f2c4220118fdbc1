import Calls
import Cloud
import ControlDocuments
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
        let decided: Document<DecisionMembers>
        var documents: [Document<PolicyMembers>]?
        if let ruling = ruling(action, caller) {
            decided = ruling.document(caller, action, resource)
            if body["documents"] != nil { documents = [] }
        } else {
            let verdict = policies.apply(to: try decide(action, on: resource, assumption, policies, call))
            decided = verdict.document
            documents = try verdict.documents(body)
        }
        let session = live?.session?.credentials
        var lines = decided.explanation
        // If no session with this name exists, the directory has created a caller for it.
        if let line = session?.line(by: call.cloud.clock) ?? (caller.arn == name && caller.session != nil ? Self.unknownSession : nil) {
            lines.insert(line, at: min(1, lines.count))
        }
        return .json(
            Document<DecisionMembers> {
                [
                    decided.object, $0.policies(documents), $0.assumed(policies.isEmpty ? nil : true),
                    $0.session(session?.description(of: caller, by: call.cloud.clock)), $0.explanation(lines),
                ]
            }.json)
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
        case let service where isForwarded(service): return call.decide(action, on: resource, assumption)
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
        return .json(
            Document<ExplanationMembers> {
                [
                    $0.requestID(entry.requestID), $0.time(entry.time.iso8601Milliseconds), $0.face(entry.face),
                    $0.operation(entry.operation), $0.caller(entry.caller), $0.status(entry.status), $0.error(entry.errorCode),
                    $0.reason(entry.reason), $0.decisions(entry.decisions.map { $0.evidence.document }),
                ]
            }.json)
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
    var document: Document<DecisionMembers> {
        let evidence: any DecisionEvidence = self
        return Document { [evidence.document.object, $0.message(decision.message(for: context))] }
    }
}

extension CallRuling {
    /// The decision in the form of a trace. No policy has a part in it.
    fileprivate func document(_ caller: Caller, _ action: String, _ resource: String) -> Document<DecisionMembers> {
        let refusal: ServiceCheck.Refusal? = if case .refused(let refusal) = self { refusal } else { nil }
        let conclusion = refusal.map { "denied: whatever policies say, the service returns \($0.code): \($0.message)" }
        return Document {
            [
                $0.decision(refusal == nil ? "allowed" : "implicitDeny"), $0.principal(caller.principal.name), $0.action(action),
                $0.resource(resource), $0.reason(refusal?.message), $0.statements([]),
                $0.explanation([
                    "\(caller.principal.name) asks for \(action) on \(resource)",
                    conclusion ?? "allowed: policies do not apply to this action",
                ]),
                ["message": refusal.map { .string($0.message) } ?? .null],
            ]
        }
    }
}

extension DecisionEvidence {
    /// The trace and, for a denial, the smallest change that would allow the request.
    var document: Document<DecisionMembers> {
        let (trace, remedy) = (trace, remedy)
        var lines = trace.explanation
        if let remedy {
            lines += remedy.explanation
        } else {
            lines += unresolvedVariables.map { key in
                "policy variable ${\(key)} has no value in this request; explain it with --context \(key)=VALUE"
            }
        }
        let outcome =
            switch trace.decision.outcome {
            case .allowed: "allowed"
            case .explicitDeny: "explicitDeny"
            case .implicitDeny: "implicitDeny"
            }
        return Document {
            [
                $0.decision(outcome), $0.principal(trace.request.principal), $0.action(trace.request.action),
                $0.resource(trace.request.resource), $0.reason(trace.decision.reason(action: trace.request.action)),
                $0.statements(trace.entries.map(\.document)), $0.stages(trace.stages.map(\.document)), $0.explanation(lines),
                $0.remedy(remedy?.steps.map(\.document)),
            ]
        }
    }
}

extension Remedy.Step {
    fileprivate var document: Document<RemedyMembers> {
        Document {
            let place = [$0.policyType(type.rawValue), $0.policy(policy)]
            switch change {
            case .add(let statement): return place + [$0.add(statement)]
            case .remove(let index, let sid): return place + [$0.remove(Document { [$0.statement(index + 1), $0.sid(sid)] })]
            }
        }
    }
}

extension DecisionTrace.Entry {
    /// The statement, with the reason why it does not apply.
    fileprivate var document: Document<StatementMembers> {
        let mismatch = mismatch.map { mismatch in
            Document<MismatchMembers> { [$0.element(mismatch.element), $0.policy(mismatch.wanted), $0.request(mismatch.found)] }
        }
        return Document {
            [
                $0.policyType(type.rawValue), $0.policy(policy), $0.statement(index + 1), $0.sid(sid),
                $0.effect(isDeny ? "Deny" : "Allow"), $0.applies(mismatch == nil), $0.mismatch(mismatch),
            ]
        }
    }
}
