import Cloud
package import Directory
package import Tokens
package import WireFormats

/// A sign-on of a person to a service provider, from which an assertion is made.
package struct SignOn: Sendable {
    /// The identity provider that signs.
    package var provider: IdentityProvider
    /// The entity identifier of the identity provider, as the requester spells it.
    package var entityID: String
    /// The service provider that the person signs on to.
    package var serviceProvider: ServiceProvider
    /// The endpoint of the service provider that gets the response.
    package var consumer: AssertionConsumerService
    /// The person who signs on.
    package var person: Person
    /// The identifier of the request that the response answers.
    package var requestID: String?
    /// The requested format of the name; `nil` for the service provider's default.
    package var format: SAML.NameIDFormat?
    /// How the person was authenticated. (SAML Authentication Context 2.0.)
    package var context = SAML.AuthnContext.passwordProtectedTransport
    /// The time of the login when it happened.
    package var authenticated: Timestamp
    /// The identifier of the session at the identity provider.
    package var sessionIndex: String
    /// The lifetime of the session at the identity provider, in seconds.
    package var sessionLifetime: Int

    package init(
        provider: IdentityProvider, entityID: String, serviceProvider: ServiceProvider, consumer: AssertionConsumerService, person: Person,
        authenticated: Timestamp, sessionIndex: String, sessionLifetime: Int
    ) {
        self.provider = provider
        self.entityID = entityID
        self.serviceProvider = serviceProvider
        self.consumer = consumer
        self.person = person
        self.authenticated = authenticated
        self.sessionIndex = sessionIndex
        self.sessionLifetime = sessionLifetime
    }

    /// Returns the name of the person in the assertion.
    /// - Throws: `SAMLStatus` where the person has no such name, or an error of the random generator.
    package func name() throws -> AssertedName {
        let formats = serviceProvider.nameIDFormats
        let usual: SAML.NameIDFormat? = formats.isEmpty ? .unspecified : formats.first(where: AssertedName.formats.contains)
        guard let format = format ?? usual,
            let name = try AssertedName(of: person, as: format, for: serviceProvider, by: entityID)
        else { throw SAMLStatus(.responder, .invalidNameIDPolicy, "The user has no name in this format.") }
        return name
    }
}

extension TokenMint {
    /// Returns a successful response, not yet signed.
    /// - Parameters:
    ///   - name: the name of the person in the assertion.
    ///   - lifetime: the lifetime of the assertion in seconds; the service provider's default if absent.
    package func response(to signOn: SignOn, naming name: AssertedName, lifetime: Int? = nil) -> SignOnResponse {
        let now = cloud.clock.now
        let authenticated = cloud.clock.effective(signOn.authenticated)
        var response = SignOnResponse(
            issuer: signOn.entityID, serviceProvider: signOn.serviceProvider, consumer: signOn.consumer, inResponseTo: signOn.requestID,
            issued: now)
        response.content = AssertionContent(
            issuer: signOn.entityID, audience: signOn.serviceProvider.entityID, recipient: signOn.consumer.location,
            inResponseTo: signOn.requestID, name: name, issued: now, notBefore: now,
            notOnOrAfter: now + .seconds(lifetime ?? signOn.serviceProvider.assertionLifetime), authenticated: authenticated,
            sessionIndex: signOn.sessionIndex,
            sessionNotOnOrAfter: authenticated + .seconds(signOn.serviceProvider.sessionLifetime ?? signOn.sessionLifetime),
            context: signOn.context, attributes: AssertedAttribute.all(of: signOn.person, for: signOn.serviceProvider))
        return response
    }
}

/// A SAML response that was requested without a login.
package struct MintedAssertion: Sendable {
    /// How the assertion is carried.
    package var transport: SAMLTransport
    /// The name of the person in the assertion.
    package var subject: String
    /// The service provider that the response is for.
    package var serviceProvider: ServiceProvider
    /// The URL to which a browser would post the response.
    package var recipient: String
    /// The lifetime in seconds.
    package var expiresIn: Int
}

