import Calls
import WireFormats

/// The pages about policies, of which each one links to the others.
enum PolicyViews: String, CaseIterable {
    case simulator = "Simulator"
    case reach = "Who can reach what"
    case usage = "Usage and coverage"

    var path: String {
        switch self {
        case .simulator: Visit.path("/policies")
        case .reach: Visit.path("/policies/reach")
        case .usage: Visit.path("/policies/usage")
        }
    }

    /// The links, with a mark at this page.
    var links: HTML {
        let links = Self.allCases.map { view -> HTML in
            let current: HTML = view == self ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(view.path)\"\(current)>\(view.rawValue)</a></li>"
        }
        return "<nav class=\"views\" aria-label=\"Pages about policies\"><ul>\(links)</ul></nav>\n"
    }
}
