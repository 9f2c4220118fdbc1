import Calls
import WireFormats

/// Builds a form whose fields show what was typed and what is wrong with it.
struct MobileForm {
    /// The action, which is also the prefix of the fields' identifiers.
    let action: String
    let page: any MobilePage
    let draft: MobileDraft
    private var parts: [HTML] = []
    /// The fields that can be wrong: the place in the document, the identifier and the label.
    private var fields: [(place: String, id: String, label: String)] = []

    init(_ action: String, on page: any MobilePage, _ draft: MobileDraft) {
        (self.action, self.page, self.draft) = (action, page, draft)
    }

    private var refusal: FormRefusal? { draft.refusal(of: action) }

    /// Returns what was typed into a field, or the value that is saved.
    func value(_ name: String, _ saved: String) -> String { refusal == nil ? saved : draft.fields.first(name) ?? "" }

    private func isChosen(_ name: String, _ value: String, _ saved: Bool) -> Bool {
        refusal == nil ? saved : draft.fields.all(named: name).contains(value)
    }

    private func faults(at place: String) -> [FormRefusal.Fault] {
        refusal?.faults.filter { Self.isWithin($0.place, place) && !isOfNarrowerField($0.place, than: place) } ?? []
    }

    /// Whether a fault's place is a field or a part of it, such as `roles[0]` of `roles`.
    private static func isWithin(_ place: String, _ field: String) -> Bool {
        place == field || place.hasPrefix("\(field).") || place.hasPrefix("\(field)[")
    }

    private func isOfNarrowerField(_ place: String, than field: String) -> Bool {
        fields.contains { $0.place.utf8.count > field.utf8.count && Self.isWithin(place, $0.place) }
    }

    /// Adds HTML between the fields.
    mutating func add(_ html: HTML) { parts.append(html) }

    /// Adds a line of text.
    /// - Parameters:
    ///   - place: the member of the document; the name by default.
    ///   - type: the type of the input.
    mutating func text(
        _ name: String, _ label: String, _ saved: String = "", at place: String? = nil, hint: HTML = "", type: String = "text",
        isRequired: Bool = false, isWide: Bool = false, list: [String] = []
    ) {
        let (id, attributes, after) = begin(name, label, at: place, hint: hint)
        let required: HTML = isRequired ? " required" : ""
        let suggestions = list.map { value -> HTML in "<option value=\"\(value)\"></option>" }
        let datalist: HTML = list.isEmpty ? "" : "<datalist id=\"\(id)-list\">\(suggestions)</datalist>"
        let listed: HTML = list.isEmpty ? "" : " list=\"\(id)-list\""
        parts.append(
            """
            <div\(HTML.when(isWide, " class=\"full\""))><label for="\(id)">\(label)</label>
            <input id="\(id)" name="\(name)" type="\(type)" value="\(value(name, saved))" autocomplete="off" spellcheck="false"\(required)\(listed)\(attributes)>\
            \(datalist)\(after)</div>

            """)
    }

    /// Adds several lines of text.
    mutating func area(
        _ name: String, _ label: String, _ saved: String = "", at place: String? = nil, rows: Int = 4, hint: HTML = "",
        isRequired: Bool = false
    ) {
        let (id, attributes, after) = begin(name, label, at: place, hint: hint)
        let required: HTML = isRequired ? " required" : ""
        parts.append(
            """
            <div class="full"><label for="\(id)">\(label)</label>
            <textarea id="\(id)" name="\(name)" rows="\(String(rows))" spellcheck="false"\(required)\(attributes)>
            \(value(name, saved))</textarea>\(after)</div>

            """)
    }

    /// Adds a choice of one.
    mutating func select(
        _ name: String, _ label: String, _ options: [(String, String)], _ saved: String, at place: String? = nil,
        hint: HTML = ""
    ) {
        let (id, attributes, after) = begin(name, label, at: place, hint: hint)
        let chosen = value(name, saved)
        let items = options.map { option -> HTML in
            "<option value=\"\(option.0)\"\(option.0 == chosen ? " selected" : "")>\(option.1.visible)</option>"
        }
        parts.append(
            "<div><label for=\"\(id)\">\(label)</label>\n<select id=\"\(id)\" name=\"\(name)\"\(attributes)>\(items)</select>\(after)</div>\n"
        )
    }

