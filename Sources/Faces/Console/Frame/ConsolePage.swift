import Calls
import HTTPTypes
import WireFormats

/// A page of the console: the frame that all pages share, and its security headers.
struct ConsolePage {
    /// The pages in the navigation.
    enum Section: String, CaseIterable {
        case home = "Home"
        case playground = "Playground"
        case journal = "Journal"
        case tokens = "Tokens"
        case policies = "Policies"
        case store = "Store"
        case identity = "Identity"
        case credentials = "Credentials"
        case mobile = "Mobile cloud"
        case time = "Clock and faults"
        case sandboxes = "Sandboxes"

        /// The key that opens the page after `g`.
        var key: String {
            switch self {
            case .home: "h"
            case .playground: "p"
            case .journal: "j"
            case .tokens: "t"
            case .policies: "o"
            case .store: "s"
            case .identity: "i"
            case .credentials: "c"
            case .mobile: "m"
            case .time: "k"
            case .sandboxes: "b"
            }
        }

        var path: String {
            switch self {
            case .home: Visit.path("/")
            case .mobile: Visit.path("/mobile")
            case .time: Visit.path("/time")
            default: Visit.path("/\(rawValue.lowercased())")
            }
        }
    }

    var title: String
    var section: Section?
    var content: HTML
    var status = HTTPResponse.Status.ok
    /// Whether the page uses the full width, for tables.
    var isWide = false
    /// The path that the browser opens next, without a click; `nil` to stay.
    var next: String?

    init(title: String, section: Section? = nil, content: HTML) {
        (self.title, self.section, self.content) = (title, section, content)
    }

    /// Returns the response of a page for a signed-in user.
    func response(for visit: Visit, info: CloudInfo) -> Response {
        response(
            at: visit.place, token: visit.token, frame: Frame(visit: visit, info: info, section: section))
    }

    /// Returns the response of a page without navigation.
    func response(at place: ConsolePlace) -> Response { response(at: place, token: nil, frame: nil) }

    private func response(at place: ConsolePlace, token: String?, frame: Frame?) -> Response {
        let meta: HTML = token.map { "<meta name=\"virga-token\" content=\"\($0)\">\n" } ?? ""
        let refresh: HTML = next.map { "<meta http-equiv=\"refresh\" content=\"0;url=\($0)\">\n" } ?? ""
        let width: HTML = isWide ? " class=\"wide\"" : ""
        let document: HTML = """
            \(HTML.documentStart)<meta name="color-scheme" content="\(place.appearance.schemes)">
            \(meta)\(refresh)<title>\(title.visible) – Virga console</title>
            <link rel="icon" href="\(Asset.icon.path)">
            <link rel="stylesheet" href="\(Asset.style.path)">
            <script src="\(Asset.script.path)" defer></script>
            </head>
            <body\(place.appearance.bodyClass)>
            <a class="skip" href="#main">Skip to the content</a>
            \(frame?.header ?? Frame.bare)
            <main id="main" tabindex="-1"\(width)>
            \(frame?.notices ?? "")\(content)
            </main>
            \(frame?.footer ?? "")<p class="sr" id="live" role="status" aria-live="polite"></p>
            </body>
            </html>

            """
        let assets = "\(place.origin)\(Visit.path("/assets/"))"
        let policy = """
            default-src 'none'; script-src \(assets); style-src \(assets); img-src \(assets) data:; connect-src \(place.origin)/_virga/; \
            form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
            """
        var headers = HTTPFields.unstored
        headers[.contentSecurityPolicy] = policy
        headers[.frameOptions] = "DENY"
        headers[.openerPolicy] = "same-origin"
        headers[.resourcePolicy] = "same-origin"
        headers[.xContentTypeOptions] = "nosniff"
        // With "no-referrer", browsers would send forms with the origin "null".
        headers[.referrerPolicy] = "same-origin"
        var response = Response(status: status, contentType: "text/html; charset=utf-8", headers: headers, text: document.text)
        response.display = .page
        return response
    }
}

