package import HTTPTypes

extension HTTPFields {
    /// The headers that prevent caching. Responses with tokens must not be cached (RFC 6749 section 5.1).
    package static let unstored: HTTPFields = [.cacheControl: "no-store", .pragma: "no-cache"]
}

extension HTTPField.Name {
    /// `no-cache` for HTTP/1.0 caches. (RFC 9111 section 5.4.)
    package static let pragma = HTTPField.Name(literal: "Pragma")
    /// Whether a page may be shown in a frame. (RFC 7034.)
    package static let frameOptions = HTTPField.Name(literal: "X-Frame-Options")
    /// Which sites may embed a response. (Fetch Standard, "`Cross-Origin-Resource-Policy` header".)
    package static let resourcePolicy = HTTPField.Name(literal: "Cross-Origin-Resource-Policy")
    /// How much of its URL a page sends to other pages. (Referrer Policy, section 4.1.)
    package static let referrerPolicy = HTTPField.Name(literal: "Referrer-Policy")

    /// Creates a name from a literal.
    package init(literal: StaticString) { self.init(constant: literal.description) }

    /// Creates a name from text that is known to be valid.
    package init(constant text: String) {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not a header name") }
        self = name
    }
}
