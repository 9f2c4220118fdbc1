package import WireFormats

// The document, which is the same in both services. (S3 API Reference and OSS API Reference, "CORSConfiguration" and "CORSRule".)

extension CORSConfiguration {
    /// The name of the root element.
    package static let root = "CORSConfiguration"

    /// Reads a document that conforms to the schema of its service.
    package init(_ element: XMLElement) {
        self.init(
            rules: element.children(named: "CORSRule").map { CORSRule($0) },
            alwaysVaries: element.child("ResponseVary")?.text.trimmed == "true")
    }

    /// Reads the text that is stored of a configuration.
    package init(stored text: String) throws(XMLSyntaxError) { self.init(try XMLElement(parsing: Array(text.utf8))) }

    /// Writes the rules.
    package func encode(into xml: inout XMLWriter) {
        for rule in rules {
            xml.element("CORSRule") { xml in
                if let id = rule.id { xml.element("ID", id) }
                for origin in rule.allowedOrigins { xml.element("AllowedOrigin", origin) }
                for method in rule.allowedMethods { xml.element("AllowedMethod", method) }
                for header in rule.allowedHeaders { xml.element("AllowedHeader", header) }
                for header in rule.exposeHeaders { xml.element("ExposeHeader", header) }
                if let age = rule.maxAgeSeconds { xml.element("MaxAgeSeconds", age) }
            }
        }
    }
}

extension CORSRule {
    /// The elements of a rule in both services.
    package static let schema: [DocumentSchema.Member] = [
        .init("AllowedOrigin", .text, .several), .init("AllowedMethod", .text, .several), .init("AllowedHeader", .text, .any),
        .init("ExposeHeader", .text, .any), .init("MaxAgeSeconds", .number, .optional),
    ]

    fileprivate init(_ element: XMLElement) {
        func texts(_ name: String) -> [String] { element.children(named: name).map(\.text) }
        self.init(
            id: element.child("ID")?.text, allowedHeaders: texts("AllowedHeader"), allowedMethods: texts("AllowedMethod"),
            allowedOrigins: texts("AllowedOrigin"), exposeHeaders: texts("ExposeHeader"), maxAgeSeconds: element.integer("MaxAgeSeconds"))
    }
}
