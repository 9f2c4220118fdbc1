import Cloud
import HTTPTypes
import ObjectServing
import WireFormats

/// The document of PutBucketCors. (OSS API Reference, "PutBucketCors".)
extension CORSConfiguration {
    static let ossRoot = "CORSConfiguration"
    private static let mostRules = 20

    private static let schema: [DocumentSchema.Member] = [
        .init(
            "CORSRule",
            .members([
                .init("AllowedOrigin", .text, .several), .init("AllowedMethod", .text, .several), .init("AllowedHeader", .text, .any),
                .init("ExposeHeader", .text, .any), .init("MaxAgeSeconds", .number, .optional),
            ]), .several),
        .init("ResponseVary", .boolean, .optional),
    ]

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    init(oss element: XMLElement) throws(OSSError) {
        guard DocumentSchema.holds(element, .members(Self.schema)) else { throw OSSError(.malformedXML) }
        var rules: [CORSRule] = []
        for child in element.children(named: "CORSRule") { rules.append(try CORSRule(oss: child)) }
        guard rules.count <= Self.mostRules else {
            throw .invalidArgument(
                "The number of CORS rules should not exceed allowed limit of \(Self.mostRules) rules.", name: "CORSRule",
                value: String(rules.count))
        }
        self.init(rules: rules, alwaysVaries: element.child("ResponseVary")?.text.trimmed == "true")
    }

    /// The document that is stored and returned.
    var ossText: String {
        var xml = XMLWriter()
        xml.element(Self.ossRoot) { xml in
            encode(into: &xml)
            xml.element("ResponseVary", alwaysVaries)
        }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Returns the header fields that allow the page to read the response; `nil` if no rule matches.
    func ossAnswer(to question: CORSQuestion) -> HTTPFields? {
        guard let rule = rule(for: question) else { return nil }
        var fields = rule.fields(answering: question)
        if alwaysVaries || !rule.isForAll { fields[.vary] = "Origin" }
        return fields
    }
}

extension CORSRule {
    /// Parses a rule. Methods are converted to uppercase and headers to lowercase.
    fileprivate init(oss element: XMLElement) throws(OSSError) {
        func texts(_ name: String) -> [String] { element.children(named: name).map(\.text.trimmed) }
        self.init(
            allowedHeaders: texts("AllowedHeader").map { $0.lowercased() }, allowedMethods: texts("AllowedMethod").map { $0.uppercased() },
            allowedOrigins: texts("AllowedOrigin"), exposeHeaders: texts("ExposeHeader"),
            maxAgeSeconds: element.integer("MaxAgeSeconds"))
        for method in allowedMethods where !Self.methods.contains(method) {
            throw .invalidArgument("Found unsupported HTTP method in CORS config.", name: "AllowedMethod", value: method)
        }
        for (name, values) in [("AllowedOrigin", allowedOrigins), ("AllowedHeader", allowedHeaders)] {
            for value in values where Self.hasSeveralWildcards(value) || value.isEmpty {
                throw .invalidArgument("\(name) can not have more than one wildcard.", name: name, value: value)
            }
        }
        for header in exposeHeaders where header.utf8.contains(UInt8(ascii: "*")) {
            throw .invalidArgument("ExposeHeader can not have wildcards.", name: "ExposeHeader", value: header)
        }
        if let age = maxAgeSeconds, !(0...999_999_999).contains(age) {
            throw .invalidArgument("MaxAgeSeconds is invalid.", name: "MaxAgeSeconds", value: String(age))
        }
    }
}
