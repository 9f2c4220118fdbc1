import Calls
import HTTPTypes
import WireFormats

/// A page of the mobile cloud. A form that was refused is shown again, with what was typed and the reason at its field.
protocol MobilePage: Sendable {
    var site: MobileSite { get }
    var title: String { get }
    var section: MobileSection { get }
    /// The pages above this one, with their titles.
    var trail: [(title: String, path: String)] { get }
    /// Returns the content below the title.
    func content(_ draft: MobileDraft) async throws -> HTML
    /// Performs the action of a form, and returns the URL that shows the result.
    /// - Throws: ``FormRefusal``.
    func perform(_ action: String) async throws -> String
    /// Returns a response that is not a page; `nil` for a page.
    func file() async throws -> Response?
}

/// The entries of the side menu: *Applications*, *Administration* and the data of the platform APIs.
enum MobileSection: String, CaseIterable {
    case backends = "Mobile Backends"
    case apis = "APIs"
    case users = "Mobile User Management"
    case keys = "Keys & Certificates"
    case jwt = "JWT issuers"
    case policies = "Environment Policies"
    case collections = "Collections"
    case analytics = "Analytics"
    case devices = "Devices"
    case notifications = "Notifications"
    case locations = "Locations"

    var path: String { self == .backends ? MobileRoom.path() : MobileRoom.path(String(describing: self)) }

    /// The menus in which the service had the pages, and one for what apps left.
    static let menus: [(title: String, sections: [MobileSection])] = [
        ("Applications", [.backends, .apis, .users]), ("Administration", [.keys, .jwt, .policies]),
        ("Data", [.collections, .analytics, .devices, .notifications, .locations]),
    ]
}

extension MobilePage {
    var visit: Visit { site.visit }
    var trail: [(title: String, path: String)] { [] }

    func perform(_ action: String) async throws -> String { throw ConsoleRefusal.noSuchAction }
    func file() async throws -> Response? { nil }

    func show() async throws -> Response {
        if let file = try await file() { return file }
        return try await response(MobileDraft())
    }

    func act() async throws -> Response {
        let action = site.field("do")
        do {
            return Visit.seeOther(try await perform(action))
        } catch let refusal as FormRefusal {
            visit.call.note(errorCode: refusal.code, message: refusal.message)
            var response = try await response(MobileDraft(form: action, fields: visit.form, refusal: refusal))
            response.status = .badRequest
            return response
        }
    }

    private func response(_ draft: MobileDraft) async throws -> Response {
        let content: HTML = """
            \(menu)
            \(path)
            <h1>\(Parts.value(title))</h1>
            \(try await content(draft))
            """
        return ConsolePage(title: title, section: .mobile, content: content).response(for: visit, info: site.info)
    }

    /// The links to the pages above.
    private var path: HTML {
        let links = trail.map { link -> HTML in "<a href=\"\(link.path)\">\(Parts.value(link.title))</a> › " }
        return HTML.when(!links.isEmpty, "<p class=\"soft\">\(links)</p>")
    }

    private var menu: HTML {
        let menus = MobileSection.menus.map { menu -> HTML in
            let links = menu.sections.map { item -> HTML in
                "<a href=\"\(item.path)\"\(HTML.when(item == section, " aria-current=\"true\""))>\(item.rawValue)</a>\n"
            }
            return "<p><span class=\"soft\">\(menu.title)</span>\n\(links)</p>\n"
        }
        return "<nav class=\"menu\" aria-label=\"Mobile cloud\">\n\(menus)</nav>"
    }

    /// A fold with the calls of the control API that a page makes.
    /// - Parameter calls: a method, the path below `/_virga/mobile/`, and a body.
    func callsBehind(_ calls: [(method: String, path: String, body: String?)]) -> HTML {
        let token = visit.isSignedIn ? " -H 'Authorization: Bearer '\"$VIRGA_CONTROL_TOKEN\"" : ""
        let lines = calls.map { call in
            let body = call.body.map { " -H 'Content-Type: application/json' -d '\($0)'" } ?? ""
            let method = call.method == "GET" ? "" : " -X \(call.method)"
            return "curl -s\(method)\(token)\(body) '\(visit.place.services)/_virga/mobile/\(call.path)'"
        }
        return """
            \(Parts.calls(lines.joined(separator: "\n")))

            """
    }

    /// A button in a form of its own.
    func button(
        _ label: String, do action: String, _ fields: [(String, String)] = [], style: String = "small", confirm: String? = nil,
        hidden: String = ""
    ) -> HTML {
        let hiddenFields = fields.map { field -> HTML in "<input type=\"hidden\" name=\"\(field.0)\" value=\"\(field.1)\">" }
        let question: HTML = confirm.map { " data-confirm=\"\($0)\"" } ?? ""
        let context: HTML = hidden.isEmpty ? "" : "<span class=\"sr\"> \(hidden.visible)</span>"
        return """
            <form method="post" action="\(Visit.path(visit.path))"\(question)>\(visit.formToken)\
            <input type="hidden" name="do" value="\(action)">\(hiddenFields)<button class="\(style)">\(label)\(context)</button></form>
            """
    }

    /// A table that scrolls inside, or what to do if it is empty.
    /// - Parameter label: names the table for screen readers.
    func table(_ label: String, _ headings: [String], _ rows: [[HTML]], empty: HTML) -> HTML {
        guard !rows.isEmpty else { return "<div class=\"empty\">\(empty)</div>\n" }
        let head = headings.map { heading -> HTML in "<th scope=\"col\">\(heading)</th>" }
        let body = rows.map { row -> HTML in
            let cells = row.enumerated().map { index, cell -> HTML in
                index == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td data-head=\"\(headings[index])\">\(cell)</td>"
            }
            return "<tr>\(cells)</tr>\n"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table class="stacked">
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody></table></div>

            """
    }
}
