import Calls
import ControlDocuments
import WireFormats

/// The class link in large letters and as a QR code, to project.
struct ClassLinkPage {
    static let path = "\(SandboxesRoom.classPath)/link"

    let room: SandboxesRoom
    let info: CloudInfo

    func response() async throws -> Response {
        let answer = await room.visit.client.get("/class")
        if let refusal = answer.refusal { throw refusal }
        let code = answer.document(ClassMembers.self).settings?.code
        let content: HTML = """
            <p><a href="\(SandboxesRoom.classPath)">Class</a></p>
            <h1>Class link</h1>
            \(code.map { code in shown(ClassPage.link(code, room.visit)) } ?? closed)
            """
        var page = ConsolePage(title: "Class link", section: .sandboxes, content: content)
        page.isWide = true
        return page.response(for: room.visit, info: info)
    }

    private func shown(_ link: String) -> HTML {
        let code = QRCode(link)
        let picture: HTML =
            code.map { $0.html(label: "QR code of the class link") }
            ?? "<p class=\"soft\">The link is too long for a QR code of this page.</p>\n"
        return """
            <p class="projected"><a href="\(link)">\(Parts.name(link))</a></p>
            \(picture)\(ClassPage(room: room, info: info, sandboxes: []).localHint)
            """
    }

    private var closed: HTML { "<p class=\"empty\">There is no class link now. Open one on the page Class.</p>\n" }
}
