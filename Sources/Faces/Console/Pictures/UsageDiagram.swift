import Calls
import ControlDocuments
import WireFormats

/// The decisions of policies over time: a bar for each interval, allowed ones at the bottom and denied ones above.
struct UsageDiagram {
    /// A bar.
    struct Bar: Equatable {
        /// When it begins.
        var name: String
        var allowed: Int64 = 0
        var denied: Int64 = 0

        var total: Int64 { allowed + denied }
    }

    static let mostBars = 60
    static let (width, height) = (920, 190)
    private static let (left, right, top, bottom) = (64, 12, 16, 30)

    /// The length of the intervals that are counted, in seconds.
    let step: Int64
    /// The bars from the first to the last, also those without decisions.
    let bars: [Bar]
    /// The seconds of a bar.
    private let span: Int64

    /// - Returns: `nil` if there is no decision.
    init?(_ history: Document<HistoryMembers>) {
        step = max(1, Int64(history.step.dropFirst(2).dropLast()) ?? 1)
        let intervals = history.intervals.compactMap { interval in
            Timestamp(iso8601: interval.start).map { (seconds: $0.seconds, allowed: interval.allowed, denied: interval.denied) }
        }
        guard let first = intervals.map(\.seconds).min(), let last = intervals.map(\.seconds).max() else { return nil }
        let slots = (last - first) / step + 1
        let group = (slots + Int64(Self.mostBars) - 1) / Int64(Self.mostBars)
        let span = group * step
        self.span = span
        var bars = (0..<(slots + group - 1) / group).map { number in
            Bar(name: Self.text(Timestamp(seconds: first + number * span).iso8601))
        }
        for interval in intervals {
            let index = Int((interval.seconds - first) / span)
            bars[index].allowed += interval.allowed
            bars[index].denied += interval.denied
        }
        self.bars = bars
    }

    /// The bar with the most decisions, the first one of several.
    var busiest: Bar { bars.reduce(bars[0]) { $1.total > $0.total ? $1 : $0 } }

    /// The length of a bar in words.
    var length: String { Self.words(span) }

    /// Returns a moment without its year and seconds, such as `11-29 16:30`.
    static func text(_ moment: String) -> String { "\(moment.dropFirst(5).prefix(5)) \(moment.dropFirst(11).prefix(5))" }

    /// Returns a length such as `hour` or `5 minutes`.
    static func words(_ seconds: Int64) -> String {
        let units: [(seconds: Int64, word: String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        let unit = units.first { seconds % $0.seconds == 0 } ?? units[3]
        let count = seconds / unit.seconds
        return count == 1 ? unit.word : "\(count) \(unit.word)s"
    }

    var html: HTML {
        let picture: HTML = """
            <svg class="pic" viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-labelledby="usage-title usage-text">
            <title id="usage-title">Decisions over time</title><desc id="usage-text">\(summary.visible)</desc>
            \(scale)\(bars.indices.map(bar))\(names)</svg>

            """
        return Picture.frame(picture, label: "Decisions over time")
    }

    /// The picture in words.
    var summary: String {
        let used = bars.filter { $0.total > 0 }
        let parts = used.map { "\($0.name): \($0.allowed) allowed, \($0.denied) denied" }
        return "The decisions of each \(length), by the sandbox's clock. \(parts.joined(separator: "; "))."
    }

    // MARK: The places of things

    private static var base: Int { height - bottom }
    private static var room: Int { base - top }

    /// Returns the pixels of a number of decisions. One decision is visible.
    func pixels(_ count: Int64) -> Int {
        guard count > 0 else { return 0 }
        return max(2, Int(Double(count) / Double(max(1, busiest.total)) * Double(Self.room)))
    }

    func x(of index: Int) -> Int { Self.left + index * (Self.width - Self.left - Self.right) / bars.count }

    private func bar(_ index: Int) -> HTML {
        let bar = bars[index]
        guard bar.total > 0 else { return "" }
        // A single bar does not fill the picture.
        let width = min(40, max(3, x(of: index + 1) - x(of: index) - 2))
        let allowed = min(pixels(bar.allowed), Self.room - (bar.denied > 0 ? 2 : 0))
        let denied = min(pixels(bar.denied), Self.room - allowed)
        func part(_ kind: String, _ y: Int, _ height: Int) -> HTML {
            guard height > 0 else { return "" }
            return """
                <rect class="\(kind)" fill="currentColor" x="\(x(of: index))" y="\(y)" width="\(width)" height="\(height)"/>
                """
        }
        return "\(part("good", Self.base - allowed, allowed))\(part("bad", Self.base - allowed - denied, denied))\n"
    }

    private var scale: HTML {
        """
        <path class="life" d="M\(Self.left) \(Self.top)H\(Self.width - Self.right)M\(Self.left) \(Self.base)H\(Self.width - Self.right)"/>\
        \(DiagramText.label(String(busiest.total), x: Self.left - 8, y: Self.top + 5, width: Self.left - 12, size: 12, anchor: .end, kind: "soft"))\
        \(DiagramText.label("0", x: Self.left - 8, y: Self.base + 4, width: Self.left - 12, size: 12, anchor: .end, kind: "soft"))

        """
    }

    private var names: HTML {
        let indices = bars.count > 2 ? [0, bars.count / 2, bars.count - 1] : Array(bars.indices)
        let labels = indices.map { index -> HTML in
            let isLast = index == bars.count - 1 && index > 0
            return DiagramText.label(
                bars[index].name, x: isLast ? Self.width - Self.right : x(of: index), y: Self.height - 8, width: 120, size: 12,
                anchor: isLast ? .end : .start, kind: "soft")
        }
        return "\(labels)"
    }
}
