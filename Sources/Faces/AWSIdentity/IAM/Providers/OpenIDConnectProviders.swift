import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the issuers whose tokens an account accepts. (IAM User Guide, "Create an OIDC provider in IAM".)
    static let openIDConnectProviders: [String: Operation] = [
        "CreateOpenIDConnectProvider": .init(refusing: ["IdentityCenterInstanceArn"], createOpenIDConnectProvider),
        "GetOpenIDConnectProvider": .init(getOpenIDConnectProvider),
        "DeleteOpenIDConnectProvider": .init(deleteOpenIDConnectProvider),
        "ListOpenIDConnectProviders": .authorized(listOpenIDConnectProviders),
        "UpdateOpenIDConnectProvider": .init(
            refusing: ["IdentityCenterInstanceArn", "RemoveIdentityCenterInstance"], updateOpenIDConnectProvider),
        "UpdateOpenIDConnectProviderThumbprint": .init(updateOpenIDConnectProviderThumbprint),
        "AddClientIDToOpenIDConnectProvider": .init(addClientID), "RemoveClientIDFromOpenIDConnectProvider": .init(removeClientID),
    ]

    private static let mostProviders = 100
    private static let limits: [OpenIDConnectTrust.Limit] = [.init(.thumbprints, 5), .init(.clientIDs, 100)]

    /// CreateOpenIDConnectProvider. Without thumbprints, AWS fetches the issuer's certificate. Here the list stays empty, because
    /// thumbprints are not checked.
    private static func createOpenIDConnectProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let given = call.parameters.requiredText("Url", length: 1...255)
        let clientIDs = call.parameters.list("ClientIDList", most: .max, length: 1...255)
        let thumbprints = call.thumbprints()
        let context = call.parameters.contextProvider()
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let url = call.dialect == .ceph ? given : OpenIDConnectTrust.withoutStandardPort(given)
        guard OpenIDConnectTrust.isIssuer(url, overHTTP: call.cloud.takesIssuersOverHTTP) else { throw ServiceError.notAnIssuer(url) }
        var trust = OpenIDConnectTrust(
            account: call.account, url: url, clientIDs: clientIDs.uniqued(), thumbprints: thumbprints, created: call.now, tags: tags)
        trust.contextProvider = context
        try call.authorize(on: trust.arn, newTags: tags)
        try call.admit(tags, OpenIDConnectTrust.tagFamily, on: trust.arn)
        try await call.perform { [trust] directory throws(OpenIDConnectTrustRefusal) in
            try trust.check(limits)
            try directory.createOpenIDConnectTrust(trust, limit: mostProviders)
        }
        return { [trust] xml in
            xml.element("OpenIDConnectProviderArn", trust.arn)
            xml.tags(tags)
        }
    }

    /// GetOpenIDConnectProvider. `Url` has no scheme.
    private static func getOpenIDConnectProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let trust = try call.namedOpenIDConnectProvider()
        let dialect = call.dialect
        return { xml in
            // RADOS Gateway returns the URL as it was passed.
            xml.element("Url", dialect == .ceph ? trust.url : trust.hostAndPath)
            xml.element("ClientIDList") { xml in for id in trust.clientIDs { xml.element("member", id) } }
            xml.element("ThumbprintList") { xml in for print in trust.thumbprints { xml.element("member", print) } }
            xml.element("CreateDate", trust.created.iso8601)
            if let context = trust.contextProvider { xml.element("ContextProvider") { context.encode(into: &$0) } }
            if dialect == .ceph { xml.tags(trust.tags) } else { xml.allTags(trust.tags) }
        }
    }

    /// DeleteOpenIDConnectProvider. Roles that trust it stay unchanged. If the provider does not exist, the call fails, contrary to the API
    /// reference (observed of the real service).
    private static func deleteOpenIDConnectProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = try call.authorizedOpenIDConnectProvider()
        guard let trust = call.directory.trusts[arn], trust.account == call.account else {
            throw call.dialect == .ceph ? ServiceError.missingOpenIDConnectProvider(arn) : .unknownOpenIDConnectProvider(arn)
        }
        try await call.perform { directory throws(OpenIDConnectTrustRefusal) in
            try directory.deleteOpenIDConnectTrust(trust.arn, in: trust.account)
        }
        return nil
    }

    private static func listOpenIDConnectProviders(_ call: IAMCall) async throws -> QueryService.Result? {
        let arns = call.directory.trusts.values.filter { [account = call.account] in $0.account == account }.map(\.arn).sorted()
        return { xml in
            xml.element("OpenIDConnectProviderList") { xml in
                for arn in arns { xml.element("member") { $0.element("Arn", arn) } }
            }
        }
    }

    /// UpdateOpenIDConnectProvider. It changes the context provider.
    private static func updateOpenIDConnectProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let context = call.parameters.contextProvider()
        let isRemoved = try call.parameters.flag("RemoveContextProvider") ?? false
        if isRemoved, context != nil {
            // Virga's wording.
            call.parameters.refuse(.invalidInput("ContextProvider and RemoveContextProvider cannot both be specified."))
        }
        try await changeOpenIDConnectProvider(&call) { trust in
            trust.contextProvider = isRemoved ? nil : context ?? trust.contextProvider
        }
        return nil
    }

    private static func updateOpenIDConnectProviderThumbprint(_ call: inout IAMCall) async throws -> QueryService.Result? {
        call.parameters.require(list: "ThumbprintList")
        let thumbprints = call.thumbprints()
        try await changeOpenIDConnectProvider(&call) { trust throws(OpenIDConnectTrustRefusal) in
            try trust.setThumbprints(thumbprints)
        }
        return nil
    }

    /// AddClientIDToOpenIDConnectProvider. An ID that is already in the list is ignored.
    private static func addClientID(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("ClientID", length: 1...255)
        try await changeOpenIDConnectProvider(&call) { trust in trust.addClientIDs([id]) }
        return nil
    }

    /// RemoveClientIDFromOpenIDConnectProvider. An ID that is not in the list is not an error.
    private static func removeClientID(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("ClientID", length: 1...255)
        try await changeOpenIDConnectProvider(&call) { trust in trust.clientIDs.removeAll { $0 == id } }
        return nil
    }

    private static func changeOpenIDConnectProvider(
        _ call: inout IAMCall, _ change: (inout OpenIDConnectTrust) throws(OpenIDConnectTrustRefusal) -> Void
    ) async throws {
        let arn = try call.namedOpenIDConnectProvider().arn
        _ = try await call.perform { [account = call.account] directory throws(OpenIDConnectTrustRefusal) in
            try directory.updateOpenIDConnectTrust(arn, in: account, limits: limits, change)
        }
    }
}

