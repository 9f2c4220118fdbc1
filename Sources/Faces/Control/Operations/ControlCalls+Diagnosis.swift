import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about explanations, expectations and errors on demand.
    static let diagnosis: [ControlCall] = [
        ControlCall(
            method: .post, template: "/journal/verify", operation: .verifyJournal,
            summary: "Compares the journal with expectations; answers 409 if one is not met.",
            body: .json(
                Schemas.object(
                    ["expect": Schemas.list(expectation), "never": Schemas.list(callPattern), "since": ["type": "integer", "minimum": 0]],
                    required: [])),
            answers: [200: .document(VerificationMembers.self)], refusals: [409]),
        ControlCall(
            method: .post, template: "/explain", operation: .explain, summary: "Explains who may do what, and why not.",
            body: .json([
                "oneOf": [
                    Schemas.object(["request_id": Schemas.text]),
                    question(by: "as"), question(by: "session"), question(by: "token"),
                ]
            ]),
            answers: [200: .json(Schemas.anyObject)], refusals: [404]),
        ControlCall(
            method: .get, template: "/faults", operation: .faults, summary: "Lists the errors on demand.",
            answers: [200: .document(FaultListMembers.self)]),
        ControlCall(
            method: .post, template: "/faults", operation: .faults, summary: "Adds an error on demand.", body: .json(rule),
            answers: [201: .document(FaultMembers.self)]),
        ControlCall(method: .delete, template: "/faults", operation: .faults, summary: "Removes all errors on demand."),
        ControlCall(
            method: .get, template: "/faults/catalogue", operation: .faultCatalogue,
            summary: "Lists the error codes that each service knows.", answers: [200: .document(FaultCatalogueMembers.self)]),
        ControlCall(
            method: .get, template: "/faults/{id}", operation: .faults, summary: "Returns an error on demand.",
            answers: [200: .document(FaultMembers.self)], refusals: [404]),
        ControlCall(
            method: .delete, template: "/faults/{id}", operation: .faults, summary: "Removes an error on demand.", refusals: [404]),
    ]

    /// A question about a caller.
    /// - Parameter caller: the member that names the caller.
    private static func question(by caller: String) -> JSONValue {
        let policy: JSONValue = ["type": ["object", "string", "null"]]
        return Schemas.object(
            [
                caller: Schemas.text, "action": Schemas.text, "resource": Schemas.text,
                "context": [
                    "type": "object",
                    "additionalProperties": ["anyOf": [["type": ["string", "number", "boolean"]], Schemas.list(Schemas.text)]],
                ],
                "policies": ["type": "object", "additionalProperties": policy], "resourcePolicy": policy,
                "trustPolicy": ["type": ["object", "string"]], "providerId": Schemas.text,
                "documents": Schemas.flag,
            ], required: [caller, "action", "resource"])
    }

    private static let patternMembers: JSONObject = [
        "caller": Schemas.text, "action": Schemas.text, "resource": Schemas.text,
        "status": ["oneOf": [["type": "integer", "minimum": 0, "maximum": 999], Schemas.text]],
    ]

    private static let callPattern = Schemas.object(patternMembers, required: [])

    private static let expectation: JSONValue = {
        var members = patternMembers
        let count: JSONValue = ["type": "integer", "minimum": 0]
        members["times"] = ["oneOf": [count, Schemas.object(["min": count, "max": count], required: [])]]
        return Schemas.object(members, required: [])
    }()

    private static let rule: JSONValue = {
        let members: JSONObject = [
            "name": Schemas.text, "service": Schemas.text, "action": Schemas.text, "caller": Schemas.text, "resource": Schemas.text,
            "connection": Schemas.choice(["request", "answer", "body"]),
            "error": ["oneOf": [Schemas.text, Document<FaultErrorMembers>.schema]], "latency": Schemas.duration,
            "times": ["oneOf": [["type": "integer", "minimum": 1], ["const": "always"]]],
            "probability": ["type": "number", "exclusiveMinimum": 0, "maximum": 1], "seed": Schemas.number,
        ]
        guard case .object(var schema) = Schemas.object(members, required: []) else { return Schemas.anyObject }
        schema["anyOf"] = [["required": ["error"]], ["required": ["connection"]], ["required": ["latency"]]]
        schema["not"] = ["required": ["error", "connection"]]
        schema["dependentRequired"] = ["seed": ["probability"]]
        return .object(schema)
    }()
}
