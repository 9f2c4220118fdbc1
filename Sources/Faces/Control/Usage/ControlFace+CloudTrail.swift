import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    /// The most events in one call.
    private static let mostEvents = 1000

    /// `POST /_virga/usage/cloudtrail`: decides events of CloudTrail by the policies of this sandbox, and records them as usage.
    ///
    /// The body is a file of CloudTrail: `{"Records":[…]}`.
    func importCloudTrail(_ call: Call, _ body: JSONObject) throws -> Response {
        try body.expect(only: ["Records"])
        guard let records = body["Records"]?.arrayValue, records.count <= Self.mostEvents else {
            throw ControlError(.badRequest, "malformed_member", "'Records' must be an array of at most \(Self.mostEvents) events.")
        }
        let events = try records.map { record throws(ControlError) in
            guard let event = CloudTrailEvent(record) else {
                throw ControlError(.badRequest, "malformed_member", "Each record must have 'eventSource' and 'eventName'.")
            }
            return event
        }
        var claims: [String: [String: String]] = [:]
        var answers: [Document<DecidedEventMembers>] = []
        for event in events {
            if let session = event.issuedSession { claims[session.arn] = session.claims }
            answers.append(decide(event, call, claims))
        }
        let decided = answers.count { $0.agrees != nil }
        return .json(
            Document<DecidedEventsMembers> { [$0.events(answers), $0.decided(decided), $0.skipped(answers.count - decided)] }.json)
    }

    private func decide(
        _ event: CloudTrailEvent, _ call: Call, _ claims: [String: [String: String]]
    ) -> Document<DecidedEventMembers> {
        var decisions: [Document<EventDecisionMembers>] = []
        var agrees: Bool?
        let reason: String?
        switch verdicts(of: event, call, claims) {
        case .skipped(let cause): reason = cause
        case .decided(let verdicts):
            for verdict in verdicts {
                guard let request = verdict.request else { continue }
                call.cloud.usage.record(
                    request, operation: "\(event.service):\(event.name)", isServed: !event.isDenied, in: call.cloud.directory)
            }
            decisions = verdicts.map { verdict in
                Document {
                    [
                        $0.action(verdict.context.action), $0.resource(verdict.context.resource),
                        $0.allowed(verdict.decision.isAllowed),
                    ]
                }
            }
            agrees = verdicts.allSatisfy(\.decision.isAllowed) != event.isDenied
            reason = verdicts.compactMap(\.trace.reason).first
        }
        return Document {
            [
                $0.eventID(event.id), $0.time(event.time), $0.service(event.service), $0.event(event.name), $0.caller(event.caller),
                $0.error(event.errorCode), $0.decisions(decisions), $0.agrees(agrees), $0.reason(reason),
            ]
        }
    }

    private enum Outcome {
        case decided([Authorizer.Verdict])
        /// The event cannot be decided; the reason as a sentence.
        case skipped(String)
    }

    private func verdicts(of event: CloudTrailEvent, _ call: Call, _ claims: [String: [String: String]]) -> Outcome {
        guard let name = event.caller else { return .skipped("the event has no caller with an ARN") }
        let directory = call.cloud.directory
        guard let caller = directory.caller(named: name, now: call.received) else { return .skipped("there is no principal \(name) here") }
        var keys = event.conditionKeys.mapValues { ConditionValues.one($0) }
        for (key, value) in claims[name] ?? [:] { keys[key] = .one(value) }
        let assumption = AccessAssumption(caller: caller, keys: keys)
        let account = caller.account ?? Vendor.anonymous
        switch event.service {
        case "s3":
            var verdicts: [Authorizer.Verdict] = []
            for (action, resource) in event.questionsToS3 {
                guard let spelled = actionsOfS3.first(where: { $0.lowercased() == action.lowercased() }),
                    let verdict = decideS3(call, spelled, resource, assumption)
                else { return .skipped("\(action) is not an action that is served here") }
                verdicts.append(verdict)
            }
            return verdicts.isEmpty ? .skipped("the event does not say which objects it is about") : .decided(verdicts)
        case "sts" where event.name == "AssumeRole":
            guard let role = event.parameter("roleArn") else { return .skipped("the event does not name the role") }
            return .decided([call.decide("sts:AssumeRole", on: role, assumption)])
        case "sts": return .skipped("no policy of the caller decides sts:\(event.name)")
        case "iam":
            let resource =
                event.parameter("policyArn")
                ?? event.parameter("roleName").flatMap { directory.role($0, in: account)?.arn }
                ?? event.parameter("userName").flatMap { directory.user($0, in: account)?.arn }
                ?? event.parameter("groupName").flatMap { directory.group($0, in: account)?.arn }
                ?? "*"
            return .decided([call.decide("iam:\(event.name)", on: resource, assumption)])
        default: return .skipped("\(event.service) is not served here")
        }
    }
}
