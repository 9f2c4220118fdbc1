import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about the recorded requests.
    static let usage: [ControlCall] = [
        ControlCall(
            method: .get, template: "/usage", operation: .usage, summary: "Lists the distinct requests that policies decided.",
            query: ["caller": Schemas.text, "limit": ["type": "integer", "minimum": 1, "maximum": 10_000]],
            answers: [200: .document(UsageMembers.self)]),
        ControlCall(
            method: .put, template: "/usage", operation: .usage, summary: "Turns the recording of decided requests on or off.",
            body: .json(Schemas.object(["enabled": Schemas.flag]))),
        ControlCall(method: .delete, template: "/usage", operation: .usage, summary: "Forgets the recorded requests."),
        ControlCall(
            method: .get, template: "/usage/policy", operation: .leastPolicy,
            summary: "Returns the least policy for what a role or user was allowed to do.",
            query: ["principal": ["type": "string", "minLength": 1]],
            answers: [200: .document(LeastPolicyMembers.self)], refusals: [404]),
        ControlCall(
            method: .get, template: "/usage/coverage", operation: .coverage,
            summary: "Returns which statements of policies decided recorded requests.",
            query: ["policy": Schemas.text, "file": Schemas.text],
            answers: [200: .document(CoverageMembers.self)]),
        ControlCall(
            method: .get, template: "/usage/history", operation: .usageHistory,
            summary: "Returns how many decisions were allowed and denied over time.",
            answers: [200: .document(HistoryMembers.self)]),
        ControlCall(
            method: .post, template: "/usage/cloudtrail", operation: .cloudTrail,
            summary: "Decides events of CloudTrail, and records them.",
            body: .json(Schemas.object(["Records": ["type": "array", "maxItems": 1000, "items": event]])),
            answers: [200: .document(DecidedEventsMembers.self)]),
    ]

    private static let event: JSONValue = [
        "type": "object", "required": ["eventSource", "eventName"],
        "properties": ["eventSource": Schemas.text, "eventName": Schemas.text],
    ]
}
