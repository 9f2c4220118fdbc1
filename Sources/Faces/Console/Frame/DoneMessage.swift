import WireFormats

/// What a page says after a form. The URL holds its name only, so that a link cannot choose the text.
enum DoneMessage: String {
    case reset, cleared, captured, uncaptured, saved, undone, resumed, unfaulted, rotated
    case created, deleted, moved, ended
    case recorded, unrecorded, forgotten
    case snapshotTaken, restored, linkRenewed, linkRevoked, studentsAdded, classReset, partlyDone, resetSandbox

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
        case .ended: "Ended."
        case .recorded: "Requests are recorded from now on."
        case .unrecorded: "Requests are no longer recorded."
        case .forgotten: "The recorded requests are deleted."
        case .snapshotTaken: "The snapshot is taken."
        case .restored: "The state of the snapshot is back."
        case .linkRenewed: "There is a new link. The old one is not valid any more."
        case .linkRevoked: "The link is not valid any more."
        case .studentsAdded: "Each student has a sandbox and a link."
        case .classReset: "Every sandbox of the class starts again."
        case .partlyDone: "Some sandboxes could not be changed. The log of the server says why."
        case .resetSandbox: "The sandbox is reset to its seeds."
        }
    }
}
