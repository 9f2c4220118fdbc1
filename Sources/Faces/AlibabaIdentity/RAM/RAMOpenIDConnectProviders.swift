import Cloud
import Directory
import Seeds
import WireFormats

extension RPCService {
    /// Operations on the issuers whose ID tokens an account accepts.
    static let openIDConnectProviders: [String: RPCOperation] = [
        "CreateOIDCProvider": RPCOperation { try await $0.createOIDCProvider() },
        "GetOIDCProvider": RPCOperation { try $0.getOIDCProvider() },
        "ListOIDCProviders": RPCOperation { try $0.listOIDCProviders() },
        "UpdateOIDCProvider": RPCOperation { try await $0.updateOIDCProvider() },
        "DeleteOIDCProvider": RPCOperation { try await $0.deleteOIDCProvider() },
        "AddClientIdToOIDCProvider": RPCOperation { try await $0.addClientID() },
        "RemoveClientIdFromOIDCProvider": RPCOperation { try await $0.removeClientID() },
        "AddFingerprintToOIDCProvider": RPCOperation { try await $0.addFingerprint() },
        "RemoveFingerprintFromOIDCProvider": RPCOperation { try await $0.removeFingerprint() },
    ]
}

extension RPCCall {
    // (IMS API Reference, "CreateOIDCProvider".)
    private static let mostProviders = 100
    private static let limits: [OpenIDConnectTrust.Limit] = [.init(.clientIDs, 50), .init(.thumbprints, 5)]

    private func providerName() throws(RPCError) -> String { try name("OIDCProviderName", .provider) }

    private func providerARN(_ name: String) -> String { resource("oidc-provider", name) }

    private func provider(_ name: String, in directory: Directory) throws(RPCError) -> OpenIDConnectTrust {
        do { return try directory.openIDConnectTrust(providerARN(name), in: account) } catch { throw error.inWordsOfRAM }
    }

    /// Returns a provider as IMS describes it. (IMS API Reference, "GetOIDCProvider".)
    private func describe(_ trust: OpenIDConnectTrust) -> RPCValue {
        let updated = trust.updated ?? trust.created
        return [
            "OIDCProviderName": .text(trust.name ?? ""), "Arn": .text(trust.arn), "IssuerUrl": .text(trust.url),
            "ClientIds": .text(trust.clientIDs.joined(separator: ",")), "Fingerprints": .text(trust.thumbprints.joined(separator: ",")),
            "IssuanceLimitTime": .integer(Int64(trust.issuanceLimit ?? OpenIDConnectTrust.standardIssuanceLimit)),
            "Description": .text(trust.description ?? ""),
            "CreateDate": .date(trust.created), "UpdateDate": .date(updated),
            "GmtCreate": .text(String(trust.created.seconds * 1000)), "GmtModified": .text(String(updated.seconds * 1000)),
        ]
    }

