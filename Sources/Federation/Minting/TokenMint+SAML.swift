import Cloud
package import Directory
package import Tokens
package import WireFormats

/// A person's way to a service provider: what an assertion is made from.
package struct SignOn: Sendable {
    /// The identity provider that signs.
    package var provider: IdentityProvider
    /// The entity identifier, as the asker spells it.
    package var entityID: String
    /// The service provider that the person signs on to.
    package var serviceProvider: ServiceProvider
    /// The endpoint of the service provider that gets the response.
    package var consumer: AssertionConsumerService
    /// The person who signs on.
    package var person: Person
    /// The request that is answered.
    package var requestID: String?
    /// The kind of name that was asked for; `nil` for the service provider's usual one.
    package var format: SAML.NameIDFormat?
    /// How the person was authenticated. (SAML Authentication Context 2.0.)
    package var context = SAML.AuthnContext.passwordProtectedTransport
    /// The stamp of the login.
    package var authenticated: Timestamp
    /// The identifier of the session at the identity provider.
    package var sessionIndex: String
    /// Seconds that our own session lasts.
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

    /// What the assertion calls the person.
    /// - Throws: `SAMLStatus` where the person has no such name, or an error of the random generator.
    package func name() throws -> AssertedName {
        let formats = serviceProvider.nameIDFormats
        let usual: SAML.NameIDFormat? = formats.isEmpty ? .unspecified : formats.first(where: AssertedName.formats.contains)
        guard let format = format ?? usual,
            let name = try AssertedName(of: person, as: format, for: serviceProvider, by: entityID)
        else { throw SAMLStatus(.responder, .invalidNameIDPolicy, "The person has no name of this format.") }
        return name
    }
}

extension TokenMint {
    /// The answer that lets a person in, not yet signed.
    /// - Parameters:
    ///   - name: what the assertion calls the person.
    ///   - lifetime: seconds that the assertion is good for; the service provider's usual ones where absent.
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

/// An answer to a service provider that was asked for without a login.
package struct MintedAssertion: Sendable {
    /// How the assertion is carried.
    package var transport: SAMLTransport
    /// What the assertion calls the person.
    package var subject: String
    /// The service provider that it is for.
    package var serviceProvider: ServiceProvider
    /// Where it would have been sent.
    package var recipient: String
    /// Seconds.
    package var expiresIn: Int
}

extension TokenMint {
    /// What a browser would bring to a service provider after this person's login.
    ///
    /// - Parameters:
    ///   - claims: replace those of the person, or add to them.
    ///   - attributes: replace those that the assertion would have, or add to them; one without values is left out.
    ///   - lifetime: seconds; the service provider's usual ones where absent.
    ///   - origin: scheme and authority that the entity identifier is spelled with.
    /// - Throws: `MintingError`, `SAMLStatus` where the person has no name that the service provider takes, or
    ///   what XML cannot say, or an error of keys or database.
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
            of: provider, hash: defect == .sha1 ? .sha1 : serviceProvider.signatureHash, stranger: defect == .otherKey, in: cloud)
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

    /// The same at another time.
    fileprivate mutating func move(by seconds: Int) {
        issued = issued + .seconds(seconds)
        notBefore = notBefore + .seconds(seconds)
        notOnOrAfter = notOnOrAfter + .seconds(seconds)
        authenticated = authenticated + .seconds(seconds)
        sessionNotOnOrAfter = sessionNotOnOrAfter + .seconds(seconds)
    }
}

extension SignOnResponse {
    /// Makes the answer wrong in one way, and keeps the rest of it right.
    fileprivate mutating func apply(_ defect: AssertionDefect?) {
        self.defect = defect
        // Further away than anybody's tolerance for clocks.
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