extension ServiceError {
    static func missingOpenIDConnectProvider(_ arn: String) -> ServiceError {
        .noSuchEntity("OpenIDConnect Provider not found for arn \(arn)")
    }

    /// The error of the operations that delete and tag providers. (This message and that for URLs were observed of the real service by
    /// others.)
    static func unknownOpenIDConnectProvider(_ arn: String) -> ServiceError {
        .noSuchEntity("OpenId connect Provider \(arn) cannot be found.")
    }

    /// The error for a URL that is not an issuer's. Without scheme or host it is not even a valid URL.
    fileprivate static func notAnIssuer(_ url: String) -> ServiceError {
        let message = "Invalid Open ID Connect Provider URL"
        guard let separator = url.firstRange(of: "://"), !url.contains(where: \.isWhitespace),
            let first = url[separator.upperBound...].first, first != "/"
        else { return .validation(message) }
        return .invalidInput(message + (url.hasPrefix("https://") ? "." : ". The URL must begin with https://."))
    }
}

extension IAMCall {
    /// Reads `ThumbprintList`, in lowercase as AWS stores it. RADOS Gateway stores it as passed.
    fileprivate mutating func thumbprints() -> [String] {
        let given = parameters.list("ThumbprintList", most: .max, length: 40...40)
        return dialect == .ceph ? given : given.map { $0.lowercased() }
    }

    /// Returns the provider that `OpenIDConnectProviderArn` names. Authorizes the call on it.
    fileprivate mutating func namedOpenIDConnectProvider() throws(ServiceError) -> OpenIDConnectTrust {
        let arn = try authorizedOpenIDConnectProvider()
        guard let trust = directory.trusts[arn], trust.account == account else { throw .missingOpenIDConnectProvider(arn) }
        return trust
    }

    /// Reads `OpenIDConnectProviderArn`, whether the provider exists or not. Authorizes the call on it.
    fileprivate mutating func authorizedOpenIDConnectProvider() throws(ServiceError) -> String {
        let arn = parameters.requiredText("OpenIDConnectProviderArn", length: 20...2048)
        try parameters.check()
        guard arn.hasPrefix("arn:aws:iam::"), arn.contains(":oidc-provider/") else { throw .invalidInput("Invalid ARN: \(arn)") }
        try authorize(on: arn, tags: directory.trusts[arn]?.tags ?? [])
        return arn
    }
}