    /// Parses client IDs, separated by commas.
    private func clientIDs(_ text: String, _ parameter: String) throws(RPCError) -> [String] {
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard ids.allSatisfy({ (1...128).contains($0.utf8.count) }) else { throw .tooLong(parameter) }
        let areMade = ids.allSatisfy { id in
            id.first.map { !".-_:/".contains($0) } == true
                && id.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || ".-_:/".utf8.contains($0) }
        }
        guard areMade else { throw .invalidCharacters(parameter) }
        return ids.uniqued()
    }

    /// Parses fingerprints of certificates, separated by commas. They are stored but not checked.
    private func fingerprints(_ text: String, _ parameter: String) throws(RPCError) -> [String] {
        let prints = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard prints.allSatisfy({ (1...128).contains($0.utf8.count) }) else { throw .tooLong(parameter) }
        guard prints.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 } }) else {
            throw .invalidCharacters(parameter)
        }
        return prints.uniqued()
    }

    /// CreateOIDCProvider.
    fileprivate func createOIDCProvider() async throws -> RPCValue {
        let name = try providerName()
        let url = try required("IssuerUrl")
        guard url.utf8.count <= 255 else { throw RPCError.tooLong("IssuerUrl") }
        guard OpenIDConnectTrust.isIssuer(url, overHTTP: cloud.takesIssuersOverHTTP) || Self.isIssuer(url) else {
            throw RPCError.wrongFormat("IssuerUrl")
        }
        var trust = OpenIDConnectTrust(account: account, url: url, clientIDs: [], created: now)
        trust.name = name
        if let text = text("ClientIds") { trust.clientIDs = try clientIDs(text, "ClientIds") }
        if let text = text("Fingerprints") { trust.thumbprints = try fingerprints(text, "Fingerprints") }
        trust.description = try remark("Description", longest: 256)
        trust.issuanceLimit = try number("IssuanceLimitTime", 1...168)
        trust.updated = now
        do { try trust.check(Self.limits) } catch { throw error.inWordsOfRAM }
        try permit(resource("oidc-provider"))
        try await perform { [trust] directory throws(OpenIDConnectTrustRefusal) in
            try directory.createOpenIDConnectTrust(trust, limit: Self.mostProviders)
        }
        return ["OIDCProvider": describe(trust)]
    }

    /// Returns whether a URL is an issuer. A port is allowed, unlike at AWS. (IMS API Reference, "CreateOIDCProvider", `IssuerUrl`.)
    private static func isIssuer(_ url: String) -> Bool {
        url.hasPrefix("https://") && OpenIDConnectTrust.isIssuer(url, overHTTP: true)
    }

    fileprivate func getOIDCProvider() throws(RPCError) -> RPCValue {
        let name = try providerName()
        try permit(providerARN(name))
        return ["OIDCProvider": describe(try provider(name, in: directory))]
    }

    fileprivate func listOIDCProviders() throws(RPCError) -> RPCValue {
        try permit(resource("oidc-provider"))
        let own = directory.trusts.values.filter { $0.account == account }
        return try list("OIDCProviders", of: "OIDCProvider", own, most: 100, by: { $0.name ?? "" }) { describe($0) }
    }

    /// Changes a provider.
    private func changeProvider(
        _ change: (inout OpenIDConnectTrust) throws(OpenIDConnectTrustRefusal) -> Void
    ) async throws -> RPCValue {
        let name = try providerName()
        try permit(providerARN(name))
        let trust = try await perform { directory throws(OpenIDConnectTrustRefusal) in
            try directory.updateOpenIDConnectTrust(providerARN(name), in: account, limits: Self.limits) {
                trust throws(OpenIDConnectTrustRefusal) in
                try change(&trust)
                trust.updated = now
            }
        }
        return ["OIDCProvider": describe(trust)]
    }

    /// UpdateOIDCProvider. Client IDs replace the previous ones.
    fileprivate func updateOIDCProvider() async throws -> RPCValue {
        var ids: [String]?
        if let text = text("ClientIds") { ids = try clientIDs(text, "ClientIds") }
        let description = try remark("NewDescription", longest: 256)
        let limit = try number("IssuanceLimitTime", 1...168)
        return try await changeProvider { [ids] trust in
            if let ids { trust.clientIDs = ids }
            if let description { trust.description = description }
            if let limit { trust.issuanceLimit = limit }
        }
    }

    /// DeleteOIDCProvider. Roles that trust it stay unchanged.
    fileprivate func deleteOIDCProvider() async throws -> RPCValue {
        let name = try providerName()
        try permit(providerARN(name))
        try await perform { directory throws(OpenIDConnectTrustRefusal) in
            try directory.deleteOpenIDConnectTrust(providerARN(name), in: account)
        }
        return .done
    }

    /// AddClientIdToOIDCProvider.
    fileprivate func addClientID() async throws -> RPCValue {
        let added = try clientIDs(try required("ClientId"), "ClientId")
        return try await changeProvider { trust in trust.addClientIDs(added) }
    }

    /// RemoveClientIdFromOIDCProvider.
    fileprivate func removeClientID() async throws -> RPCValue {
        let id = try required("ClientId")
        return try await changeProvider { trust throws(OpenIDConnectTrustRefusal) in try trust.removeClientID(id) }
    }

    /// AddFingerprintToOIDCProvider.
    fileprivate func addFingerprint() async throws -> RPCValue {
        let added = try fingerprints(try required("Fingerprint"), "Fingerprint")
        return try await changeProvider { trust in trust.addThumbprints(added) }
    }

    /// RemoveFingerprintFromOIDCProvider.
    fileprivate func removeFingerprint() async throws -> RPCValue {
        let print = try required("Fingerprint")
        return try await changeProvider { trust throws(OpenIDConnectTrustRefusal) in try trust.removeThumbprint(print) }
    }
}
