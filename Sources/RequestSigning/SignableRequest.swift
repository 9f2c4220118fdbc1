package import HTTPTypes
package import WireFormats

/// What request signatures cover of a request, as it was received or is about to be sent.
package struct SignableRequest: Sendable {
    /// The method, such as `GET`.
    package var method: String
    /// The path as received, percent-encoded, without the query.
    package var path: String
    /// The query as received, percent-encoded.
    package var query: RawQuery
    /// The host and, unless it is the scheme's own, the port that the client addressed: the `Host` field or `:authority`.
    package var authority: String
    /// The header fields. A `Host` among them is not looked at.
    package var fields: HTTPFields

    /// What has been taken apart already.
    package init(method: String, path: String, query: RawQuery, authority: String, fields: HTTPFields) {
        self.method = method
        self.path = path
        self.query = query
        self.authority = authority
        self.fields = fields
    }

    /// Takes a request apart.
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
