import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The sandboxes and snapshots of the process.
    static let sandboxes: [ControlCall] = [
        ControlCall(
            method: .get, template: "/sandboxes", operation: .sandboxes, summary: "Lists the sandboxes of the process.",
            query: ["progress": Schemas.choice(["true", "false"])],
            answers: [200: .document(SandboxListMembers.self)], refusals: [501]),
        ControlCall(
            method: .post, template: "/sandboxes", operation: .sandboxes, summary: "Creates a sandbox.", body: .json(order(origin)),
            answers: [201: .document(CreatedSandboxMembers.self)], refusals: [404, 409, 429, 501, 503]),
        ControlCall(
            method: .get, template: "/sandboxes/{name}", operation: .sandboxes, summary: "Returns a sandbox.",
            answers: [200: .document(SandboxMembers.self)], refusals: [404, 501]),
        ControlCall(
            method: .put, template: "/sandboxes/{name}", operation: .sandboxes, summary: "Creates a sandbox, or replaces it.",
            body: .json(order(origin)), answers: [200: .document(CreatedSandboxMembers.self), 201: .document(CreatedSandboxMembers.self)],
            refusals: [404, 409, 429, 501, 503]),
        ControlCall(
            method: .delete, template: "/sandboxes/{name}", operation: .sandboxes, summary: "Removes a sandbox.",
            refusals: [404, 409, 501]),
        ControlCall(
            method: .post, template: "/sandboxes/{name}/fork", operation: .sandboxes,
            summary: "Creates a sandbox from the present state of another one.", body: .json(order([:])),
            answers: [201: .document(CreatedSandboxMembers.self)],
            refusals: [404, 409, 429, 501, 503]),
        ControlCall(
            method: .post, template: "/sandboxes/{name}/snapshots", operation: .sandboxes, summary: "Takes a snapshot of a sandbox.",
            body: .json(Schemas.object(["name": Schemas.text, "replace": Schemas.flag], required: ["name"])),
            answers: [201: .document(SnapshotMembers.self)], refusals: [404, 409, 501, 503]),
        ControlCall(
            method: .post, template: "/sandboxes/{name}/restore", operation: .sandboxes,
            summary: "Puts the state of a snapshot in place of a sandbox's state.",
            body: .json(Schemas.object(["snapshot": Schemas.text, "with": with], required: ["snapshot"])),
            answers: [200: .json(Schemas.object(["restored": Schemas.text, "tookMilliseconds": ["type": "number"]]))],
            refusals: [404, 501, 503]),
        ControlCall(
            method: .post, template: "/sandboxes/{name}/reset", operation: .sandboxes,
            summary: "Empties a sandbox and applies its seeds again.", refusals: [404, 501, 503]),
        ControlCall(
            method: .get, template: "/sandboxes/{name}/seed", operation: .sandboxes, summary: "Returns a sandbox as a seed.",
            answers: [200: .json(SeedDocument.seed.schema)], refusals: [404, 501, 503]),
        ControlCall(
            method: .get, template: "/snapshots", operation: .snapshots, summary: "Lists the snapshots of the process.",
            answers: [200: .document(SnapshotListMembers.self)], refusals: [501]),
        ControlCall(
            method: .get, template: "/snapshots/{name}", operation: .snapshots, summary: "Returns a snapshot.",
            answers: [200: .document(SnapshotMembers.self)], refusals: [404, 501]),
        ControlCall(
            method: .delete, template: "/snapshots/{name}", operation: .snapshots, summary: "Removes a snapshot.", refusals: [404, 501]),
        ControlCall(
            method: .get, template: "/snapshots/{name}/file", operation: .snapshots, summary: "Exports a snapshot as a file.",
            answers: [200: .other(["application/vnd.sqlite3"])], refusals: [404, 501, 503]),
        ControlCall(
            method: .put, template: "/snapshots/{name}/file", operation: .snapshots, summary: "Imports a snapshot from an exported file.",
            body: .other(["application/vnd.sqlite3", "application/octet-stream"]), answers: [201: .document(SnapshotMembers.self)],
            refusals: [409, 501]),
    ]

    private static let with = Schemas.list(Schemas.choice(["faults"]))

    private static let origin: JSONObject = [
        "from": ["oneOf": [Schemas.text, Schemas.object(["seed": ["oneOf": [Schemas.text, Schemas.anyObject]]])]]
    ]

    private static func order(_ further: JSONObject) -> JSONValue {
        var members: JSONObject = [
            "name": Schemas.text, "prefix": Schemas.text, "port": Schemas.flag, "expires": Schemas.duration,
            "root": Schemas.choice(["random"]), "with": with,
        ]
        for (name, schema) in further.members { members[name] = schema }
        return Schemas.object(members, required: [])
    }
}
