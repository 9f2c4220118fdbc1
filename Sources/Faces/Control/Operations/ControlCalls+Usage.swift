import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about the recorded requests.
    static let usage: [ControlCall] = [
        ControlCall(
            method: .get, template: "/usage", operation: .usage, summary: "Lists the distinct requests that policies decided.",
            query: ["caller": Schemas.text, "limit": ["type": "integer", "minimum": 1, "maximum": 10_000]],
            answers: [
                200: .json(
                    Schemas.object([
                        "enabled": Schemas.flag, "complete": Schemas.flag, "bytes": Schemas.number, "capacity": Schemas.number,
                        "total": Schemas.number, "questions": Schemas.list(question),
                    ]))
            ]),
        ControlCall(
            method: .put, template: "/usage", operation: .usage, summary: "Turns the recording of decided requests on or off.",
            body: .json(Schemas.object(["enabled": Schemas.flag]))),
        ControlCall(method: .delete, template: "/usage", operation: .usage, summary: "Forgets the recorded requests."),
        ControlCall(
            method: .get, template: "/usage/policy", operation: .leastPolicy,
            summary: "Returns the least policy for what a role or user was allowed to do.",
            query: ["principal": ["type": "string", "minLength": 1]],
            answers: [
                200: .json(
                    Schemas.object([
                        "principal": Schemas.text, "complete": Schemas.flag, "policy": ["type": ["object", "null"]],
                        "notes": Schemas.list(Schemas.text),
                        "proof": Schemas.object([
                            "requests": Schemas.number, "allowed": Schemas.number, "denied": Schemas.number,
                            "failures": Schemas.list(Schemas.text),
                        ]),
                    ]))
            ], refusals: [404]),
        ControlCall(
            method: .get, template: "/usage/coverage", operation: .coverage,
            summary: "Returns which statements of policies decided recorded requests.",
            answers: [
                200: .json(
                    Schemas.object([
                        "complete": Schemas.flag, "requests": Schemas.number,
                        "statements": Schemas.object(["decided": Schemas.number, "applied": Schemas.number, "never": Schemas.number]),
                        "policies": Schemas.list(coveredPolicy),
                    ]))
            ]),
        ControlCall(
            method: .post, template: "/usage/cloudtrail", operation: .cloudTrail,
            summary: "Decides events of CloudTrail, and records them.",
            body: .json(Schemas.object(["Records": ["type": "array", "maxItems": 1000, "items": event]])),
            answers: [
                200: .json(
                    Schemas.object(["events": Schemas.list(decidedEvent), "decided": Schemas.number, "skipped": Schemas.number]))
            ]),
    ]

    private static let event: JSONValue = [
        "type": "object", "required": ["eventSource", "eventName"],
        "properties": ["eventSource": Schemas.text, "eventName": Schemas.text],
    ]

    private static let decidedEvent = Schemas.object([
        "event_id": Schemas.text, "time": Schemas.optionalText, "service": Schemas.text, "event": Schemas.text,
        "caller": Schemas.optionalText, "error": Schemas.optionalText,
        "decisions": Schemas.list(Schemas.object(["action": Schemas.text, "resource": Schemas.text, "allowed": Schemas.flag])),
        "agrees": ["type": ["boolean", "null"]], "reason": Schemas.optionalText,
    ])

    private static let question = Schemas.object([
        "caller": Schemas.text, "operation": Schemas.text, "action": Schemas.text, "resource": Schemas.text, "allowed": Schemas.flag,
        "served": Schemas.flag, "count": Schemas.number,
        "context": ["type": "object", "additionalProperties": Schemas.list(Schemas.text)],
        "policies": Schemas.list(Schemas.object(["policy_type": Schemas.text, "policy": Schemas.text])),
    ])

    private static let coveredPolicy = Schemas.object([
        "policy_type": Schemas.text, "policy": Schemas.text, "holder": Schemas.text, "file": Schemas.text, "document": Schemas.anyObject,
        "statements": Schemas.list(
            Schemas.object([
                "statement": Schemas.number, "sid": Schemas.optionalText, "effect": Schemas.choice(["Allow", "Deny"]),
                "line": Schemas.number, "use": Schemas.choice(["decided", "applied", "never"]), "applied": Schemas.number,
                "decided": Schemas.number,
            ])),
    ])
}
