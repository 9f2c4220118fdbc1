import Calls
import WireFormats

/// Search over pages, ARNs, keys and request IDs.
struct SearchPage {
    /// The longest text that is searched for, in Unicode scalars.
    private static let longestText = 400

    static let path = Visit.path("/search")

    let visit: Visit

    /// The text without control characters.
    private var text: String {
        let scalars = (visit.query.first("q") ?? "").trimmed.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(scalars.prefix(Self.longestText)))
    }

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let text = text
        let groups = text.isEmpty ? [] : await Search(client: visit.client, info: info, text: text).groups()
        let content: HTML = """
            <h1>Search</h1>
            <form method="get" action="\(Self.path)" class="row" role="search" aria-label="On this page">
            <label for="q">Page, ARN, key, request ID or trace ID</label>
            <input id="q" name="q" type="search" value="\(text)" maxlength="400" autocomplete="off" autocapitalize="none" spellcheck="false">
            <button class="primary">Search</button></form>
            \(text.isEmpty ? "" : Self.result(groups, of: text))
            """
        return ConsolePage(title: "Search", content: content).response(for: visit, info: info)
    }

    private static func result(_ groups: [Search.Group], of text: String) -> HTML {
        guard !groups.isEmpty else {
            let hint: HTML =
                text.hasPrefix("ey") && text.contains(".")
                ? " It looks like a token: paste it in <a href=\"\(Visit.path("/tokens"))\">Tokens</a>." : ""
            return "<p class=\"empty\" role=\"status\">Nothing was found for \(Parts.name(text, limit: 100)).\(hint)</p>\n"
        }
        let sections = groups.map { group -> HTML in
            let hits = group.hits.map { hit -> HTML in
                "<li><a href=\"\(hit.path)\">\(Parts.name(hit.title, limit: 200))</a> <span class=\"soft\">\(hit.note)</span></li>\n"
            }
            return "<section><h2>\(group.title)</h2><ul class=\"plain\">\n\(hits)</ul></section>\n"
        }
        return "\(sections)"
    }

    /// The field in the header of every page.
    static let field: HTML = """
        <form method="get" action="\(path)" class="find" role="search" aria-label="In the console">\
        <input name="q" type="search" maxlength="400" aria-label="Search pages, ARNs, keys and request IDs" placeholder="Search" \
        autocomplete="off" autocapitalize="none" spellcheck="false"></form>

        """
}
