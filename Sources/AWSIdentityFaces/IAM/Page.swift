import HTTPTypes
import WireFormats

/// A part of a list, as `Marker` and `MaxItems` ask for it. (IAM API Reference, e.g. "ListUsers".)
struct Page<Item> {
    var items: [Item]
    /// Where the next part begins; nothing at the end.
    var marker: String?

    /// - Parameters:
    ///   - items: all of them, in the order of the list.
    ///   - key: what an item is called in markers: unique and rising.
    init(of items: [Item], parameters: inout QueryParameters, key: (Item) -> String) throws(QueryError) {
        let part = try parameters.part()
        try parameters.check()
        try self.init(of: items, part, key: key)
    }

    /// - Parameters:
    ///   - items: all of them, in the order of the list.
    ///   - part: which of them are wanted.
    ///   - key: what an item is called in markers: unique and rising.
    init(of items: [Item], _ part: PagePart, key: (Item) -> String) throws(QueryError) {
        let limit = part.limit
        var rest = items[...]
        if let marker = part.marker {
            guard let bytes = [UInt8](base64: marker) else {
                throw .validation("Invalid Marker.")
            }
            let last = String(decoding: bytes, as: UTF8.self)
            rest = items[(items.firstIndex { key($0) > last } ?? items.endIndex)...]
        }
        self.items = Array(rest.prefix(limit))
        self.marker = rest.count > limit ? self.items.last.map { Array(key($0).utf8).base64 } : nil
    }

    /// Writes the list under `name` and what says whether there is more.
    func encode(_ name: String, into xml: inout XMLWriter, _ encode: (Item, inout XMLWriter) -> Void) {
        encodeItems(name, into: &xml, encode)
        encodeEnd(into: &xml)
    }

    /// Writes the list under `name` alone.
    func encodeItems(_ name: String, into xml: inout XMLWriter, _ encode: (Item, inout XMLWriter) -> Void) {
        xml.element(name) { xml in
            for item in items { xml.element("member") { encode(item, &$0) } }
        }
    }

    /// Writes a list of texts under `name` and what says whether there is more.
    func encode(_ name: String, into xml: inout XMLWriter) where Item == String {
        xml.element(name) { xml in
            for item in items { xml.element("member", item) }
        }
        encodeEnd(into: &xml)
    }

    /// Writes what says whether there is more.
    func encodeEnd(into xml: inout XMLWriter) {
        xml.element("IsTruncated", marker != nil)
        if let marker { xml.element("Marker", marker) }
    }
}

/// Which part of a list a call wants.
struct PagePart {
    var limit: Int
    /// Base 64 of what the last item before is called; nothing at the beginning.
    var marker: String?
}

extension QueryParameters {
    /// `Marker` and `MaxItems`.
    mutating func part() throws(QueryError) -> PagePart {
        PagePart(limit: try integer("MaxItems", range: 1...1000) ?? 100, marker: text("Marker", length: 1...320))
    }
}
