/// What a page says after a form. The URL holds its name only, so that a link cannot choose the text.
enum DoneMessage: String {
    case reset, cleared, captured, uncaptured, saved, undone, resumed, unfaulted, rotated
    case created, deleted, moved, uploaded, ended

    var text: String {
        switch self {
        case .reset: "The cloud is reset to its seeds."
        case .cleared: "The journal is empty."
        case .captured: "Headers and bodies are captured for 30 minutes."
        case .uncaptured: "Capture is off."
        case .saved: "Saved."
        case .undone: "Everything is as it was before."
        case .resumed: "The cloud runs by real time again."
        case .unfaulted: "The errors on demand are removed."
        case .rotated: "A new key signs."
        case .created: "Created."
        case .deleted: "Deleted."
        case .moved: "The time is moved."
        case .uploaded: "Uploaded."
        case .ended: "Ended."
        }
    }
}
