import Cloud
import HTTPTypes
import ObjectServing
import WireFormats

/// The document of PutBucketCors. (OSS API Reference, "PutBucketCors".)
extension CORSConfiguration {
    private static let mostRules = 20

    static let ossSchema: [DocumentSchema.Member] = [
        .init("CORSRule", .members(CORSRule.schema), .several), .init("ResponseVary", .boolean, .optional),
    ]

    /// Reads the document. Methods are converted to uppercase and headers to lowercase.
    /// - Throws: `InvalidArgument`.
    init(oss element: XMLElement) throws(OSSError) {
        self.init(element)
        for index in rules.indices {
            rules[index].normalize()
            try rules[index].check()
        }
        guard rules.count <= Self.mostRules else {
            throw .invalidArgument(
                "The number of CORS rules should not exceed allowed limit of \(Self.mostRules) rules.", name: "CORSRule",
                value: String(rules.count))
        }
    }

    /// The document that is stored and returned.
    var ossText: String {
        var xml = XMLWriter()
        xml.element(Self.root) { xml in
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
    fileprivate mutating func normalize() {
        allowedHeaders = allowedHeaders.map { $0.trimmed.lowercased() }
        allowedMethods = allowedMethods.map { $0.trimmed.uppercased() }
        allowedOrigins = allowedOrigins.map(\.trimmed)
        exposeHeaders = exposeHeaders.map(\.trimmed)
    }

    fileprivate func check() throws(OSSError) {
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
