import Calls
import ControlDocuments
import WireFormats

/// The links of all students, to print or to hand out.
struct ClassLinksPage {
    let room: SandboxesRoom
    let info: CloudInfo

    func response() async throws -> Response {
        let answer = await room.visit.client.get("/class")
        if let refusal = answer.refusal { throw refusal }
        let students = answer.document(ClassMembers.self).students.map(\.student)
        let rows = students.map { student -> [HTML] in
            let link: HTML =
                student.code.map { "<code>\(ClassPage.link($0, room.visit))</code>" } ?? "revoked"
            return [Parts.value(student.name, limit: 40), link, student.signedIn ? "signed in" : "not signed in"]
        }
        let table = Parts.table("Links", ["Student", "Link", "State"], rows, empty: "There is no student. Add names in the class view.")
        let content: HTML = """
            <p><a href="\(SandboxesRoom.classPath)">Class</a></p>
            <h1>Links to hand out</h1>
            <p>Each link opens one sandbox, in one browser at a time. Print this page, or copy a link. If a link was seen by others, make a new one: \
            open the student in the class view.</p>
            \(table)
            \(Parts.calls("curl '\(room.visit.place.services)/_virga/class'"))

            """
        return ConsolePage(title: "Links", section: .sandboxes, content: content).response(for: room.visit, info: info)
    }
}
