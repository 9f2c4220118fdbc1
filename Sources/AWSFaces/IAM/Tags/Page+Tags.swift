import Cloud
import WireFormats

extension Page<Tag> {
    /// A part of the tags of something.
    init(tags: [Tag], _ part: PagePart) throws(QueryError) {
        try self.init(of: tags.sorted { $0.key.lowercased() < $1.key.lowercased() }, part) { $0.key.lowercased() }
    }

    /// Writes `Tags` and what says whether there is more.
    func encode(into xml: inout XMLWriter) {
        encode("Tags", into: &xml) { tag, xml in
            xml.element("Key", tag.key)
            xml.element("Value", tag.value)
        }
    }
}
