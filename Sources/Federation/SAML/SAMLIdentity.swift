package import Cloud
import Cryptography
package import Directory
package import WireFormats

/// An identity authenticated by a SAML identity provider, for `AssumeRoleWithSAML`.
package struct SAMLIdentity: FederatedIdentity {
    package static let action = "sts:AssumeRoleWithSAML"

    /// The ARN of the SAML provider.
    package let federatedPrincipal: String
    /// The identifier of the assertion.
    package let assertionID: String
    /// The name identifier.
    package let subject: String
    /// The format of the name identifier without the prefix of SAML 2.0: `persistent`, `transient`, or another URI.
    package let subjectType: String
    /// The entity ID of the issuer.
    package let issuer: String
    /// The `Recipient` of the confirmation.
    package let audience: String
    /// The hash that distinguishes equal subjects of different providers.
    package let nameQualifier: String
    package let trustKeys: [SessionCredentials.Claim]
    /// The condition keys that are kept in the session.
    package let sessionKeys: [SessionCredentials.Claim]
    package let requests: SessionRequests
    /// The value of the attribute `RoleSessionName`.
    package let sessionName: String
    /// The maximum duration of the session in seconds, if the provider sets one.
    package let sessionDuration: Int?
    /// The end of the provider's own session, if it sets one.
    package let sessionEnd: Timestamp?
}

/// The reason why `AssumeRoleWithSAML` rejects an assertion. The face adds the message.
package enum SAMLIdentityError: Error, Hashable, Sendable {
    /// The text is not base 64.
    case notBase64
    case response(SAMLResponseError)
    /// The assertion lacks a part that AWS requires, or has it in another form; the text describes it.
    case malformed(String)
    /// The assertion has no subject.
    case noSubject
    case expired
    /// The assertion was issued more than five minutes ago.
    case tooLate
    /// No value of the attribute `Role` contains the pair of role and provider.
    case roleNotNamed
    case noSessionName
    case malformedSessionName
    case malformedSourceIdentity
    case malformedDuration
    /// AWS does not accept a tag or the list of transitive tags; the text is the message.
    case malformedTags(String)
}

/// Verifies the response that `AssumeRoleWithSAML` receives, by the rules observed at AWS. (IAM User Guide, "Configure SAML assertions for
/// the authentication response".)
///
/// The audience, the recipient, the response's own issuer and `NotBefore` are not checked, and an assertion can be used repeatedly.
package struct SAMLIdentityVerifier: Sendable {
    let clock: SandboxClock
    let metadata: SAMLMetadata
    let trust: SAMLTrust

    /// The maximum age of an assertion in seconds.
    private static let maximumAge: Int64 = 300

    package init(clock: SandboxClock, metadata: SAMLMetadata, trust: SAMLTrust) {
        self.clock = clock
        self.metadata = metadata
        self.trust = trust
    }

    /// Verifies a response.
    /// - Parameters:
    ///   - text: the response in base 64.
    ///   - roleARN: the requested role.
    package func verify(_ text: String, for roleARN: String) throws(SAMLIdentityError) -> SAMLIdentity {
        // Browser forms may wrap the text into lines.
        guard let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw .notBase64 }
        let verifier = SAMLResponseVerifier(
            issuer: metadata.entityID, keys: metadata.signingKeys,
            decryptionKeys: trust.privateKeys.compactMap { try? RSAPrivateKey(pem: $0.pem) },
            requiringEncryption: trust.encryptionMode == "Required", comparingResponseIssuer: false)
        let assertion: SAMLAssertion
        do {
            assertion = try verifier.verify(document)
        } catch {
            throw .response(error)
        }
        return try identity(assertion, roleARN: roleARN)
    }

    private func identity(_ assertion: SAMLAssertion, roleARN: String) throws(SAMLIdentityError) -> SAMLIdentity {
        guard let nameID = assertion.nameID, !nameID.value.isEmpty else { throw .noSubject }
        guard let format = nameID.format, !format.isEmpty else { throw .malformed("NameID must have a Format.") }
        guard assertion.confirmations.count == 1, let recipient = assertion.confirmations[0].recipient, !recipient.isEmpty,
            let end = assertion.confirmations[0].notOnOrAfter
        else { throw .malformed("There must be exactly one SubjectConfirmation, with Recipient and NotOnOrAfter.") }
        guard let conditions = assertion.conditions else { throw .malformed("The assertion must have Conditions.") }
        guard !assertion.authentications.isEmpty else { throw .malformed("The assertion must have an AuthnStatement.") }
        let sessionEnd = assertion.authentications.compactMap(\.sessionEnd).min { $0.milliseconds < $1.milliseconds }
        for end in [end, conditions.notOnOrAfter, sessionEnd] {
            if let end, clock.hasExpired(end, issuedAt: assertion.issued) { throw .expired }
        }
        let redeemed = Timestamp(milliseconds: assertion.issued.milliseconds + Self.maximumAge * 1000)
        guard !clock.hasExpired(redeemed, issuedAt: assertion.issued) else { throw .tooLate }
        let attributes = SAMLSessionAttributes(assertion)
        guard attributes.names(role: roleARN, of: trust.arn) else { throw .roleNotNamed }
        let type = format.hasPrefix(Self.formatPrefix) ? String(format.dropFirst(Self.formatPrefix.count)) : format
        let qualifier = SHA1.hash(Array("\(assertion.issuer)\(trust.account)/\(trust.name)".utf8)).base64
        let subjectKeys: [SessionCredentials.Claim] = [
            .init(key: "saml:sub", values: [nameID.value]), .init(key: "saml:sub_type", values: [type]),
            .init(key: "saml:namequalifier", values: [qualifier]),
        ]
        return SAMLIdentity(
            federatedPrincipal: trust.arn, assertionID: assertion.id, subject: nameID.value, subjectType: type, issuer: assertion.issuer,
            audience: recipient,
            nameQualifier: qualifier,
            trustKeys: subjectKeys
                + [
                    .init(key: "saml:aud", values: [recipient]), .init(key: "saml:iss", values: [assertion.issuer]),
                    .init(key: "saml:doc", values: ["\(trust.account)/\(trust.name)"]),
                ] + attributes.conditionKeys,
            sessionKeys: subjectKeys, requests: try attributes.requests(), sessionName: try attributes.sessionName(),
            sessionDuration: try attributes.sessionDuration(),
            // Aging moves the end of the session together with the assertion.
            sessionEnd: sessionEnd.map { clock.effectiveExpiry($0, issuedAt: assertion.issued) })
    }

    private static let formatPrefix = "urn:oasis:names:tc:SAML:2.0:nameid-format:"
}
