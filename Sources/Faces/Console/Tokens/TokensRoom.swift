import Calls
import HTTPTypes
import WireFormats

/// The token debugger: what a pasted text is, whether this cloud accepts it, and why not.
struct TokensRoom: ConsoleRoom {
    let visit: Visit
    let texts: PageMemory<PastedText>

    /// The path of a kept text.
    static func path(_ id: String) -> String { Visit.path("/tokens/\(percentEncoded(id))") }

    func show() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        switch segments.count {
        case 1:
            let sources = try await TokenSource.all(visit.client)
            return TokenStartPage(
                visit: visit, info: info, sources: sources, kept: texts.all(generation: info.generation, session: visit.session)
            ).response
        case 2:
            guard let text = texts.value(segments[1], generation: info.generation, session: visit.session) else { return gone(info) }
            return try await InspectionPage(visit: visit, info: info, text: text).response()
        default: throw ConsoleRefusal.noSuchPage
        }
    }

    private func gone(_ info: CloudInfo) -> Response {
        let content: HTML = """
            <h1>This text has expired</h1>
            <p>A text is kept in memory for two hours, and a reset of the cloud ends it.</p>
            <p><a class="button primary" href="\(Visit.path("/tokens"))">Inspect another one</a></p>
            """
        var page = ConsolePage(title: "This text has expired", section: .tokens, content: content)
        page.status = .notFound
        return page.response(for: visit, info: info)
    }

    func act() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let segments = visit.segments
        let actions = TokenActions(visit: visit, info: info)
        do {
            switch (segments.count, segments.last) {
            case (2, "inspect"): return keep(try await actions.inspectPasted())
            case (2, "make"): return keep(try await actions.make())
            case (2, "sample"): return keep(try await actions.sample())
            default: break
            }
        } catch let refusal as ConsoleRefusal {
            // The form is shown again with the refusal, so that nothing that was typed is lost.
            visit.call.note(errorCode: refusal.code, message: refusal.message)
            let page = TokenStartPage(
                visit: visit, info: info, sources: try await TokenSource.all(visit.client),
                kept: texts.all(generation: info.generation, session: visit.session),
                refusal: refusal)
            return page.response
        }
        guard segments.count == 3, var text = texts.value(segments[1], generation: info.generation, session: visit.session) else {
            throw ConsoleRefusal(
                code: "text_ended", message: "This text has expired. Paste it again.", status: .notFound)
        }
        switch segments[2] {
        case "expect":
            text.expected = actions.expected()
            return keep(text)
        case "break": return keep(try await actions.breakOne(text))
        case "exchange":
            text.exchange = try await actions.exchange(text)
            return keep(text, "#exchange")
        case "forget":
            texts.remove(text.id, session: visit.session)
            return Visit.seeOther(Visit.path("/tokens"))
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    private func keep(_ text: PastedText, _ place: String = "") -> Response {
        texts.keep(text, session: visit.session)
        return Visit.seeOther(Self.path(text.id) + place)
    }
}
