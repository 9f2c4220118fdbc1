import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the SAML providers whose assertions an account accepts. (IAM User Guide, "Create a SAML identity provider in IAM".)
    static let samlProviders: [String: Operation] = [
        "CreateSAMLProvider": .init(refusing: ["ContextProvider", "IdentityCenterInstanceArn"], createSAMLProvider),
        "GetSAMLProvider": .init(getSAMLProvider),
        "UpdateSAMLProvider": .init(
            refusing: ["ContextProvider", "IdentityCenterInstanceArn", "RemoveContextProvider", "RemoveIdentityCenterInstance"],
            updateSAMLProvider),
        "DeleteSAMLProvider": .init(deleteSAMLProvider), "ListSAMLProviders": .authorized(listSAMLProviders),
    ]

    private static let mostProviders = 100

    private static func createSAMLProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("Name", length: 1...128, pattern: .samlProviderName)
        let text = call.parameters.requiredText("SAMLMetadataDocument", length: 1000...10_000_000)
        let mode = call.parameters.choice("AssertionEncryptionMode", of: ["Required", "Allowed"])
        let key = call.parameters.text("AddPrivateKey", length: 1...16_384, pattern: .policy)
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        var trust = SAMLTrust(account: call.account, name: name, metadata: text, created: call.now, tags: tags)
        try call.authorize(on: trust.arn, newTags: tags)
        try call.admit(tags, SAMLTrust.tagFamily, on: trust.arn)
        trust.validUntil = try readMetadata(text).validUntil ?? call.now + .seconds(100 * 365 * 86_400)
        trust.uuid = "SAMLP" + AccessKeyAlphabet.text(try randomBytes(17))
        trust.encryptionMode = mode
        do {
            if let key { try trust.addPrivateKey(key, id: try privateKeyID(), at: call.now) }
            try trust.checkPrivateKeys()
        } catch let refusal as SAMLPrivateKeyRefusal {
            throw refusal.inWordsOfIAM
        }
        try await call.perform { [trust] directory throws(SAMLTrustRefusal) in
            try directory.createSAMLTrust(trust, limit: mostProviders)
        }
        return { [trust] xml in
            xml.element("SAMLProviderArn", trust.arn)
            xml.tags(tags)
        }
    }

    /// A new identifier of a private key.
    private static func privateKeyID() throws -> String { "SAMLK" + AccessKeyAlphabet.text(try randomBytes(17)) }

    private static func readMetadata(_ text: String) throws(ServiceError) -> SAMLMetadata {
        guard let metadata = SAMLMetadata(text) else { throw .invalidInput("Could not parse metadata") }
        return metadata
    }

    private static func getSAMLProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let trust = try call.namedSAMLProvider()
        let metadata = try await trust.currentMetadata(in: call.cloud)
        return { xml in
            if let uuid = trust.uuid { xml.element("SAMLProviderUUID", uuid) }
            xml.element("SAMLMetadataDocument", metadata)
            xml.element("CreateDate", trust.created.iso8601)
            if let validUntil = trust.validUntil { xml.element("ValidUntil", validUntil.iso8601) }
            xml.tags(trust.tags)
            if let mode = trust.encryptionMode { xml.element("AssertionEncryptionMode", mode) }
            guard !trust.privateKeys.isEmpty else { return }
            xml.element("PrivateKeyList") { xml in
                for key in trust.privateKeys {
                    xml.element("member") { xml in
                        xml.element("KeyId", key.id)
                        xml.element("Timestamp", key.added.iso8601)
                    }
                }
            }
        }
    }

    private static func updateSAMLProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let text = call.parameters.text("SAMLMetadataDocument", length: 1000...10_000_000)
        let mode = call.parameters.choice("AssertionEncryptionMode", of: ["Required", "Allowed"])
        let added = call.parameters.text("AddPrivateKey", length: 1...16_384, pattern: .policy)
        let removed = call.parameters.text("RemovePrivateKey", length: 22...64)
        let arn = try call.namedSAMLProvider().arn
        let metadata = try text.map { text throws(ServiceError) in try readMetadata(text) }
        let keyID = try privateKeyID()
        _ = try await call.edit { [account = call.account, now = call.now] directory in
            try directory.updateSAMLTrust(arn, in: account) { trust in
                if let text, let metadata {
                    trust.setMetadata(text)
                    trust.validUntil = metadata.validUntil ?? trust.created + .seconds(100 * 365 * 86_400)
                }
                if let mode { trust.encryptionMode = mode }
                if let removed { try trust.removePrivateKey(removed) }
                if let added { try trust.addPrivateKey(added, id: keyID, at: now) }
                try trust.checkPrivateKeys()
            }
        }
        return { xml in xml.element("SAMLProviderArn", arn) }
    }

    /// DeleteSAMLProvider. Roles that trust it stay unchanged.
    private static func deleteSAMLProvider(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let trust = try call.namedSAMLProvider()
        try await call.perform { directory throws(SAMLTrustRefusal) in
            try directory.deleteSAMLTrust(trust.arn, in: trust.account)
        }
        return nil
    }

    private static func listSAMLProviders(_ call: IAMCall) async throws -> QueryService.Result? {
        let trusts = call.directory.samlTrusts.values.filter { [account = call.account] in $0.account == account }.sorted {
            $0.arn < $1.arn
        }
        return { xml in
            xml.element("SAMLProviderList") { xml in
                for trust in trusts {
                    xml.element("member") { xml in
                        xml.element("Arn", trust.arn)
                        if let validUntil = trust.validUntil { xml.element("ValidUntil", validUntil.iso8601) }
                        xml.element("CreateDate", trust.created.iso8601)
                    }
                }
            }
        }
    }
}

extension ServiceError {
    static func missingSAMLProvider(_ arn: String) -> ServiceError { .noSuchEntity("Manifest not found for arn \(arn)") }
}

extension QueryParameters.Pattern {
    fileprivate static let samlProviderName = Self(text: "[\\w._-]+") { word.accepts($0) || $0 == "." || $0 == "-" }
}

extension IAMCall {
    /// Returns the provider that `SAMLProviderArn` names. Authorizes the call on it.
    fileprivate mutating func namedSAMLProvider() throws(ServiceError) -> SAMLTrust {
        let arn = parameters.requiredText("SAMLProviderArn", length: 20...2048)
        try parameters.check()
        guard arn.hasPrefix("arn:aws:iam::"), arn.contains(":saml-provider/") else { throw .invalidInput("Invalid ARN: \(arn)") }
        try authorize(on: arn, tags: directory.samlTrusts[arn]?.tags ?? [])
        return try SAMLTrust.required(arn, in: directory, account: account)
    }
}
