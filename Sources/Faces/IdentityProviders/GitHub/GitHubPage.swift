import Calls
import HTTPTypes
import WireFormats

/// One page of a list (GitHub Docs, "Using pagination in the REST API").
struct GitHubPage<Item> {
    let items: [Item]
    private let number: Int
    private let last: Int
    private let size: Int

    /// - Parameter query: the parameters of the request, of which `per_page` is at most 100, and 30 by default.
    init(_ all: [Item], query: FormFields) {
        func number(_ name: String) -> Int? { query.value(name).flatMap { Int(digits: $0) }.flatMap { $0 > 0 ? $0 : nil } }
        size = min(number("per_page") ?? 30, 100)
        self.number = number("page") ?? 1
        last = max((all.count + size - 1) / size, 1)
        items = self.number > last ? [] : Array(all.dropFirst((self.number - 1) * size).prefix(size))
    }

    /// Returns the value of the header `Link`; `nil` if there are no other pages.
    func links(at url: String) -> String? {
        var links: [(page: Int, relation: String)] = []
        if number > 1 { links.append((min(number - 1, last), "prev")) }
        if number < last {
            links.append((number + 1, "next"))
            links.append((last, "last"))
        }
        if number > 1 { links.append((1, "first")) }
        if links.isEmpty { return nil }
        return links.map { "<\(url)?per_page=\(size)&page=\($0.page)>; rel=\"\($0.relation)\"" }.joined(separator: ", ")
    }
}

extension HTTPField.Name {
    /// Links to other resources (RFC 8288).
    static let link = HTTPField.Name(literal: "Link")
}
