package import HTTPTypes

extension HTTPFields {
    /// Nothing that carries a token may be kept (RFC 6749 section 5.1).
    package static let unstored: HTTPFields = [.cacheControl: "no-store", .pragma: "no-cache"]
}

extension HTTPField.Name {
    /// `no-cache` for caches of HTTP/1.0. (RFC 9111 section 5.4.)
    package static let pragma = HTTPField.Name(literal: "Pragma")
    /// Whether a page can be shown in a frame. (RFC 7034.)
    package static let frameOptions = HTTPField.Name(literal: "X-Frame-Options")
    /// Which sites may embed an answer. (Fetch Standard, "`Cross-Origin-Resource-Policy` header".)
    package static let resourcePolicy = HTTPField.Name(literal: "Cross-Origin-Resource-Policy")
    /// How much of its address a page tells other pages. (Referrer Policy, section 4.1.)
    package static let referrerPolicy = HTTPField.Name(literal: "Referrer-Policy")

    /// A name that stands in the code.
    package init(literal: StaticString) { self.init(constant: literal.description) }

    /// A name that is made of what stands in the code.
    package init(constant text: String) {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no field name") }
        self = name
    }
}
