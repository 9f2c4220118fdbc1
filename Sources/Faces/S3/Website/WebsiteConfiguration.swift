import WireFormats

/// The website configuration of a bucket. (S3 API Reference, "WebsiteConfiguration".)
enum WebsiteConfiguration: Hashable, Sendable {
    /// `RedirectAllRequestsTo`.
    case redirectAll(host: String, scheme: String?)
    case pages(Pages)

    struct Pages: Hashable, Sendable {
        /// `IndexDocument`: the suffix that is appended to folders; not empty, without a slash.
        var indexSuffix: String
        /// `ErrorDocument`: the key of the page for errors with a 4xx status.
        var errorKey: String?
        /// The routing rules. The first one that matches applies.
        var rules: [RoutingRule] = []
    }

    /// A `RoutingRule`.
    struct RoutingRule: Hashable, Sendable {
        /// `KeyPrefixEquals`.
        var prefix: String?
        /// `HttpErrorCodeReturnedEquals`.
        var errorStatus: Int?
        var redirect: Redirect

        /// Whether the rule applies to a request.
        /// - Parameter status: the status of the request's error; `nil` before the request has been processed.
        func fits(_ key: String, status: Int?) -> Bool {
            errorStatus == status && (prefix.map { key.utf8.starts(with: $0.utf8) } ?? true)
        }
    }

    struct Redirect: Hashable, Sendable {
        enum Replacement: Hashable, Sendable {
            case key(String)
            case prefix(String)
        }

        var scheme: String?
        var host: String?
        var replacement: Replacement?
        /// `HttpRedirectCode`: 301 to 399.
        var status: Int?
    }
}

extension WebsiteConfiguration {
    static let root = "WebsiteConfiguration"

    func encode(into xml: inout XMLWriter) {
        switch self {
        case .redirectAll(let host, let scheme):
            xml.element("RedirectAllRequestsTo") { xml in
                xml.element("HostName", host)
                if let scheme { xml.element("Protocol", scheme) }
            }
        case .pages(let pages):
            xml.element("IndexDocument") { xml in xml.element("Suffix", pages.indexSuffix) }
            if let key = pages.errorKey { xml.element("ErrorDocument") { xml in xml.element("Key", key) } }
            guard !pages.rules.isEmpty else { return }
            xml.element("RoutingRules") { xml in
                for rule in pages.rules { rule.encode(into: &xml) }
            }
        }
    }
}

extension WebsiteConfiguration.RoutingRule {
    fileprivate func encode(into xml: inout XMLWriter) {
        xml.element("RoutingRule") { xml in
            if prefix != nil || errorStatus != nil {
                xml.element("Condition") { xml in
                    if let prefix { xml.element("KeyPrefixEquals", prefix) }
                    if let errorStatus { xml.element("HttpErrorCodeReturnedEquals", errorStatus) }
                }
            }
            xml.element("Redirect") { xml in
                if let scheme = redirect.scheme { xml.element("Protocol", scheme) }
                if let host = redirect.host { xml.element("HostName", host) }
                switch redirect.replacement {
                case .key(let key): xml.element("ReplaceKeyWith", key)
                case .prefix(let prefix): xml.element("ReplaceKeyPrefixWith", prefix)
                case nil: break
                }
                if let status = redirect.status { xml.element("HttpRedirectCode", status) }
            }
        }
    }
}
