import WireFormats

/// The page of a list that a request asks for.
struct StoragePage {
    private static let mostItems = 100

    var limit: Int
    var offset: Int
    var countsAll: Bool

    /// - Throws: ``MobileError`` for parameters with invalid values.
    init(_ storage: Storage) throws(MobileError) {
        func number(_ name: String, from least: Int) throws(MobileError) -> Int? {
            guard let text = try storage.parameter(name) else { return nil }
            guard let value = Int32(digits: text), value >= least else {
                throw MobileError(
                    .malformedRequest, "The query parameter '\(name)' must be a whole number from \(least) to \(Int32.max).")
            }
            return Int(value)
        }
        limit = min(try number("limit", from: 1) ?? Self.mostItems, Self.mostItems)
        offset = try number("offset", from: 0) ?? 0
        switch try storage.parameter("totalResults") {
        case nil, "false": countsAll = false
        case "true": countsAll = true
        default: throw MobileError(.malformedRequest, "The query parameter 'totalResults' must be true or false.")
        }
    }

    /// Returns the page in the format of the Storage API.
    /// - Parameters:
    ///   - total: the total number of items, if they were counted.
    ///   - path: the path of the list.
    ///   - filters: the filter parameters, decoded, which the links repeat.
    func json(_ items: [JSONObject], hasMore: Bool, total: Int?, path: String, filters: [(String, String)] = []) -> JSONValue {
        func link(_ relation: String, limit: Int? = nil, offset: Int? = nil) -> JSONValue {
            var fields = FormFields()
            fields.fields = filters.map { FormFields.Field(name: $0.0, value: $0.1) }
            if countsAll { fields.fields.append(.init(name: "totalResults", value: "true")) }
            if let limit { fields.fields.append(.init(name: "limit", value: String(limit))) }
            if let offset { fields.fields.append(.init(name: "offset", value: String(offset))) }
            let query = fields.encoded
            return ["rel": .string(relation), "href": .string(query.isEmpty ? path : "\(path)?\(query)")]
        }
        var links: [JSONValue] = [["rel": "canonical", "href": .string(path)], link("self", limit: limit, offset: offset)]
        if offset > 0 { links.append(link("prev", limit: limit, offset: max(0, offset - limit))) }
        if hasMore { links.append(link("next", limit: limit, offset: offset + limit)) }
        var page: JSONObject = [
            "items": .array(items.map { .object($0) }), "hasMore": .bool(hasMore), "limit": .integer(Int64(limit)),
            "offset": .integer(Int64(offset)), "count": .integer(Int64(items.count)),
        ]
        if countsAll, let total { page["totalResults"] = .integer(Int64(total)) }
        page["links"] = .array(links)
        return .object(page)
    }
}
