import Cloud
import ObjectServing
import WireFormats

extension WebsiteConfiguration {
    private static let mostRules = 50

    static let check: S3DocumentKind.Check = { element, _, _ throws(S3Error) in try WebsiteConfiguration(element).encode }

    /// - Throws: `MalformedXML`, `InvalidArgument`, `InvalidRequest`.
    init(_ element: XMLElement) throws(S3Error) {
        try element.allow(only: ["RedirectAllRequestsTo", "IndexDocument", "ErrorDocument", "RoutingRules"])
        if let redirect = try element.optional("RedirectAllRequestsTo") {
            guard element.children.count == 1 else {
                throw .invalidArgument(
                    "RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.",
                    name: "RedirectAllRequestsTo", value: "not null")
            }
            try redirect.allow(only: ["HostName", "Protocol"])
            self = .redirectAll(host: try redirect.required("HostName").leafText(), scheme: try redirect.scheme())
            return
        }
        guard let index = try element.optional("IndexDocument") else {
            throw .invalidArgument(
                "A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty", name: "IndexDocument",
                value: "null")
        }
        try index.allow(only: ["Suffix"])
        let suffix = try index.text(of: "Suffix") ?? ""
        guard !suffix.isEmpty, !suffix.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidArgument("The IndexDocument Suffix is not well formed", name: "IndexDocument", value: suffix)
        }
        var pages = Pages(indexSuffix: suffix)
        if let error = try element.optional("ErrorDocument") {
            try error.allow(only: ["Key"])
            let key = try error.required("Key").leafText()
            guard !key.isEmpty else { throw S3Error(.malformedXML) }
            pages.errorKey = key
        }
        if let rules = try element.optional("RoutingRules") {
            try rules.allow(only: ["RoutingRule"])
            guard !rules.children.isEmpty else { throw S3Error(.malformedXML) }
            guard rules.children.count <= Self.mostRules else {
                throw S3Error(
                    .invalidRequest,
                    "\(rules.children.count) routing rules provided, the number of routing rules in a website configuration is limited to 50."
                )
            }
            for child in rules.children { pages.rules.append(try RoutingRule(child)) }
        }
        self = .pages(pages)
    }
}

extension WebsiteConfiguration.RoutingRule {
    fileprivate init(_ element: XMLElement) throws(S3Error) {
        try element.allow(only: ["Condition", "Redirect"])
        if let condition = try element.optional("Condition") {
            try condition.allow(only: ["KeyPrefixEquals", "HttpErrorCodeReturnedEquals"])
            prefix = try condition.text(of: "KeyPrefixEquals")
            if let text = try condition.text(of: "HttpErrorCodeReturnedEquals") {
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
        try element.allow(only: ["HostName", "HttpRedirectCode", "Protocol", "ReplaceKeyPrefixWith", "ReplaceKeyWith"])
        scheme = try element.scheme()
        host = try element.text(of: "HostName")
        switch (try element.text(of: "ReplaceKeyWith"), try element.text(of: "ReplaceKeyPrefixWith")) {
        case (_?, _?):
            throw S3Error(.invalidRequest, "You can only define ReplaceKeyPrefix or ReplaceKey but not both.")
        case (let key?, nil): replacement = .key(key)
        case (nil, let prefix?): replacement = .prefix(prefix)
        case (nil, nil): break
        }
        if let text = try element.text(of: "HttpRedirectCode") {
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
        guard let scheme = try text(of: "Protocol") else { return nil }
        guard scheme == "http" || scheme == "https" else {
            throw S3Error(
                .invalidRequest,
                "Invalid protocol, protocol can be http or https. If not defined the protocol will be selected automatically.")
        }
        return scheme
    }
}
