package import HTTPTypes
package import WireFormats

/// The parts of a request that signatures cover, as received or about to be sent.
package struct SignableRequest: Sendable {
    /// The method, such as `GET`.
    package var method: String
    /// The path as received, percent-encoded, without the query.
    package var path: String
    /// The query as received, percent-encoded.
    package var query: RawQuery
    /// The host that the client addressed, with the port unless it is the scheme's default: the `Host` header or `:authority`.
    package var authority: String
    /// The headers. A `Host` header among them is ignored.
    package var fields: HTTPFields

    /// Creates a request from its parts.
    package init(method: String, path: String, query: RawQuery, authority: String, fields: HTTPFields) {
        self.method = method
        self.path = path
        self.query = query
        self.authority = authority
        self.fields = fields
    }

    /// Creates a request and splits its target.
    /// - Parameter target: the request target in origin form: the path, and after `?` the query.
    package init(method: String, target: String, authority: String, fields: HTTPFields = [:]) {
        self.method = method
        self.authority = authority
        self.fields = fields
        if let mark = target.utf8.firstIndex(of: 0x3F) {
            path = String(target[..<mark])
            query = RawQuery(target[mark...].dropFirst())
        } else {
            path = target
            query = RawQuery(nil)
        }
    }
}
