import Cloud
import ObjectServing
import WireFormats

/// The static website configuration of a bucket. (OSS API Reference, "PutBucketWebsite".)
struct OSSWebsite: Hashable, Sendable {
    /// The response to a missing key that is the name of a folder with an index page.
    enum FolderHandling: Int, Hashable, Sendable {
        case redirect = 0
        case missing = 1
        case show = 2
    }

    /// `IndexDocument`: the suffix that is appended to folders; not empty, without a slash.
    var indexSuffix: String?
    /// `SupportSubDir`: whether subfolders have index pages of their own.
    var hasFolderIndices = false
    var folders = FolderHandling.redirect
    /// `ErrorDocument`: the key of the page for missing keys.
    var errorKey: String?
    var errorStatus = 404
    /// The routing rules by number. The first one that matches applies.
    var rules: [Rule] = []

    /// A `RoutingRule`.
    struct Rule: Hashable, Sendable {
        struct HeaderCondition: Hashable, Sendable {
            var name: String
            var equals: String?
            var begins: String?
            var ends: String?
        }

        var number: Int64
        var prefix: String?
        var suffix: String?
        /// `HttpErrorCodeReturnedEquals`.
        var errorStatus: Int?
        var headers: [HeaderCondition] = []
        /// The redirect; `nil` for a rule that runs a script.
        var redirect: Redirect?
    }

    struct Redirect: Hashable, Sendable {
        enum Kind: String, Hashable, Sendable {
            /// The object is fetched from another server.
            case mirror = "Mirror"
            case external = "External"
            case aliCDN = "AliCDN"
            /// Another object of the bucket is returned.
            case `internal` = "Internal"
        }

        var kind: Kind
        var scheme: String?
        var host: String?
        /// `ReplaceKeyWith`, in which `${key}` is replaced by the key.
        var key: String?
        /// `ReplaceKeyPrefixWith`.
        var prefix: String?
        var replacesPrefix = false
        var passesQuery = false
        var status = 302
    }

    init(_ element: XMLElement) {
        if let index = element.child("IndexDocument") {
            indexSuffix = index.child("Suffix")?.text
            hasFolderIndices = index.flag("SupportSubDir")
            folders = index.integer("Type").flatMap { FolderHandling(rawValue: Int($0)) } ?? .redirect
        }
        if let error = element.child("ErrorDocument") {
            errorKey = error.child("Key")?.text
            errorStatus = error.integer("HttpStatus").map { Int($0) } ?? 404
        }
        rules = (element.child("RoutingRules")?.children ?? []).map(Rule.init).sorted { $0.number < $1.number }
    }
}

extension OSSWebsite.Rule {
    fileprivate init(_ element: XMLElement) {
        number = element.integer("RuleNumber") ?? 0
        if let condition = element.child("Condition") {
            prefix = condition.child("KeyPrefixEquals")?.text
            suffix = condition.child("KeySuffixEquals")?.text
            errorStatus = condition.integer("HttpErrorCodeReturnedEquals").map { Int($0) }
            headers = condition.children(named: "IncludeHeader").map { header in
                HeaderCondition(
                    name: header.child("Key")?.text ?? "", equals: header.child("Equals")?.text,
                    begins: header.child("StartsWith")?.text, ends: header.child("EndsWith")?.text)
            }
        }
        redirect = element.child("Redirect").flatMap(OSSWebsite.Redirect.init)
    }

    /// Whether the rule applies to a request.
    /// - Parameters:
    ///   - status: the status of the request's error; `nil` before the request has been processed.
    ///   - header: returns the value of a request header.
    func fits(_ key: String, status: Int?, header: (String) -> String?) -> Bool {
        errorStatus == status && (prefix.map { key.utf8.starts(with: $0.utf8) } ?? true)
            && (suffix.map { key.utf8.reversed().starts(with: $0.utf8.reversed()) } ?? true)
            && headers.allSatisfy { condition in
                guard let value = header(condition.name) else { return false }
                return (condition.equals.map { $0 == value } ?? true) && (condition.begins.map(value.hasPrefix) ?? true)
                    && (condition.ends.map(value.hasSuffix) ?? true)
            }
    }
}

