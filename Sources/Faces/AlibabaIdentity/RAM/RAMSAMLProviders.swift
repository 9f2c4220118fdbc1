import Cloud
import Directory
import Federation
import WireFormats

extension RPCService {
    /// Operations on the identity providers whose SAML assertions an account accepts.
    static let samlProviders: [String: RPCOperation] = [
        "CreateSAMLProvider": RPCOperation { try await $0.createSAMLProvider() },
        "GetSAMLProvider": RPCOperation { try await $0.getSAMLProvider() },
        "ListSAMLProviders": RPCOperation { try $0.listSAMLProviders() },
        "UpdateSAMLProvider": RPCOperation { try await $0.updateSAMLProvider() },
        "DeleteSAMLProvider": RPCOperation { try await $0.deleteSAMLProvider() },
    ]
}

extension RPCCall {
    // (IMS API Reference, "CreateSAMLProvider".)
    private static let mostProviders = 100

    private func providerName() throws(RPCError) -> String { try name("SAMLProviderName", .provider) }

    private func providerARN(_ name: String) -> String { resource("saml-provider", name) }

    private func provider(_ name: String, in directory: Directory) throws(RPCError) -> SAMLTrust {
        do { return try directory.samlTrust(providerARN(name), in: account) } catch { throw error.inWordsOfRAM }
    }

    /// Returns a provider as IMS describes it. (IMS API Reference, "GetSAMLProvider".)
    private func describe(_ trust: SAMLTrust, isListed: Bool = false, metadata: String? = nil) -> RPCValue {
        .members([
            "SAMLProviderName": .text(trust.name), "Arn": .text(trust.arn), "Description": .text(trust.description ?? ""),
            "EncodedSAMLMetadataDocument": metadata.map { .text(Array($0.utf8).base64) },
            "AuthnSignAlgo": isListed ? nil : .text(trust.signatureAlgorithm ?? "rsa-sha1"), "CreateDate": .date(trust.created),
            "UpdateDate": .date(trust.updated ?? trust.created),
        ])
    }

    /// Decodes the metadata of an identity provider from base 64.
    private func metadata(_ text: String, _ parameter: String) throws(RPCError) -> String {
        guard let bytes = [UInt8](base64: text) else { throw .wrongFormat(parameter) }
        let document = String(decoding: bytes, as: UTF8.self)
        guard SAMLMetadata(document) != nil else { throw .wrongFormat(parameter) }
        return document
    }

    private func signatureAlgorithm() throws(RPCError) -> String? {
        guard let name = text("AuthnSignAlgo") else { return nil }
        guard ["rsa-sha1", "rsa-sha256"].contains(name) else { throw .incorrect("AuthnSignAlgo") }
        return name
    }

    fileprivate func createSAMLProvider() async throws -> RPCValue {
        let name = try providerName()
        var trust = SAMLTrust(
            account: account, name: name,
            metadata: try metadata(try required("EncodedSAMLMetadataDocument"), "EncodedSAMLMetadataDocument"), created: now)
        trust.description = try remark("Description", longest: 256)
        trust.signatureAlgorithm = try signatureAlgorithm()
        trust.updated = now
        try permit(resource("saml-provider"))
        try await perform { [trust] directory throws(SAMLTrustRefusal) in
            try directory.createSAMLTrust(trust, limit: Self.mostProviders)
        }
        return ["SAMLProvider": describe(trust)]
    }

    fileprivate func getSAMLProvider() async throws -> RPCValue {
        let name = try providerName()
        try permit(providerARN(name))
        let trust = try provider(name, in: directory)
        return ["SAMLProvider": describe(trust, metadata: try await trust.currentMetadata(in: cloud))]
    }

    fileprivate func listSAMLProviders() throws(RPCError) -> RPCValue {
        try permit(resource("saml-provider"))
        let own = directory.samlTrusts.values.filter { $0.account == account }
        return try list("SAMLProviders", of: "SAMLProvider", own, most: 100, by: \.name) { describe($0, isListed: true) }
    }

    /// UpdateSAMLProvider. Requires a description, metadata or a signature algorithm.
    fileprivate func updateSAMLProvider() async throws -> RPCValue {
        let name = try providerName()
        let description = try remark("NewDescription", longest: 256)
        var document: String?
        if let text = text("NewEncodedSAMLMetadataDocument") { document = try metadata(text, "NewEncodedSAMLMetadataDocument") }
        let algorithm = try signatureAlgorithm()
        guard description != nil || document != nil || algorithm != nil else { throw RPCError.missing("NewDescription") }
        try permit(providerARN(name))
        let trust = try await edit { [document] directory in
            try directory.updateSAMLTrust(providerARN(name), in: account) { trust in
                if let description { trust.description = description }
                if let document { trust.setMetadata(document) }
                if let algorithm { trust.signatureAlgorithm = algorithm }
                trust.updated = now
            }
        }
        return ["SAMLProvider": describe(trust)]
    }

    /// DeleteSAMLProvider. Roles that trust it stay unchanged.
    fileprivate func deleteSAMLProvider() async throws -> RPCValue {
        let name = try providerName()
        try permit(providerARN(name))
        try await perform { directory throws(SAMLTrustRefusal) in
            try directory.deleteSAMLTrust(providerARN(name), in: account)
        }
        return .done
    }
}
