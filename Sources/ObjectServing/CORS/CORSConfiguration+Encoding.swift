package import WireFormats

extension CORSConfiguration {
    /// Writes the rules, which are the same in both services. (S3 API Reference and OSS API Reference, "CORSRule".)
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
