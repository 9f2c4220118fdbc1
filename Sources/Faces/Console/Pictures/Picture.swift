import Calls
import WireFormats

/// What the pictures of the console have in common.
enum Picture {
    /// A picture in a region that scrolls sideways on small screens.
    /// - Parameters:
    ///   - label: names the region for screen readers.
    ///   - isSmall: whether the picture is a row of boxes.
    static func frame(_ picture: HTML, label: String, isSmall: Bool = false) -> HTML {
        "<div class=\"scroll picture\(isSmall ? " small" : "")\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\">\n\(picture)</div>\n"
    }

    /// An arrow to the right, with a cross at its end where the way stops.
    static func arrow(from x: Int, to end: Int, y: Int, _ state: PictureState) -> HTML {
        let attributes: HTML =
            switch state {
            case .waiting: "class=\"soft\" stroke-dasharray=\"4 4\" d=\"M\(x) \(y)H\(end)m-7 -4l7 4l-7 4\""
            case .reached: "class=\"good\" stroke-width=\"2\" d=\"M\(x) \(y)H\(end)m-7 -4l7 4l-7 4\""
            case .refused: "class=\"bad\" stroke-width=\"2.5\" d=\"M\(x) \(y)H\(end - 12)m-5 -6l12 12m0 -12l-12 12\""
            }
        return "<path fill=\"none\" stroke=\"currentColor\" \(attributes)/>"
    }
}

/// How far a request came at a station or a stage.
enum PictureState: Equatable {
    case waiting, reached, refused

    /// The classes of its box.
    var box: String {
        switch self {
        case .waiting: "box off"
        case .reached: "box on"
        case .refused: "box lit"
        }
    }

    /// The class of its text.
    var text: String {
        switch self {
        case .waiting: "soft"
        case .reached: "good"
        case .refused: "bad"
        }
    }
}
