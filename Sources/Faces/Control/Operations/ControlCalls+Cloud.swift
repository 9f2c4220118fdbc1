import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about the process, its contents and its clock.
    static let general: [ControlCall] = [
        ControlCall(
            method: .get, template: "/", operation: .list, summary: "Lists the calls of the control API.",
            answers: [
                200: .json(
                    Schemas.object([
                        "version": Schemas.text,
                        "calls": Schemas.list(
                            Schemas.object(["path": Schemas.text, "method": Schemas.text, "purpose": Schemas.text])),
                    ]))
            ]),
        ControlCall(
            method: .get, template: "/openapi.json", operation: .openAPI, summary: "Returns this document.",
            answers: [200: .json(Schemas.anyObject)]),
        ControlCall(
            method: .get, template: "/info", operation: .info, summary: "Describes the server and what this sandbox contains.",
            answers: [200: .document(InfoMembers.self)]),
        ControlCall(method: .get, template: "/health", operation: .health, summary: "Answers while the process runs."),
        ControlCall(
            method: .get, template: "/ready", operation: .ready,
            summary: "Returns 200 when the start is complete, and 503 before and while the process is drained.",
            answers: [200: .json(Schemas.object(["status": Schemas.choice(["ready"])]))], refusals: [503]),
        ControlCall(
            method: .get, template: "/drain", operation: .drain, summary: "Returns whether the process is being drained.",
            answers: [200: .json(draining)], refusals: [501]),
        ControlCall(
            method: .post, template: "/drain", operation: .drain,
            summary: "Drains the process: it is not ready any more, closes connections after their responses, and creates no sandboxes.",
            answers: [200: .json(draining)], refusals: [501]),
        ControlCall(
            method: .delete, template: "/drain", operation: .drain, summary: "Ends draining.", answers: [200: .json(draining)],
            refusals: [501]),
        ControlCall(
            method: .get, template: "/metrics", operation: .metrics, summary: "Returns the metrics of the process for Prometheus.",
            answers: [200: .other(["text/plain", "application/openmetrics-text"])], refusals: [501]),
        ControlCall(
            method: .get, template: "/ca.pem", operation: .authority, summary: "Returns the CA certificate to trust for TLS.",
            answers: [200: .other(["application/x-pem-file"])], refusals: [404]),
        ControlCall(
            method: .post, template: "/reset", operation: .reset, summary: "Empties the cloud and applies its seeds again."),
        ControlCall(
            method: .get, template: "/seed", operation: .seed, summary: "Exports the cloud as a seed.",
            answers: [200: .json(SeedDocument.seed.schema)]),
        ControlCall(
            method: .put, template: "/seed", operation: .seed, summary: "Empties the cloud and fills it from a seed, in JSON5.",
            body: .other(["application/json5", "application/json"]),
            answers: [
                200: .json(
                    Schemas.object(
                        ["status": Schemas.choice(["ok"]), "needsRestart": Schemas.list(Schemas.text)], required: ["status"]))
            ]),
        ControlCall(
            method: .post, template: "/compact", operation: .compact, summary: "Returns the space of deleted objects to the file system.",
            answers: [200: .json(Schemas.object(["status": Schemas.choice(["ok"]), "freed": Schemas.number]))]),
        ControlCall(
            method: .get, template: "/clock", operation: .clock, summary: "Reads the clock.",
            answers: [200: .document(ClockMembers.self)]),
        ControlCall(
            method: .post, template: "/clock", operation: .clock,
            summary: "Ages what was issued, freezes or sets the clock, or returns to the wall clock.",
            body: .json([
                "oneOf": [
                    Schemas.object(["age": Schemas.duration]),
                    Schemas.object(["freeze": ["oneOf": [["const": true], Schemas.date]]]),
                    Schemas.object(["set": Schemas.date]), Schemas.object(["resume": ["const": true]]),
                ]
            ]),
            answers: [200: .document(ChangedClockMembers.self)]),
    ]

    private static let draining = Schemas.object([
        "status": Schemas.choice(["draining", "serving"]), "connections": Schemas.number,
    ])
}
