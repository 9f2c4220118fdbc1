import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The class of the process: students with a sandbox each.
    static let classroom: [ControlCall] = [
        ControlCall(
            method: .get, template: "/class", operation: .classroom,
            summary: "Returns the class: its settings, the codes of its links, and the progress of each student.",
            answers: [200: .document(ClassMembers.self)],
            refusals: [501]),
        ControlCall(
            method: .put, template: "/class", operation: .classroom, summary: "Begins the class, or changes its settings.",
            body: .json(
                Schemas.object(
                    [
                        "from": Schemas.text, "limit": Schemas.number, "root": Schemas.choice(["random", "seed"]),
                        "expires": Schemas.duration,
                    ],
                    required: [])),
            answers: [200: .document(ClassSettingsMembers.self)], refusals: [404, 501]),
        ControlCall(
            method: .delete, template: "/class", operation: .classroom,
            summary: "Ends the class: no link is valid any more, and students are signed out.",
            query: ["sandboxes": Schemas.choice(["true", "false"])],
            answers: [200: .document(ClassChangeMembers.self)], refusals: [404, 501]),
        ControlCall(
            method: .post, template: "/class/code", operation: .classroom, summary: "Replaces the link of the class.",
            answers: [200: .json(Schemas.object(["code": Schemas.text]))], refusals: [404, 501]),
        ControlCall(
            method: .delete, template: "/class/code", operation: .classroom, summary: "Closes the link of the class.", refusals: [404, 501]),
        ControlCall(
            method: .post, template: "/class/students", operation: .classroom, summary: "Adds students, each with a sandbox and a link.",
            body: .json(Schemas.object(["names": Schemas.list(Schemas.text)])),
            answers: [201: .json(Schemas.object(["students": [Document<StudentMembers>].schema]))], refusals: [404, 409, 429, 501]),
        ControlCall(
            method: .delete, template: "/class/students/{sandbox}", operation: .classroom,
            summary: "Removes a student: the link is revoked, and the student is signed out. The sandbox remains.", refusals: [404, 501]),
        ControlCall(
            method: .post, template: "/class/students/{sandbox}/code", operation: .classroom,
            summary: "Replaces a student's link, and signs the student out.",
            answers: [200: .document(StudentMembers.self)], refusals: [404, 501]),
        ControlCall(
            method: .delete, template: "/class/students/{sandbox}/code", operation: .classroom,
            summary: "Revokes a student's link, and signs the student out.", refusals: [404, 501]),
        ControlCall(
            method: .get, template: "/class/join", operation: .classroom, summary: "Returns whose link has a code.",
            query: ["code": Schemas.text],
            answers: [200: .document(LinkOwnerMembers.self)],
            refusals: [404, 501]),
        ControlCall(
            method: .post, template: "/class/join", operation: .classroom,
            summary: "Signs a browser in with a code. The web console calls it.",
            body: .json(
                Schemas.object(["code": Schemas.text, "name": Schemas.text, "session": Schemas.text], required: [])),
            answers: [200: .document(JoinedMembers.self)], refusals: [404, 409, 429, 501]),
        ControlCall(
            method: .post, template: "/class/reset", operation: .classroom,
            summary: "Resets the sandboxes of all students, or restores them from a snapshot.",
            body: .json(Schemas.object(["snapshot": Schemas.text], required: [])), answers: [200: .document(ClassChangeMembers.self)],
            refusals: [404, 501]),
    ]
}
