import ControlDocuments
import WireFormats

/// How a request ended, in one word.
struct Outcome: Equatable {
    /// The class in the stylesheet.
    var kind: String
    var sign: String
    var word: String

    /// - Parameter entry: an entry of the journal.
    init(_ entry: Document<EntryMembers>) {
        let status = entry.status
        if entry.reported {
            self.init(kind: "warn", sign: "!", word: "would deny")
        } else if status == 0 {
            self.init(kind: "bad", sign: "✗", word: "cut off")
        } else if status < 400 {
            self.init(kind: "good", sign: "✓", word: "ok")
        } else if entry.refused {
            self.init(kind: "bad", sign: "✗", word: "denied")
        } else {
            self.init(kind: "warn", sign: "!", word: status >= 500 ? "failed" : "error")
        }
    }

    init(kind: String, sign: String, word: String) { (self.kind, self.sign, self.word) = (kind, sign, word) }
}
