import Cloud
import Policy
import WireFormats

extension Page<Tag> {
    /// Creates a page of an entity's tags, in the order in which they were added.
    init(tags: [Tag], _ part: PagePart) throws(ServiceError) {
        let places = Dictionary(tags.enumerated().map { ($1.key, String(1000 + $0)) }) { first, _ in first }
        try self.init(of: tags, part) { places[$0.key] ?? "" }
    }

    /// Writes `Tags`, `IsTruncated` and `Marker`.
    func encode(into xml: inout XMLWriter) {
        encode("Tags", into: &xml) { tag, xml in
            xml.element("Key", tag.key)
            xml.element("Value", tag.value)
        }
    }
}
