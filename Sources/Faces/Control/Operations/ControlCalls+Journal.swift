import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about recent requests, and those that send one or inspect what it contains.
    static let requests: [ControlCall] = [
        ControlCall(
            method: .get, template: "/journal", operation: .journal, summary: "Lists recent requests, newest first.",
            query: filters, answers: [200: .document(JournalMembers.self)]),
        ControlCall(method: .delete, template: "/journal", operation: .journal, summary: "Empties the journal."),
        ControlCall(
            method: .get, template: "/journal/diagram", operation: .journalDiagram,
            summary: "Returns recent requests as a sequence diagram, with at most 100 arrows.", query: filters,
            answers: [200: .other(["image/svg+xml"])]),
        ControlCall(
            method: .get, template: "/journal/capture", operation: .capture, summary: "Returns whether headers and bodies are captured.",
            answers: [200: .document(CaptureAnswerMembers.self)]),
        ControlCall(
            method: .put, template: "/journal/capture", operation: .capture, summary: "Captures headers and bodies for a while.",
            body: .json(
                Schemas.object(
                    ["body": ["type": "integer", "minimum": 0, "maximum": 1_048_576], "for": Schemas.duration], required: [])),
            answers: [200: .document(CaptureAnswerMembers.self)]),
        ControlCall(
            method: .delete, template: "/journal/capture", operation: .capture, summary: "Stops capturing headers and bodies.",
            answers: [200: .document(CaptureAnswerMembers.self)]),
        ControlCall(
            method: .get, template: "/journal/{id}", operation: .journalEntry,
            summary: "Returns a request with the evaluated statements, by its number or request ID.",
            answers: [200: .document(EntryDetailMembers.self)], refusals: [404]),
        ControlCall(
            method: .post, template: "/send", operation: .send,
            summary: "Sends a request to this sandbox, signed as a principal, and returns request and response.",
            body: .json(order), answers: [200: .document(SentMembers.self)], refusals: [404]),
        ControlCall(
            method: .post, template: "/inspect", operation: .inspect,
            summary: "Decodes a token, assertion, presigned URL or policy, and checks it against this sandbox.",
            body: .json(inspectionOrder), answers: [200: .document(InspectionMembers.self)]),
    ]

    private static let filters: KeyValuePairs<String, JSONValue> = [
        "face": Schemas.text, "operation": Schemas.text, "caller": Schemas.text, "status": Schemas.text, "error": Schemas.text,
        "fault": Schemas.text, "path": Schemas.text, "request_id": Schemas.text, "trace_id": Schemas.text, "text": Schemas.text,
        "exclude": exclusion, "after": ["type": "integer", "minimum": 0, "maximum": .integer(.max)],
        "before": ["type": "integer", "minimum": 0, "maximum": .integer(.max)], "denied": ["const": "true"],
        "faulted": ["const": "true"], "count": ["const": "true"], "limit": ["type": "integer", "minimum": 1, "maximum": 1000],
    ]

    private static let inspectionOrder = Schemas.object(
        [
            "text": ["type": "string", "minLength": 1],
            "expect": Schemas.object(
                [
                    "audience": Schemas.text, "nonce": Schemas.text, "recipient": Schemas.text, "backend": Schemas.text,
                    "accessToken": Schemas.text,
                ], required: []),
        ], required: ["text"])

    private static let exclusion: JSONValue = [
        "type": "array",
        "items": ["type": "string", "pattern": "^(face|operation|caller|status|error|fault|path|request_id|trace_id):"],
    ]

    private static let order: JSONValue = {
        let keys = Schemas.object(
            ["accessKeyId": Schemas.text, "secretAccessKey": Schemas.text, "sessionToken": Schemas.text],
            required: ["accessKeyId", "secretAccessKey"])
        let basic = Schemas.object(["username": Schemas.text, "password": Schemas.text])
        return Schemas.object(
            [
                "as": [
                    "anyOf": [Schemas.text, keys, Schemas.object(["bearer": Schemas.text]), Schemas.object(["basic": basic])]
                ],
                "service": Schemas.text, "region": Schemas.text,
                "signature": Schemas.choice(SendOrder.Signature.allCases.map(\.rawValue)), "record": Schemas.flag, "method": Schemas.text,
                "target": ["type": "string", "pattern": "^/"],
                "headers": ["anyOf": [["type": "object", "additionalProperties": Schemas.text], [Document<HeaderMembers>].schema]],
                "body": ["anyOf": [Schemas.text, Schemas.object(["base64": Schemas.text])]],
            ], required: ["target"])
    }()
}
