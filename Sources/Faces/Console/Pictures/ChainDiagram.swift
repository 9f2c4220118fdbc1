import Calls
import WireFormats

/// The way from a person to an object: stations, and what flows from each to the next.
struct ChainDiagram {
    struct Station {
        var symbol: Symbol
        var title: String
        var detail: String
        /// A count, or the error of a refusal.
        var note: String
        var state: PictureState
        /// The page that the station opens.
        var path: String?
    }

    /// The drawing of a station.
    enum Symbol: String {
        case person = "M12 3a4.5 4.5 0 1 0 .01 0M3 22c0-11 18-11 18 0"
        case provider = "M8 4a5 5 0 1 0 .01 0M12 13l9 8m-4-3l3-3"
        case ticket = "M2 6h20v4a2 2 0 0 0 0 4v4H2v-4a2 2 0 0 0 0-4zM15 6v12"
        case store = "M3 6h18l-2 15H5zM3 6c0-4 18-4 18 0"
    }

    var title: String
    var stations: [Station]
    /// What flows, one less than stations.
    var flows: [String]

    static let (boxWidth, boxHeight, gap, margin) = (160, 80, 84, 4)

    /// The width of the picture, which has room for four stations.
    static let width = 2 * margin + 4 * boxWidth + 3 * gap

    /// The left side of a station's box. Fewer stations stand in the middle.
    func x(of index: Int) -> Int {
        let used = stations.count * (Self.boxWidth + Self.gap) - Self.gap
        return max(Self.margin, (Self.width - used) / 2) + index * (Self.boxWidth + Self.gap)
    }

    var html: HTML {
        let height = Self.boxHeight + 2 * Self.margin
        let role = stations.contains { $0.path != nil } ? "group" : "img"
        let picture: HTML = """
            <svg class="pic" viewBox="0 0 \(Self.width) \(height)" role="\(role)" aria-labelledby="chain-title chain-text">
            <title id="chain-title">\(title.visible)</title><desc id="chain-text">\(summary.visible)</desc>
            \(stations.indices.map(drawn))</svg>

            """
        return Picture.frame(picture, label: title, isSmall: true)
    }

    /// The picture in words.
    var summary: String {
        let parts = stations.map { station in
            let outcome =
                switch station.state {
                case .waiting: "not yet"
                case .reached: "reached"
                case .refused: "refused here"
                }
            return "\([station.title, station.detail, station.note].filter { !$0.isEmpty }.joined(separator: ", ")) (\(outcome))"
        }
        return parts.joined(separator: "; then ") + "."
    }

    private func drawn(_ index: Int) -> HTML {
        let station = stations[index]
        let x = x(of: index)
        let (top, place) = (Self.margin, Self.boxWidth - 20)
        let box: HTML = """
            <rect class="\(station.state.box)" x="\(x)" y="\(top)" width="\(Self.boxWidth)" height="\(Self.boxHeight)" rx="9"/>\
            <path class="\(station.state.text)" transform="translate(\(x + 8) \(top + 7)) scale(.9)" d="\(station.symbol.rawValue)" fill="none" \
            stroke="currentColor" stroke-width="1.8"/>\
            \(DiagramText.label(station.title, x: x + 38, y: top + 24, width: Self.boxWidth - 44, size: 14, kind: station.path == nil ? "" : "name", font: .bold))\
            \(DiagramText.label(station.detail, x: x + 10, y: top + 49, width: place, size: 12, kind: "soft"))\
            \(DiagramText.label(station.note, x: x + 10, y: top + 68, width: place, size: 12, kind: station.state.text, font: station.state == .refused ? .bold : .plain))
            """
        let shown: HTML = station.path.map { path -> HTML in "<a href=\"\(path)\">\(box)</a>\n" } ?? "\(box)\n"
        guard index > 0 else { return shown }
        let start = x - Self.gap
        let middle = Self.margin + Self.boxHeight / 2
        return """
            \(DiagramText.label(flows[index - 1], x: start + Self.gap / 2, y: middle - 9, width: Self.gap, size: 12, anchor: .middle, kind: "soft"))\
            \(Picture.arrow(from: start + 4, to: x - 4, y: middle, station.state))
            \(shown)
            """
    }
}
