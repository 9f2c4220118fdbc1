import Directory
import HTTPTypes
import WireFormats

/// A page of a list, as requested with `Marker` and `MaxItems`. (IAM API Reference, e.g. "ListUsers".)
struct Page<Item> {
    var items: [Item]
    /// The marker of the next page; `nil` on the last one.
    var marker: String?

    /// - Parameters:
    ///   - items: the whole list, in order.
    ///   - key: the key of an item in markers; unique and ascending.
    init(of items: [Item], parameters: inout QueryParameters, key: (Item) -> String) throws(ServiceError) {
        let part = try parameters.part()
        try parameters.check()
        try self.init(of: items, part, key: key)
    }

    /// - Parameters:
    ///   - items: the whole list, in order.
    ///   - part: the requested page.
    ///   - key: the key of an item in markers; unique and ascending.
    init(of items: [Item], _ part: PagePart, key: (Item) -> String) throws(ServiceError) {
        let last = try part.last()
        let first = last.map { last in items.firstIndex { key($0) > last } ?? items.endIndex } ?? items.startIndex
        self.init(next: items[first...], limit: part.limit, key: key)
    }

    /// - Parameters:
    ///   - items: what follows the page before, in order. One more than the page has is read, to know whether there are further ones.
    ///   - limit: the length of the page.
    ///   - key: the key of an item in markers; unique and ascending.
    init(next items: some Sequence<Item>, limit: Int, key: (Item) -> String) {
        let found = Array(items.prefix(limit + 1))
        self.items = Array(found.prefix(limit))
        self.marker = found.count > limit ? self.items.last.map { Array(key($0).utf8).base64 } : nil
    }

    /// Creates a page of the records of an account, by their names in lower case.
    /// - Parameters:
    ///   - records: the records of all accounts.
    ///   - account: the account.
    ///   - part: the requested page.
    ///   - isListed: whether the list has a record.
    init<Value>(
        of records: Table<Directory.PrincipalName, Value>, in account: String, _ part: PagePart, where isListed: @escaping (Value) -> Bool
    ) throws(ServiceError) where Item == (key: Directory.PrincipalName, value: Value) {
        let following = records.ordered(in: account, after: try part.last() ?? "")
        self.init(next: following.lazy.filter { isListed($0.value) }, limit: part.limit, key: \.key.folded)
    }

    /// Writes the list as `name`, then `IsTruncated` and `Marker`.
    func encode(_ name: String, into xml: inout XMLWriter, _ encode: (Item, inout XMLWriter) -> Void) {
        encodeItems(name, into: &xml, encode)
        encodeEnd(into: &xml)
    }

    /// Writes only the list, as `name`.
    func encodeItems(_ name: String, into xml: inout XMLWriter, _ encode: (Item, inout XMLWriter) -> Void) {
        xml.element(name) { xml in
            for item in items { xml.element("member") { encode(item, &$0) } }
        }
    }

    /// Writes a list of texts as `name`, then `IsTruncated` and `Marker`.
    func encode(_ name: String, into xml: inout XMLWriter) where Item == String {
        xml.element(name) { xml in
            for item in items { xml.element("member", item) }
        }
        encodeEnd(into: &xml)
    }

    /// Writes `IsTruncated` and `Marker`.
    func encodeEnd(into xml: inout XMLWriter) {
        xml.element("IsTruncated", marker != nil)
        if let marker { xml.element("Marker", marker) }
    }
}

/// The page of a list that a call requests.
struct PagePart {
    var limit: Int
    /// The key of the previous page's last item in base 64; `nil` for the first page.
    var marker: String?

    /// Returns the key of the previous page's last item; `nil` for the first page.
    func last() throws(ServiceError) -> String? {
        guard let marker else { return nil }
        guard let bytes = [UInt8](base64: marker) else { throw .validation("Invalid Marker.") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension QueryParameters {
    /// Reads `Marker` and `MaxItems`.
    mutating func part() throws(ServiceError) -> PagePart {
        PagePart(limit: try integer("MaxItems", range: 1...1000) ?? 100, marker: text("Marker", length: 1...320))
    }

    /// Reads `PathPrefix`, `Marker` and `MaxItems`.
    fileprivate mutating func pathAndPage() throws(ServiceError) -> (path: String, part: PagePart) {
        let path = pathPrefix()
        return (path, try part())
    }
}

extension ServiceOperation<IAMFace> {
    /// Creates an operation that lists the account's entities of a kind below a path.
    /// - Parameter kind: the kind in ARNs.
    static func list(
        of kind: String,
        _ perform: @escaping @Sendable ((path: String, part: PagePart), IAMCall) async throws -> QueryService.Result?
    ) -> Self {
        authorized(members: { try $0.pathAndPage() }, on: { $1.entities(kind, below: $0.path) }) { members, _, call in
            try await perform(members, call)
        }
    }
}
