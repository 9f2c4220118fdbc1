import Cloud
import ObjectServing
import WireFormats

extension CORSConfiguration {
    private static let mostRules = 100

    static let schema: [DocumentSchema.Member] = [
        .init("CORSRule", .members(CORSRule.schema + [DocumentSchema.Member("ID", .text, .optional)]), .several)
    ]

    static let check: S3DocumentKind.Check = { element, _, _ throws(S3Error) in
        let configuration = CORSConfiguration(element)
        try configuration.checkRules()
        return configuration.encode
    }

    /// Refuses what the schema allows and S3 does not.
    /// - Throws: `MalformedXML`, `InvalidRequest`, `InvalidArgument`.
    func checkRules() throws(S3Error) {
        for rule in rules { try rule.check() }
        guard rules.count <= Self.mostRules else {
            throw S3Error(.invalidRequest, "The number of CORS rules should not exceed allowed limit of 100 rules.")
        }
    }
}

extension CORSRule {
    fileprivate func check() throws(S3Error) {
        guard maxAgeSeconds ?? 0 >= 0 else { throw S3Error(.malformedXML) }
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