extension TokenMint {
    /// Returns the response that a browser would deliver to a service provider after this person's login.
    ///
    /// - Parameters:
    ///   - claims: claims of the person that are added or replaced.
    ///   - attributes: attributes of the assertion that are added or replaced; one without values is removed.
    ///   - lifetime: seconds; the service provider's default if absent.
    ///   - origin: the scheme and authority of the entity identifier.
    /// - Throws: `MintingError`, `SAMLStatus` where the person has no name that the service provider accepts or a value cannot be written
    ///   in XML, or an error of keys or database.
    package func assertion(
        provider name: String, user: String, serviceProvider entityID: String, claims: JSONObject = [:],
        attributes: [(name: String, values: [String])] = [], lifetime: Int?, defect: AssertionDefect? = nil, origin: String
    ) async throws -> MintedAssertion {
        guard let provider = cloud.directory.providers[name], let settings = provider.saml else { throw MintingError.unknownProvider(name) }
        guard var person = provider.person(named: user) else { throw MintingError.unknownUser(user) }
        guard let serviceProvider = settings.serviceProvider(entityID), let consumer = serviceProvider.defaultConsumerService else {
            throw MintingError.unknownClient(entityID)
        }
        if let lifetime, !(1...315_360_000).contains(lifetime) { throw MintingError.invalidLifetime }
        for (name, value) in claims.members { person.claims[name] = value }
        let signOn = SignOn(
            provider: provider, entityID: settings.entityID(baseURL: "\(origin)/idp/\(provider.name)"), serviceProvider: serviceProvider,
            consumer: consumer, person: person, authenticated: cloud.clock.now, sessionIndex: try SAMLIdentifier.make(),
            sessionLifetime: 86_400)
        let asserted = try signOn.name()
        var response = response(to: signOn, naming: asserted, lifetime: lifetime)
        response.content?.replace(attributes)
        try response.content?.check()
        response.apply(defect)
        let signer = try await SAMLSigner(
            of: provider, hash: defect == .sha1 ? .sha1 : serviceProvider.signatureHash, unpublished: defect == .otherKey, in: cloud)
        do {
            try grantIssuer.check(provider: provider.name, person: person.name)
        } catch let refusal as GrantRefusal {
            throw MintingError(refusal, provider: provider.name, user: person.name, client: entityID)
        }
        return MintedAssertion(
            transport: try response.encoded(relayState: nil, signedBy: signer), subject: asserted.value, serviceProvider: serviceProvider,
            recipient: consumer.location, expiresIn: lifetime ?? serviceProvider.assertionLifetime)
    }
}

extension AssertionContent {
    fileprivate mutating func replace(_ others: [(name: String, values: [String])]) {
        for (name, values) in others {
            let format = attributes.first { $0.name == name }?.nameFormat ?? (name.contains(":") ? .uri : .basic)
            attributes.removeAll { $0.name == name }
            if !values.isEmpty { attributes.append(AssertedAttribute(name: name, nameFormat: format, values: values)) }
        }
    }

    /// Moves all times by a number of seconds.
    fileprivate mutating func move(by seconds: Int) {
        issued = issued + .seconds(seconds)
        notBefore = notBefore + .seconds(seconds)
        notOnOrAfter = notOnOrAfter + .seconds(seconds)
        authenticated = authenticated + .seconds(seconds)
        sessionNotOnOrAfter = sessionNotOnOrAfter + .seconds(seconds)
    }
}

extension SignOnResponse {
    /// Applies one defect and leaves the rest of the response valid.
    fileprivate mutating func apply(_ defect: AssertionDefect?) {
        self.defect = defect
        // Two days exceed any clock skew tolerance.
        let distance = 86_400 * 2
        switch defect {
        case .expired:
            content?.move(by: -distance)
            issued = issued - .seconds(distance)
        case .notYetValid: content?.move(by: distance)
        case .wrongRecipient: content?.recipient = "https://elsewhere.example/acs"
        case .wrongAudience: content?.audience = "https://elsewhere.example/metadata"
        case .wrongIssuer:
            issuer = "https://elsewhere.example/idp"
            content?.issuer = issuer
        case .unsignedAssertion, .unsigned, .flippedSignatureBit, .sha1, .otherKey, nil: break
        }
    }
}
