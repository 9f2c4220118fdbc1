import Calls
import WireFormats

/// A form that was refused, with what was typed. Empty for a page that is read.
struct MobileDraft {
    /// The action of the form.
    var form = ""
    var fields: FormFields = [:]
    var refusal: FormRefusal?

    /// Returns the refusal if the form with this action was refused.
    func refusal(of form: String) -> FormRefusal? { self.form == form ? refusal : nil }
}

/// A form that the control API or the console refuses.
struct FormRefusal: Error, Equatable {
    /// A wrong value.
    struct Fault: Equatable {
        /// The path of the member in the document, such as `facebook.appID`; empty if no field is wrong.
        var place: String
        var text: String
        /// The page on which it can be corrected.
        var page: (title: String, path: String)?

        static func == (one: Fault, other: Fault) -> Bool { (one.place, one.text) == (other.place, other.text) }
    }

    var code: String
    var faults: [Fault]

    init(code: String, faults: [Fault]) { (self.code, self.faults) = (code, faults) }

    /// Creates the refusal of one field.
    init(_ place: String, _ text: String) { self.init(code: "malformed_form", faults: [Fault(place: place, text: text)]) }

    /// Creates a refusal from an error of the control API. "Expected at backends/LiftCare(1.0).realm a realm …" names the field.
    /// - Parameter lines: the faults of an imported file.
    init(_ refusal: ConsoleRefusal, lines: [JSONValue] = []) {
        code = refusal.code
        let prefix = "Expected at "
        if !lines.isEmpty {
            faults = lines.map { line in
                Fault(place: "", text: "Line \(line["line"]?.integerValue ?? 0): \(line["message"]?.stringValue ?? "")")
            }
        } else if refusal.message.hasPrefix(prefix) {
            let rest = refusal.message.dropFirst(prefix.count)
            let place = rest.prefix { $0 != " " }
            faults = [Fault(place: Self.relative(String(place)), text: "Expected\(rest.dropFirst(place.count))")]
        } else {
            faults = [Fault(place: "", text: refusal.message)]
        }
    }

    /// The faults in one text, for the journal.
    var message: String { faults.map { $0.place.isEmpty ? $0.text : "\($0.place): \($0.text)" }.joined(separator: " ") }

    /// Returns a place within a part: without the part's own name, as in `realms/Default(1.0).` or `samlIssuers[0].`.
    static func relative(_ place: String) -> String {
        if place.contains("/"), let end = place.firstRange(of: ").") { return String(place[end.upperBound...]) }
        for list in ["certificates[", "samlIssuers[", "collections["] where place.hasPrefix(list) {
            if let end = place.firstRange(of: "].") { return String(place[end.upperBound...]) }
        }
        return place
    }
}
