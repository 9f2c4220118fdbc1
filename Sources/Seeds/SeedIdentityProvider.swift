import Directory
import Tokens
import WireFormats

struct SeedIdentityProvider: Sendable, Decodable {
    var provider: IdentityProvider

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, kind, issuer, clients, people, tokenLifetime, origins, initialAccessToken, accessTokenFormat, requiresDPoPNonce
        case signingAlgorithm, saml
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name: String = try container.decode(.name, expecting: "a provider name of letters, digits and -._") { name in
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        }
        let social = IdentityProvider.Kind(rawValue: name).flatMap { $0 == .openIDConnect ? nil : $0 }
        let kind: IdentityProvider.Kind = try container.decode(.kind, or: social ?? .openIDConnect)
        // Facebook, Amazon and Google can each be present once. The name identifies them.
        guard kind == social ?? .openIDConnect else {
            let expected = social.map { "the kind \($0.rawValue), by the provider's name" } ?? "openIDConnect, or the provider's own name"
            throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: expected)
        }
        provider = IdentityProvider(
            name: name, kind: kind, issuer: nil,
            clients: try container.decode(.clients, listOf: Client.record),
            people: try container.decode(.people, listOf: Person.record),
            tokenLifetime: container.contains(.tokenLifetime)
                ? try container.decode(.tokenLifetime, expecting: "seconds from 1 to 315360000") { (1...315_360_000).contains($0) }
                : kind.descriptor.tokenLifetime)
        guard kind == .openIDConnect || !container.contains(.issuer) else {
            throw DecodingError.dataCorruptedError(
                forKey: .issuer, in: container, debugDescription: "no issuer, since the provider's own is fixed")
        }
        let own = [CodingKeys.initialAccessToken, .accessTokenFormat, .requiresDPoPNonce]
        for key in own where kind != .openIDConnect && container.contains(key) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "nothing, since it is for providers of the kind openIDConnect")
        }
        guard kind == .openIDConnect || !container.contains(.origins) else {
            throw DecodingError.dataCorruptedError(
                forKey: .origins, in: container, debugDescription: "no origins, since the provider's own are fixed")
        }
        guard kind == .openIDConnect || !container.contains(.signingAlgorithm) else {
            throw DecodingError.dataCorruptedError(
                forKey: .signingAlgorithm, in: container, debugDescription: "no algorithm, since the provider's own is fixed")
        }
        switch kind {
        case .openIDConnect:
            provider.signingAlgorithm = try container.decode(
                .signingAlgorithm, named: { name in SignatureAlgorithm.asymmetric.first { $0.rawValue == name } },
                expecting: "an algorithm with a public key, such as RS256 or ES256")
            provider.origins = try container.contains(.origins) ? container.decode(SeedIssuerOrigins.self, forKey: .origins).origins : nil
            provider.accessTokenFormat = try container.decode(
                .accessTokenFormat, named: IdentityProvider.AccessTokenFormat.init(rawValue:), expecting: "opaque or jwt")
            provider.initialAccessToken =
                try container.contains(.initialAccessToken)
                ? container.decode(.initialAccessToken, expecting: "a token", where: { !$0.isEmpty }) : nil
            provider.requiresDPoPNonce = try container.decode(ifThere: .requiresDPoPNonce)
            provider.saml = try container.contains(.saml) ? container.decode(SeedSAMLIdentityProvider.self, forKey: .saml).settings : nil
            provider.issuer = try container.decode(.issuer, expecting: issuerForm, where: isIssuer)
        case .facebook, .amazon, .google:
            provider.issuer = kind.descriptor.issuer
        }
    }
}
