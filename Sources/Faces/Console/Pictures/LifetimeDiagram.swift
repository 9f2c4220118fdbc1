import Calls
import WireFormats

/// How long tokens, sessions and logins still live: a bar for each on one time line, which begins now.
struct LifetimeDiagram {
    struct Item {
        var kind: String
        var name: String
        /// The seconds that are left.
        var seconds: Int64
    }

    static let mostBars = 12
    static let width = 920
    private static let (left, right, top, rowHeight) = (300, 96, 34, 26)
    private static let nameWidth = left - 20
    /// The ends of the time line to choose from, in seconds, each with its unit.
    private static let spans: [(seconds: Int64, unit: Int64, name: String)] = [
        (1_200, 60, "min"), (3_600, 60, "min"), (14_400, 3_600, "h"), (43_200, 3_600, "h"), (86_400, 3_600, "h"),
    ]

    /// The next ones to expire, the first one first.
    let items: [Item]
    private let span: (seconds: Int64, unit: Int64, name: String)

    init(_ items: [Item]) {
        self.items = Array(items.prefix(Self.mostBars))
        let longest = self.items.map(\.seconds).max() ?? 0
        span = Self.spans.first { $0.seconds >= longest } ?? Self.spans[Self.spans.count - 1]
    }

    var height: Int { Self.top + items.count * Self.rowHeight + 8 }

    /// The place of a moment. One beyond the time line is at its end.
    func x(of seconds: Int64) -> Int {
        let room = Int64(Self.width - Self.left - Self.right)
        return Self.left + Int(room * min(max(seconds, 0), span.seconds) / span.seconds)
    }

    var html: HTML {
        guard !items.isEmpty else { return "" }
        let picture: HTML = """
            <svg class="pic" viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="lifetime-title lifetime-text">
            <title id="lifetime-title">What expires next, on a time line</title><desc id="lifetime-text">\(summary.visible)</desc>
            \((0...4).map(tick))\(items.indices.map(bar))</svg>

            """
        return Picture.frame(picture, label: "What expires next, on a time line")
    }

    /// The picture in words.
    var summary: String { items.map { "\($0.kind) \($0.name): \(Self.text($0.seconds))" }.joined(separator: "; ") + "." }

    static func text(_ seconds: Int64) -> String {
        switch seconds {
        case ..<3_600: "\(seconds / 60) min \(seconds % 60) s"
        case ..<172_800: "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
        default: "\(seconds / 86_400) days"
        }
    }

    private func tick(_ quarter: Int) -> HTML {
        let seconds = span.seconds * Int64(quarter) / 4
        let name = quarter == 0 ? "now" : "\(seconds / span.unit) \(span.name)"
        return """
            <path class="life" d="M\(x(of: seconds)) 26V\(height - 6)"/>\
            \(DiagramText.label(name, x: x(of: seconds), y: 18, width: 100, size: 12, anchor: .middle, kind: "soft"))

            """
    }

    private func bar(_ index: Int) -> HTML {
        let item = items[index]
        let y = Self.top + index * Self.rowHeight
        let end = max(x(of: item.seconds), Self.left + 3)
        // What lives longer than the time line ends in a dashed line.
        let isLonger = item.seconds > span.seconds
        let state: PictureState = item.seconds < 300 ? .refused : .reached
        let rest: HTML =
            isLonger ? "<path class=\"good\" stroke=\"currentColor\" stroke-dasharray=\"3 3\" d=\"M\(end) \(y + 8)h12\"/>" : ""
        return """
            \(DiagramText.label("\(item.kind): \(item.name)", x: 8, y: y + 13, width: Self.nameWidth, size: 12))\
            <rect class="\(state.box)" x="\(Self.left)" y="\(y)" width="\(end - Self.left)" height="16" rx="4"/>\(rest)\
            \(DiagramText.label(Self.text(item.seconds), x: end + 16, y: y + 13, width: Self.width - end - 20, size: 12, kind: "soft over"))

            """
    }
}
