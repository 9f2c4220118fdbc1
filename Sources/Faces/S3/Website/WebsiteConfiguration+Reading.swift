import Cloud
import ObjectServing
import WireFormats

extension WebsiteConfiguration {
    private static let mostRules = 50

    static let check: S3DocumentKind.Check = { element, _, _ throws(S3Error) in try WebsiteConfiguration(element).encode }

    static let schema: [DocumentSchema.Member] = [
        .init(
            "RedirectAllRequestsTo", .members([.init("HostName", .text), .init("Protocol", .text, .optional)]), .optional),
        .init("IndexDocument", .members([.init("Suffix", .text, .optional)]), .optional),
        .init("ErrorDocument", .members([.init("Key", .text)]), .optional),
        .init("RoutingRules", .members([.init("RoutingRule", .members(RoutingRule.schema), .several)]), .optional),
    ]

    /// Reads a document that conforms to the schema.
    /// - Throws: `MalformedXML`, `InvalidArgument`, `InvalidRequest`.
    init(_ element: XMLElement) throws(S3Error) {
        if let redirect = element.child("RedirectAllRequestsTo") {
            guard element.children.count == 1 else {
                throw .invalidArgument(
                    "RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.",
                    name: "RedirectAllRequestsTo", value: "not null")
            }
            self = .redirectAll(host: redirect.child("HostName")?.text ?? "", scheme: try redirect.scheme())
            return
        }
        guard let index = element.child("IndexDocument") else {
            throw .invalidArgument(
                "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty", name: "IndexDocument",
                value: "null")
        }
        let suffix = index.child("Suffix")?.text ?? ""
        guard !suffix.isEmpty, !suffix.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidArgument("The IndexDocument Suffix is not well formed", name: "IndexDocument", value: suffix)
        }
        var pages = Pages(indexSuffix: suffix)
        pages.errorKey = element.child("ErrorDocument")?.child("Key")?.text
        guard pages.errorKey?.isEmpty != true else { throw S3Error(.malformedXML) }
        let rules = element.child("RoutingRules")?.children ?? []
        guard rules.count <= Self.mostRules else {
            throw S3Error(
                .invalidRequest,
                "\(rules.count) routing rules provided, the number of routing rules in a website configuration is limited to 50.")
        }
        for rule in rules { pages.rules.append(try RoutingRule(rule)) }
        self = .pages(pages)
    }
}

extension WebsiteConfiguration.RoutingRule {
    fileprivate static let schema: [DocumentSchema.Member] = [
        .init(
            "Condition",
            .members([.init("KeyPrefixEquals", .text, .optional), .init("HttpErrorCodeReturnedEquals", .text, .optional)]), .optional),
        .init(
            "Redirect",
            .members(
                ["HostName", "HttpRedirectCode", "Protocol", "ReplaceKeyPrefixWith", "ReplaceKeyWith"].map {
                    DocumentSchema.Member($0, .text, .optional)
                })),
    ]

    fileprivate init(_ element: XMLElement) throws(S3Error) {
        if let condition = element.child("Condition") {
            prefix = condition.child("KeyPrefixEquals")?.text
            if let text = condition.child("HttpErrorCodeReturnedEquals")?.text {
                guard let status = Int(digits: text.trimmed), (400...599).contains(status) else {
                    throw S3Error(
                        .invalidRequest,
                        "The provided HTTP error code (\(text)) is not valid. Valid codes are 4XX or 5XX.")
                }
                errorStatus = status
            }
            guard prefix != nil || errorStatus != nil else {
                throw S3Error(
                    .invalidRequest,
                    "Condition cannot be empty. To redirect all requests without a condition, the condition element shouldn't be present."
                )
            }
        }
        redirect = try WebsiteConfiguration.Redirect(try element.required("Redirect"))
    }
}

extension WebsiteConfiguration.Redirect {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        scheme = try element.scheme()
        host = element.child("HostName")?.text
        switch (element.child("ReplaceKeyWith")?.text, element.child("ReplaceKeyPrefixWith")?.text) {
        case (_?, _?):
            throw S3Error(.invalidRequest, "You can only define ReplaceKeyPrefix or ReplaceKey but not both.")
        case (let key?, nil): replacement = .key(key)
        case (nil, let prefix?): replacement = .prefix(prefix)
        case (nil, nil): break
        }
        if let text = element.child("HttpRedirectCode")?.text {
            guard let code = Int(digits: text.trimmed), (301...399).contains(code) else {
                throw S3Error(
                    .invalidRequest,
                    "The provided HTTP redirect code (\(text)) is not valid. Valid codes are 3XX except 300.")
            }
            status = code
        }
        guard scheme != nil || host != nil || replacement != nil || status != nil else { throw S3Error(.malformedXML) }
    }
}

extension XMLElement {
    fileprivate func scheme() throws(S3Error) -> String? {
        guard let scheme = child("Protocol")?.text else { return nil }
        guard scheme == "http" || scheme == "https" else {
            throw S3Error(
                .invalidRequest,
                "Invalid protocol, protocol can be http or https. If not defined the protocol will be selected automatically.")
        }
        return scheme
    }
}
