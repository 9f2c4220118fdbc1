import Testing
import WireFormats

@testable import Directory

@Suite("Operations on identity providers of accounts")
struct ProviderOperationTests {
    private static let aws = "123456789012"
    private static let alibaba = "1234567890123456"

    private func trust(_ account: String, _ url: String, name: String? = nil) -> OpenIDConnectTrust {
        var trust = OpenIDConnectTrust(account: account, url: url, clientIDs: ["one"])
        trust.name = name
        return trust
    }

    @Test("create OpenID Connect providers up to a limit, each URL once")
    func creates() throws {
        var directory = Directory()
        try directory.createOpenIDConnectTrust(trust(Self.aws, "https://a.example"), limit: 1)
        #expect(throws: OpenIDConnectTrustRefusal.alreadyExists(url: "https://a.example")) {
            try directory.createOpenIDConnectTrust(trust(Self.aws, "https://a.example"), limit: 9)
        }
        #expect(throws: OpenIDConnectTrustRefusal.limitExceeded(.providersOfAccount, 1)) {
            try directory.createOpenIDConnectTrust(trust(Self.aws, "https://b.example"), limit: 1)
        }
        try directory.createOpenIDConnectTrust(trust(Self.alibaba, "https://a.example", name: "a"), limit: 2)
        #expect(throws: OpenIDConnectTrustRefusal.urlAlreadyExists("https://a.example")) {
            try directory.createOpenIDConnectTrust(trust(Self.alibaba, "https://a.example", name: "b"), limit: 2)
        }
    }

    @Test("change client IDs and thumbprints within limits, which are checked in order")
    func changes() throws {
        var directory = Directory()
        let trust = trust(Self.aws, "https://a.example")
        try directory.createOpenIDConnectTrust(trust, limit: 1)
        let limits: [OpenIDConnectTrust.Limit] = [.init(.thumbprints, 1), .init(.clientIDs, 2)]
        func update(_ change: (inout OpenIDConnectTrust) throws(OpenIDConnectTrustRefusal) -> Void) throws {
            try directory.updateOpenIDConnectTrust(trust.arn, in: Self.aws, limits: limits, change)
        }
        try update { $0.addClientIDs(["two", "one"]) }
        #expect(directory.trusts[trust.arn]?.clientIDs == ["one", "two"])
        #expect(throws: OpenIDConnectTrustRefusal.limitExceeded(.thumbprints, 1)) {
            try update {
                $0.addClientIDs(["three"])
                $0.addThumbprints(["aa", "bb"])
            }
        }
        #expect(throws: OpenIDConnectTrustRefusal.limitExceeded(.clientIDs, 2)) { try update { $0.addClientIDs(["three"]) } }
        #expect(throws: OpenIDConnectTrustRefusal.noThumbprints) {
            try update { trust throws(OpenIDConnectTrustRefusal) in try trust.setThumbprints([]) }
        }
        #expect(throws: OpenIDConnectTrustRefusal.noSuchClientID("three")) {
            try update { trust throws(OpenIDConnectTrustRefusal) in try trust.removeClientID("three") }
        }
        #expect(throws: OpenIDConnectTrustRefusal.noSuchThumbprint("aa")) {
            try update { trust throws(OpenIDConnectTrustRefusal) in try trust.removeThumbprint("aa") }
        }
        #expect(throws: OpenIDConnectTrustRefusal.noSuchProvider(trust.arn)) {
            try directory.deleteOpenIDConnectTrust(trust.arn, in: Self.alibaba)
        }
        try directory.deleteOpenIDConnectTrust(trust.arn, in: Self.aws)
        #expect(directory.trusts.isEmpty)
    }

    @Test("create, change and delete SAML providers")
    func saml() throws {
        var directory = Directory()
        var trust = SAMLTrust(account: Self.aws, name: "idp", metadata: "<old/>", created: .fill)
        trust.identityProvider = "ours"
        try directory.createSAMLTrust(trust, limit: 1)
        #expect(throws: SAMLTrustRefusal.alreadyExists(trust.arn)) { try directory.createSAMLTrust(trust, limit: 9) }
        let other = SAMLTrust(account: Self.aws, name: "other", metadata: "", created: .fill)
        #expect(throws: SAMLTrustRefusal.limitExceeded(1)) { try directory.createSAMLTrust(other, limit: 1) }
        let changed = try directory.updateSAMLTrust(trust.arn, in: Self.aws) { $0.setMetadata("<new/>") }
        #expect(changed.metadata == "<new/>")
        #expect(changed.identityProvider == nil)
        #expect(throws: SAMLPrivateKeyRefusal.noSuchKey("K")) {
            try directory.updateSAMLTrust(trust.arn, in: Self.aws) { try $0.removePrivateKey("K") }
        }
        #expect(throws: SAMLPrivateKeyRefusal.invalidKey) {
            try directory.updateSAMLTrust(trust.arn, in: Self.aws) { try $0.addPrivateKey("no key", id: "K", at: .fill) }
        }
        #expect(throws: SAMLPrivateKeyRefusal.keyRequired) {
            try directory.updateSAMLTrust(trust.arn, in: Self.aws) { trust in
                trust.encryptionMode = "Required"
                try trust.checkPrivateKeys()
            }
        }
        #expect(throws: SAMLTrustRefusal.noSuchProvider(trust.arn)) { try directory.deleteSAMLTrust(trust.arn, in: Self.alibaba) }
        try directory.deleteSAMLTrust(trust.arn, in: Self.aws)
        #expect(directory.samlTrusts.isEmpty)
    }
}
