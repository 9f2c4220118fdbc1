import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The operations on configurations of which a bucket can have many, stored by name.
extension OSSRequest {
    /// The number of configurations in one page of a listing. (OSS API Reference, "ListBucketInventory".)
    private static let pageSize = 100

    func perform(_ verb: DocumentVerb, _ kind: OSSNamedKind, on bucket: Bucket) async throws -> Response {
        let row = kind.descriptor
        let input = NamedConfigurationInput(fields, kind)
        if verb == .get, input.name == nil {
            try authorize(row.actions.list, on: bucket)
            return try list(kind, after: input.token, bucket)
        }
        switch verb {
        case .get: try authorize(row.actions.get, on: bucket)
        case .put: try authorize(row.actions.put, on: bucket)
        case .delete: try authorize(row.actions.delete, on: bucket)
        }
        let checked = try input.checkedName(row.parameter)
        switch verb {
        case .get:
            guard let element = try named(kind, in: bucket)[checked] else {
                throw OSSError(row.missing.code, nil, ["BucketName": bucket.name, row.missing.member: checked])
            }
            return answer(stored: storedText(element))
        case .put:
            let element = try await xmlDocument(row.root, holding: row.schema)
            let isNew = try named(kind, in: bucket)[checked] == nil
            guard try named(kind, in: bucket).count < row.limit || !isNew else { throw OSSError(.tooManyConfigurations) }
            let kept =
                switch kind {
                case .inventory: try checkedInventory(element, name: checked)
                case .style: try checkedStyle(element, name: checked, category: input.category, was: try named(kind, in: bucket)[checked])
                }
            try await change(kind, in: bucket) { $0[checked] = kept }
            return answer()
        case .delete:
            try await change(kind, in: bucket) { $0[checked] = nil }
            return answer(.noContent)
        }
    }

    private func list(_ kind: OSSNamedKind, after token: String, _ bucket: Bucket) throws(OSSError) -> Response {
        let sorted = try named(kind, in: bucket).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        if kind == .style {
            return answer(root: "StyleList") { xml in for (_, element) in sorted { element.encode(into: &xml) } }
        }
        var rest = sorted[...]
        if !token.isEmpty { rest = rest.drop { !token.utf8.lexicographicallyPrecedes($0.key.utf8) } }
        let page = rest.prefix(Self.pageSize)
        guard !page.isEmpty || !sorted.isEmpty else { throw OSSError(.noSuchInventory, nil, ["BucketName": bucket.name]) }
        return answer(root: "ListInventoryConfigurationsResult") { xml in
            for (_, element) in page { element.encode(into: &xml) }
            xml.element("IsTruncated", page.count < rest.count)
            if !token.isEmpty { xml.element("ContinuationToken", token) }
            if page.count < rest.count, let last = page.last { xml.element("NextContinuationToken", last.key) }
        }
    }

    /// Returns the configurations of one kind by name.
    private func named(_ kind: OSSNamedKind, in bucket: Bucket) throws(OSSError) -> [String: XMLElement] {
        guard let all = try configuration(kind.descriptor.document, of: bucket) else { return [:] }
        return kind.byName(all)
    }

    private func change(
        _ kind: OSSNamedKind, in bucket: Bucket, _ change: @escaping @Sendable (inout [String: XMLElement]) -> Void
    ) async throws(OSSError) {
        let document = kind.descriptor.document
        try await configure(bucket) { configuration in
            var all: [String: XMLElement] = [:]
            if let text = configuration.documents[document], let element = try? XMLElement(parsing: Array(text.utf8)) {
                all = kind.byName(element)
            }
            change(&all)
            var xml = XMLWriter()
            xml.element("All") { xml in for element in all.values { element.encode(into: &xml) } }
            configuration.documents[document] = all.isEmpty ? nil : String(decoding: xml.bytes, as: UTF8.self)
        }
    }

    private func checkedInventory(_ element: XMLElement, name: String) throws(OSSError) -> XMLElement {
        guard element.child("Id")?.text == name else {
            throw .invalidArgument("The inventory ID in the query and in the document differ.", name: "inventoryId", value: name)
        }
        return element
    }

    /// Returns a style with the members that the service adds.
    private func checkedStyle(_ element: XMLElement, name: String, category: String, was: XMLElement?) throws(OSSError) -> XMLElement {
        let content = element.child("Content")?.text ?? ""
        guard !content.isEmpty else { throw .invalidArgument("Style content is invalid.", name: "Content", value: content) }
        let now = clock.now.httpDate
        let members: [(String, String)] = [
            ("Name", name), ("Content", content), ("Category", category),
            ("CreateTime", was?.child("CreateTime")?.text ?? now), ("LastModifyTime", now),
        ]
        return XMLElement("Style", in: "", members.map { .element(XMLElement($0.0, in: "", text: $0.1)) })
    }
}

extension OSSNamedKind {
    fileprivate func byName(_ all: XMLElement) -> [String: XMLElement] {
        var found: [String: XMLElement] = [:]
        for element in all.children {
            if let name = element.child(descriptor.nameElement)?.text { found[name] = element }
        }
        return found
    }
}