extension OSSWebsite.Redirect {
    fileprivate init?(_ element: XMLElement) {
        guard let kind = element.child("RedirectType").flatMap({ Kind(rawValue: $0.text.trimmed) }) else { return nil }
        self.kind = kind
        scheme = element.child("Protocol")?.text.trimmed
        host = element.child("HostName").flatMap { $0.text.trimmed.isEmpty ? nil : $0.text.trimmed }
        key = element.child("ReplaceKeyWith")?.text
        prefix = element.child("ReplaceKeyPrefixWith")?.text
        replacesPrefix = element.flag("EnableReplacePrefix")
        passesQuery = element.flag("PassQueryString")
        status = element.integer("HttpRedirectCode").map { Int($0) } ?? 302
    }

    /// Returns the key that replaces the requested one.
    /// - Parameter matched: the key prefix of the rule.
    func newKey(for old: String, matched: String?) -> String {
        if let key { return key.replacing("${key}", with: old) }
        guard let prefix else { return old }
        return replacesPrefix ? prefix + String(decoding: old.utf8.dropFirst(matched?.utf8.count ?? 0), as: UTF8.self) : prefix + old
    }
}

extension OSSWebsite {
    private static let mostRules = 20

    /// Rejects values that the schema allows and OSS does not.
    static func check(_ element: XMLElement) throws(OSSError) {
        guard !element.children.isEmpty else { throw OSSError(.malformedXML) }
        if let suffix = element.child("IndexDocument")?.child("Suffix")?.text, suffix.isEmpty || suffix.contains("/") {
            throw .invalidArgument("The IndexDocument Suffix is not well formed.", name: "IndexDocument", value: suffix)
        }
        if let error = element.child("ErrorDocument") {
            guard error.child("Key")?.text.isEmpty == false else {
                throw .invalidArgument("The ErrorDocument Key is not well formed.", name: "ErrorDocument", value: "")
            }
            if let status = error.integer("HttpStatus"), status != 200, status != 404 {
                throw .invalidArgument("The HttpStatus must be 200 or 404.", name: "HttpStatus", value: String(status))
            }
        }
        let rules = element.child("RoutingRules")?.children ?? []
        guard rules.count <= mostRules else {
            throw .invalidArgument("There are too many routing rules.", name: "RoutingRules", value: String(rules.count))
        }
        var numbers: Set<Int64> = []
        for rule in rules {
            let number = rule.integer("RuleNumber") ?? 0
            guard number > 0, numbers.insert(number).inserted else {
                throw .invalidArgument("The RuleNumber is invalid.", name: "RuleNumber", value: String(number))
            }
            if let redirect = rule.child("Redirect") { try check(redirect: redirect) }
        }
    }

    private static func check(redirect: XMLElement) throws(OSSError) {
        let kind = Redirect.Kind(rawValue: redirect.child("RedirectType")?.text.trimmed ?? "")
        if kind == .mirror {
            let url = redirect.child("MirrorURL")?.text ?? ""
            guard url.hasPrefix("http://") || url.hasPrefix("https://"), url.hasSuffix("/") else {
                throw .invalidArgument("The MirrorURL is invalid.", name: "MirrorURL", value: url)
            }
        }
        if redirect.child("ReplaceKeyWith") != nil, redirect.child("ReplaceKeyPrefixWith") != nil {
            throw .invalidArgument(
                "ReplaceKeyWith and ReplaceKeyPrefixWith exclude each other.", name: "ReplaceKeyWith", value: "not null")
        }
        if let status = redirect.integer("HttpRedirectCode"), !(301...302).contains(status), !(307...308).contains(status) {
            throw .invalidArgument("The HttpRedirectCode is invalid.", name: "HttpRedirectCode", value: String(status))
        }
        if let scheme = redirect.child("Protocol")?.text.trimmed, scheme != "http", scheme != "https" {
            throw .invalidArgument("The Protocol must be http or https.", name: "Protocol", value: scheme)
        }
    }
}

extension XMLElement {
    /// The document to store: in mirroring rules, `PassQueryString` is set to the value of `MirrorPassQueryString`. (As the tests of the
    /// SDK for Python expect of the real service.)
    var withMirroredQueries: XMLElement {
        var copy = self
        let mirrored = child("RedirectType")?.text.trimmed == "Mirror" ? child("MirrorPassQueryString")?.text : nil
        copy.content = content.map { node in
            guard case .element(let element) = node else { return node }
            if let mirrored, element.name == "PassQueryString" { return .element(XMLElement(element.name, in: "", text: mirrored)) }
            return .element(element.withMirroredQueries)
        }
        if let mirrored, child("PassQueryString") == nil {
            copy.content.append(.element(XMLElement("PassQueryString", in: "", text: mirrored)))
        }
        return copy
    }

    fileprivate func flag(_ name: String) -> Bool { child(name)?.text.trimmed == "true" }
}
