import Calls

/// The colors of the pages: those of the system, or the ones that the user chose. A cookie keeps the choice.
enum Appearance: String, CaseIterable, Sendable {
    case automatic, light, dark

    private static let cookieName = "virga-appearance"
    /// A year in seconds.
    private static let lifetime = 31_536_000

    /// The choice of a browser. Any other value of the cookie counts as none.
    init(of call: Call) { self = call.cookie(named: Self.cookieName).flatMap(Self.init(rawValue:)) ?? .automatic }

    /// The value of `Set-Cookie` that keeps the choice. (RFC 6265.)
    var cookie: String { "\(Self.cookieName)=\(rawValue); Max-Age=\(Self.lifetime); Path=/_virga/ui/; HttpOnly; SameSite=Lax" }

    /// The color schemes of a page. (CSS Color Adjustment Module Level 1, section 2.4.)
    var schemes: String { self == .automatic ? "light dark" : rawValue }

    /// The attribute of the element `body` by which the stylesheet chooses.
    var bodyClass: HTML { self == .automatic ? "" : " class=\"\(rawValue)\"" }

    /// The form that changes the choice.
    static func form(_ visit: Visit, back: HTML) -> HTML {
        let buttons = allCases.map { choice -> HTML in
            let isChosen = choice == visit.place.appearance
            return """
                <button class="small" name="to" value="\(choice.rawValue)" aria-pressed="\(isChosen ? "true" : "false")">\(choice.title)</button>

                """
        }
        return """
            <form method="post" action="\(Visit.path("/appearance"))" class="row" aria-label="Colors">\(visit.formToken)\(back)
            <span>Colors</span>
            \(buttons)</form>

            """
    }

    private var title: String {
        switch self {
        case .automatic: "Automatic"
        case .light: "Light"
        case .dark: "Dark"
        }
    }
}
