import Cloud
import ObjectServing
import WireFormats

extension CORSConfiguration {
    static let root = "CORSConfiguration"
    private static let mostRules = 100

    /// Parses the document.
    /// - Throws: `MalformedXML`, and `InvalidRequest` for values that the schema allows and S3 does not.
    init(_ element: XMLElement) throws(S3Error) {
        try element.allow(only: ["CORSRule"])
        var rules: [CORSRule] = []
        for child in element.children { rules.append(try CORSRule(child)) }
        guard !rules.isEmpty else { throw S3Error(.malformedXML) }
        guard rules.count <= Self.mostRules else {
            throw S3Error(.invalidRequest, "The number of CORS rules should not exceed allowed limit of 100 rules.")
        }
        self.init(rules: rules)
    }

    static let check: S3DocumentKind.Check = { element, _, _ throws(S3Error) in try CORSConfiguration(element).encode }

    /// Reads the text that is kept of a configuration.
    init(stored text: String) throws { try self.init(XMLElement(parsing: Array(text.utf8))) }
}

extension CORSRule {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.allow(
            only: ["ID", "AllowedHeader", "AllowedMethod", "AllowedOrigin", "ExposeHeader", "MaxAgeSeconds"])
        self.init(
            id: try element.text(of: "ID"), allowedHeaders: try element.texts(of: "AllowedHeader"),
            allowedMethods: try element.texts(of: "AllowedMethod"), allowedOrigins: try element.texts(of: "AllowedOrigin"),
            exposeHeaders: try element.texts(of: "ExposeHeader"), maxAgeSeconds: try element.integer(of: "MaxAgeSeconds"))
        guard !allowedMethods.isEmpty, !allowedOrigins.isEmpty, maxAgeSeconds ?? 0 >= 0 else { throw S3Error(.malformedXML) }
        if let id, id.count > 255 {
            throw .invalidArgument("ID length should not exceed allowed limit of 255", name: "ID", value: id)
        }
        for method in allowedMethods where !Self.methods.contains(method) {
            throw S3Error(.invalidRequest, "Found unsupported HTTP method in CORS config. Unsupported method is \(method)")
        }
        for origin in allowedOrigins where Self.hasSeveralWildcards(origin) {
            throw S3Error(.invalidRequest, "AllowedOrigin \"\(origin)\" can not have more than one wildcard.")
        }
        for header in allowedHeaders where Self.hasSeveralWildcards(header) {
            throw S3Error(.invalidRequest, "AllowedHeader \"\(header)\" can not have more than one wildcard.")
        }
        for header in exposeHeaders where header.utf8.contains(UInt8(ascii: "*")) {
            throw S3Error(
                .invalidRequest,
                "ExposeHeader \"\(header)\" contains wildcard. We currently do not support wildcard for ExposeHeader.")
        }
    }
}
