package import Cloud
import Cryptography
package import Directory
import Tokens
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
    ///   - cloud: the sandbox. An assertion of another one with the same keys is rejected.
    /// - Throws: ``SAMLIdentityError``, or an error of the database.
    package func verify(_ text: String, for roleARN: String, in cloud: Cloud) async throws -> SAMLIdentity {
        var run = DecidingRun<SAMLIdentityError>()
        let identity = try verify(text, for: roleARN, &run)
        guard try await !isOfAnotherSandbox(identity, in: cloud) else { throw SAMLIdentityError.response(.notSigned(.wrongSignature)) }
        return identity
    }

    /// Returns every check of a response.
    /// - Throws: an error of the database.
    package func checks(of text: String, for roleARN: String, in cloud: Cloud) async throws -> [VerificationCheck<SAMLIdentityError>] {
        var run = RecordingRun<SAMLIdentityError>()
        do {
            let identity = try verify(text, for: roleARN, &run)
            let isForeign = try await isOfAnotherSandbox(identity, in: cloud)
            try run.check("sandbox") { () throws(SAMLIdentityError) in
                if isForeign { throw .response(.notSigned(.wrongSignature)) }
            }
        } catch is SAMLIdentityError {}
        return run.checks
    }

    private func isOfAnotherSandbox(_ identity: SAMLIdentity, in cloud: Cloud) async throws -> Bool {
        try await cloud.isOfAnotherSandbox(assertion: identity.assertionID, signedByOneOf: metadata.signingKeys)
    }

    private func verify<Run: CheckRun>(
        _ text: String, for roleARN: String, _ run: inout Run
    ) throws(SAMLIdentityError) -> SAMLIdentity where Run.Failure == SAMLIdentityError {
        let assertion = try assertion(in: text, &run)
        return try identity(assertion, roleARN: roleARN, &run)
    }

    private func assertion<Run: CheckRun>(
        in text: String, _ run: inout Run
    ) throws(SAMLIdentityError) -> SAMLAssertion where Run.Failure == SAMLIdentityError {
        let document = try run.find("base64") { () throws(SAMLIdentityError) -> [UInt8] in
            // Browser forms may wrap the text into lines.
            guard let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw .notBase64 }
            return document
        }
        let verifier = SAMLResponseVerifier(
            issuer: metadata.entityID, keys: metadata.signingKeys,
            decryptionKeys: trust.privateKeys.compactMap { try? RSAPrivateKey(pem: $0.pem) },
            requiringEncryption: trust.encryptionMode == "Required", comparingResponseIssuer: false)
        let verified = Result { () throws(SAMLResponseError) in try verifier.verify(document) }.mapError(SAMLIdentityError.response)
        try run.find("response") { () throws(SAMLIdentityError) in
            switch verified {
            case .success, .failure(.response(.foreignIssuer)), .failure(.response(.notSigned)): return
            case .failure(let error): throw error
            }
        }
        try run.find("issuer") { () throws(SAMLIdentityError) in
            if case .failure(let error) = verified, error == .response(.foreignIssuer) { throw error }
        }
        return try run.find("signature") { () throws(SAMLIdentityError) in try verified.get() }
    }

    /// What AWS requires of an assertion.
    private struct Form {
        let nameID: SAMLAssertion.NameID
        let format: String
        let recipient: String
        let ends: [Timestamp]
        let sessionEnd: Timestamp?

        init(_ assertion: SAMLAssertion) throws(SAMLIdentityError) {
            guard let nameID = assertion.nameID, !nameID.value.isEmpty else { throw .noSubject }
            guard let format = nameID.format, !format.isEmpty else { throw .malformed("NameID must have a Format.") }
            guard assertion.confirmations.count == 1, let recipient = assertion.confirmations[0].recipient, !recipient.isEmpty,
                let end = assertion.confirmations[0].notOnOrAfter
            else { throw .malformed("There must be exactly one SubjectConfirmation, with Recipient and NotOnOrAfter.") }
            guard let conditions = assertion.conditions else { throw .malformed("The assertion must have Conditions.") }
            guard !assertion.authentications.isEmpty else { throw .malformed("The assertion must have an AuthnStatement.") }
            (self.nameID, self.format, self.recipient) = (nameID, format, recipient)
            sessionEnd = assertion.authentications.compactMap(\.sessionEnd).min { $0.milliseconds < $1.milliseconds }
            ends = [end, conditions.notOnOrAfter, sessionEnd].compactMap(\.self)
        }
    }

    private func checkTimes(of assertion: SAMLAssertion, _ form: Form) throws(SAMLIdentityError) {
        for end in form.ends where clock.hasExpired(end, issuedAt: assertion.issued) { throw .expired }
        let redeemed = Timestamp(milliseconds: assertion.issued.milliseconds + Self.maximumAge * 1000)
        guard !clock.hasExpired(redeemed, issuedAt: assertion.issued) else { throw .tooLate }
    }

    private func identity<Run: CheckRun>(
        _ assertion: SAMLAssertion, roleARN: String, _ run: inout Run
    ) throws(SAMLIdentityError) -> SAMLIdentity where Run.Failure == SAMLIdentityError {
        let form = try run.find("form") { () throws(SAMLIdentityError) in try Form(assertion) }
        let (nameID, format, recipient, sessionEnd) = (form.nameID, form.format, form.recipient, form.sessionEnd)
        try run.check("times") { () throws(SAMLIdentityError) in try checkTimes(of: assertion, form) }
        let attributes = SAMLSessionAttributes(assertion)
        try run.check("role") { () throws(SAMLIdentityError) in
            guard attributes.names(role: roleARN, of: trust.arn) else { throw .roleNotNamed }
        }
        let requests = try run.find("session tags") { () throws(SAMLIdentityError) in try attributes.requests() }
        let sessionName = try run.find("session name") { () throws(SAMLIdentityError) in try attributes.sessionName() }
        let duration = try run.find("session duration") { () throws(SAMLIdentityError) in try attributes.sessionDuration() }
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
            sessionKeys: subjectKeys, requests: requests, sessionName: sessionName, sessionDuration: duration,
            // Aging moves the end of the session together with the assertion.
            sessionEnd: sessionEnd.map { clock.effectiveExpiry($0, issuedAt: assertion.issued) })
    }

    private static let formatPrefix = "urn:oasis:names:tc:SAML:2.0:nameid-format:"
}