/// The header, navigation and notices of a page.
private struct Frame {
    let visit: Visit
    let info: CloudInfo
    let section: ConsolePage.Section?

    static let bare: HTML = """
        <header class="top"><span class="brand"><span class="mark" aria-hidden="true">V</span> Virga</span></header>
        """

    var header: HTML {
        let links = ConsolePage.Section.allCases.map { item -> HTML in
            let current: HTML = item == section ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(item.path)\" data-key=\"\(item.key)\"\(current)>\(item.rawValue)</a></li>\n"
        }
        let signOut: HTML =
            visit.isSignedIn
            ? """
            <form method="post" action="\(Visit.path("/sign-out"))">\(visit.formToken)<button class="small">Sign out</button></form>
            """ : ""
        return """
            <header class="top">
            <a class="brand" href="\(Visit.path("/"))"><span class="mark" aria-hidden="true">V</span> Virga</a>
            <dl class="state"><div><dt>Sandbox</dt><dd><bdi>\(info.sandbox.visible)</bdi></dd></div>\
            <div><dt>Time</dt><dd><time datetime="\(info.now)"\(clock)>\(info.clockText)</time> UTC</dd></div></dl>
            \(SearchPage.field)\(signOut)</header>
            <nav class="side" aria-label="Console"><ul>
            \(links)</ul></nav>
            """
    }

    var footer: HTML {
        """
        <footer class="foot">
        <p class="row"><a href="\(SearchPage.path)">Search</a> \
        <button type="button" class="small" data-shortcuts hidden>Keyboard shortcuts</button></p>
        \(Appearance.form(visit, back: back))</footer>

        """
    }

    /// The attribute with which the script lets the time run.
    private var clock: HTML { info.isFrozen ? "" : " data-clock" }

    /// The page to return to.
    private var back: HTML { "<input type=\"hidden\" name=\"back\" value=\"\(Visit.path(visit.path))\">" }

    var notices: HTML {
        var notices: [HTML] = []
        if info.isTimeMoved {
            notices.append(
                """
                <div class="notice" role="note"><p><strong>Time is moved.</strong> \(info.timeDescription)</p>
                <form method="post" action="\(Visit.path("/clock"))">\(visit.formToken)\(back)<button class="small">Return to real time</button></form></div>

                """)
        }
        if info.faults > 0 {
            notices.append(
                """
                <div class="notice" role="note"><p><strong>\(info.faults == 1 ? "1 error" : "\(String(info.faults)) errors") on demand</strong> \
                may change the responses of services.</p>
                <form method="post" action="\(Visit.path("/faults"))">\(visit.formToken)\(back)<button class="small">Remove all</button></form></div>

                """)
        }
        if visit.isAway, !visit.isStudent {
            notices.append(
                """
                <div class="notice" role="note"><p>You are in the sandbox <strong><bdi>\(info.sandbox.visible)</bdi></strong>.</p>
                <form method="post" action="\(Visit.path("/leave"))">\(visit.formToken)<button class="small">Back to the class</button></form></div>

                """)
        } else if visit.isSignedIn, !visit.isStudent, info.sandbox != "default" {
            notices.append(
                """
                <div class="notice" role="note"><p>You are in the sandbox <strong><bdi>\(info.sandbox.visible)</bdi></strong>.</p>
                <p><a class="button small" href="\(Visit.path("/sandboxes/leave"))">Back to the class</a></p></div>

                """)
        }
        if let message = DoneMessage(rawValue: visit.query.first("done") ?? "") {
            notices.append("<p class=\"done\" role=\"status\">✓ \(message.text)</p>\n")
        }
        return "\(notices)"
    }
}

extension HTTPField.Name {
    /// Separates a page from those that open it or that it opens. (HTML Standard, "`Cross-Origin-Opener-Policy` header".)
    fileprivate static let openerPolicy = HTTPField.Name(literal: "Cross-Origin-Opener-Policy")
}
