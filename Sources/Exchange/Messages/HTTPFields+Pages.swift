package import HTTPTypes

extension HTTPFields {
    /// Nothing that carries a token may be kept (RFC 6749 section 5.1).
    package static let unstored: HTTPFields = [.cacheControl: "no-store", .pragma: "no-cache"]
}

extension HTTPField.Name {
    package static let pragma = HTTPField.Name(literal: "Pragma")
    package static let frameOptions = HTTPField.Name(literal: "X-Frame-Options")
    package static let resourcePolicy = HTTPField.Name(literal: "Cross-Origin-Resource-Policy")
    package static let referrerPolicy = HTTPField.Name(literal: "Referrer-Policy")

    /// A name that stands in the code.
    package init(literal: StaticString) { self.init(constant: literal.description) }

    /// A name that is made of what stands in the code.
    package init(constant text: String) {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no field name") }
        self = name
    }
}