/// A login at a SAML provider, as identity pools see it: no role is chosen yet.
package struct SAMLLogin: Sendable {
    /// The name identifier.
    package let subject: String
    /// The `Recipient` of the confirmation.
    package let audience: String
    /// The entity ID of the issuer.
    package let issuer: String
    /// The values of attributes, by the names of the attributes.
    package let attributes: JSONObject
    /// The ARNs of the roles that the attribute `Role` names together with the provider.
    package let roles: [String]
}

extension SAMLIdentityVerifier {
    /// Verifies the response of a login at an identity pool.
    /// - Parameter text: the response in base 64.
    /// - Throws: ``SAMLIdentityError``, or an error of the database.
    package func login(_ text: String, in cloud: Cloud) async throws -> SAMLLogin {
        var run = DecidingRun<SAMLIdentityError>()
        let assertion = try assertion(in: text, &run)
        let form = try Form(assertion)
        try checkTimes(of: assertion, form)
        let isForeign = try await cloud.isOfAnotherSandbox(assertion: assertion.id, signedByOneOf: metadata.signingKeys)
        guard !isForeign else { throw SAMLIdentityError.response(.notSigned(.wrongSignature)) }
        var attributes = JSONObject()
        for attribute in assertion.attributes {
            let known: [JSONValue] = attributes[attribute.name].map { $0.arrayValue ?? [$0] } ?? []
            let values = known + attribute.values.map { JSONValue.string($0) }
            attributes[attribute.name] = values.count == 1 ? values[0] : JSONValue.array(values)
        }
        return SAMLLogin(
            subject: form.nameID.value, audience: form.recipient, issuer: assertion.issuer, attributes: attributes,
            roles: SAMLSessionAttributes(assertion).roles(of: trust.arn))
    }
}