    /// Adds a checkbox, whose value is `on`.
    mutating func check(_ name: String, _ label: String, _ saved: Bool, at place: String? = nil, hint: HTML = "") {
        let (id, attributes, after) = begin(name, label, at: place, hint: hint)
        parts.append(
            """
            <div class="full"><label class="choice"><input id="\(id)" type="checkbox" name="\(name)" value="on"\
            \(isChosen(name, "on", saved) ? " checked" : "")\(attributes)> \(label)</label>\(after)</div>

            """)
    }

    /// Adds checkboxes with one name.
    mutating func checks(
        _ name: String, _ legend: String, _ options: [String], _ saved: [String], at place: String? = nil, empty: HTML = ""
    ) {
        let (id, attributes, after) = begin(name, legend, at: place, hint: "")
        // What is chosen but not offered is shown too, so that saving does not remove it silently.
        let all = options + saved.filter { !options.contains($0) }
        let items = all.enumerated().map { index, option -> HTML in
            """
            <label class="choice"><input\(HTML.when(index == 0, " id=\"\(id)\"")) type="checkbox" name="\(name)" value="\(option)"\
            \(isChosen(name, option, saved.contains(option)) ? " checked" : "")\(HTML.when(index == 0, attributes))> \(Parts.value(option))</label>

            """
        }
        parts.append("<fieldset class=\"full\"><legend>\(legend)</legend>\n\(items.isEmpty ? empty : "\(items)")\(after)</fieldset>\n")
    }

    private mutating func begin(
        _ name: String, _ label: String, at place: String?, hint: HTML
    ) -> (id: String, attributes: HTML, after: HTML) {
        let id = "\(action)-\(name)"
        let place = place ?? name
        let faults = faults(at: place)
        fields.append((place, id, label))
        let reasons = faults.map { fault -> HTML in "\(Self.detail(fault, of: place)) " }
        let fault: HTML = faults.isEmpty ? "" : "<p class=\"bad\" id=\"\(id)-fault\">✗ \(reasons)</p>"
        let note: HTML = hint.text.isEmpty ? "" : "<p class=\"soft hint\" id=\"\(id)-hint\">\(hint)</p>"
        let described = [faults.isEmpty ? nil : "\(id)-fault", hint.text.isEmpty ? nil : "\(id)-hint"].compactMap { $0 }
        let reference: HTML = described.isEmpty ? "" : " aria-describedby=\"\(described.joined(separator: " "))\""
        return (id, "\(HTML.when(!faults.isEmpty, " aria-invalid=\"true\""))\(reference)", "\(fault)\(note)")
    }

    /// What is wrong, with its place if that is a part of the field.
    private static func detail(_ fault: FormRefusal.Fault, of place: String) -> HTML {
        "\(HTML.when(fault.place != place, "<code>\(Parts.value(fault.place))</code> "))\(Parts.value(fault.text, limit: 1_000))"
    }

    /// The list of what is wrong, above the fields.
    private var summary: HTML {
        guard let refusal else { return "" }
        let items = refusal.faults.map { fault -> HTML in
            let field = fields.filter { Self.isWithin(fault.place, $0.place) }.max { $0.place.utf8.count < $1.place.utf8.count }
            guard let field else {
                let place: HTML = fault.place.isEmpty ? "" : "<code>\(Parts.value(fault.place))</code>: "
                return "<li>\(place)\(Parts.value(fault.text, limit: 2_000))</li>\n"
            }
            return "<li><a href=\"#\(field.id)\">\(field.label)</a>: \(Self.detail(fault, of: field.place))</li>\n"
        }
        return """
            <section class="error full" role="alert" tabindex="-1" data-focus aria-labelledby="\(action)-faults">
            <h3 id="\(action)-faults">✗ Nothing was saved</h3>
            <ul>\(items)</ul>
            <p class="soft">Code: <code>\(refusal.code.visible)</code>. <a href="\(Visit.path("/journal"))?face=console">In the journal</a></p>
            </section>

            """
    }

    /// Returns the form.
    /// - Parameters:
    ///   - label: the text of the button.
    ///   - id: the fragment of the form; its action by default.
    ///   - hidden: fields that are sent but not shown.
    func html(button label: String, style: String = "primary", hidden: [(String, String)] = [], more: HTML = "") -> HTML {
        let hiddenFields = hidden.map { field -> HTML in "<input type=\"hidden\" name=\"\(field.0)\" value=\"\(field.1)\">" }
        return """
            <form method="post" action="\(Visit.path(page.visit.path))" class="fields" id="\(action)">\(page.visit.formToken)\
            <input type="hidden" name="do" value="\(action)">\(hiddenFields)
            \(summary)\(parts)<div class="full row actions"><button class="\(style)">\(label)</button>\(more)</div></form>

            """
    }
}
