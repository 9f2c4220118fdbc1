package import Cloud
package import Directory
import Tokens
package import WireFormats

/// Why a token of a user pool is refused.
package enum UserPoolTokenFault: Error, Equatable {
    /// The text is not a token of a user pool of this sandbox, or a token of the other use.
    case invalid
    /// No key of the pool signed the token.
    case signature
    case expired
    /// The login was revoked, or the person was deleted.
    case revoked
    /// The person cannot sign in.
    case disabled
}

/// A token of a user pool whose signature and times are good.
package struct VerifiedUserPoolToken: Sendable {
    /// The two uses. The raw value is the claim `token_use`.
    package enum Use: String, Sendable {
        case access, id
    }

    /// The pool.
    package let pool: UserPool
    /// The identifier of the client.
    package let client: String
    /// All claims.
    package let claims: JSONObject

    /// The scopes of an access token.
    package var scopes: [String] { claims["scope"]?.stringValue.map { $0.split(separator: " ").map(String.init) } ?? [] }

    /// Verifies a token.
    /// - Parameter pool: the identifier of the only pool that can have issued it; `nil` for any.
    /// - Throws: ``UserPoolTokenFault``, or an error of the keys' storage.
    package init(_ text: String, use: Use, pool expected: String? = nil, in cloud: Cloud) async throws {
        guard let token = try? JSONWebToken(parsing: text, accepting: [.rs256]), let issuer = token.claims["iss"]?.stringValue,
            let pool = cloud.directory.userPools.pool(ofIssuer: issuer), expected == nil || expected == pool.id,
            token.claims["token_use"] == .string(use.rawValue),
            let client = token.claims[use == .access ? "client_id" : "aud"]?.stringValue
        else { throw UserPoolTokenFault.invalid }
        let keyName = use == .access ? pool.keyNameOfAccessTokens : pool.keyNameOfIDTokens
        guard let keyID = token.keyID, let key = try await cloud.verificationKey(keyID, of: keyName),
            (try? token.verify(with: key)) != nil
        else { throw UserPoolTokenFault.signature }
        guard let issued = token.claims["iat"]?.integerValue, let expires = token.claims["exp"]?.integerValue else {
            throw UserPoolTokenFault.invalid
        }
        guard !cloud.clock.hasExpired(Timestamp(seconds: expires), issuedAt: Timestamp(seconds: issued)) else {
            throw UserPoolTokenFault.expired
        }
        (self.pool, self.client, claims) = (pool, client, token.claims)
    }

    /// Returns the person, if the login still continues.
    /// - Throws: ``UserPoolTokenFault``, or an error of the database.
    package func currentUser(in cloud: Cloud) throws -> UserPoolUser {
        guard let sub = claims["sub"]?.stringValue, let login = claims["origin_jti"]?.stringValue,
            let user = cloud.directory.userPools.user(sub: sub, in: pool.id)
        else { throw UserPoolTokenFault.revoked }
        guard user.isEnabled else { throw UserPoolTokenFault.disabled }
        guard try UserPoolLoginStore(cloud: cloud).isLive(login, of: pool) else { throw UserPoolTokenFault.revoked }
        return user
    }
}

extension UserPools {
    /// Returns the pool with an issuer, by either of its canonical names; `nil` if there is none.
    package func pool(ofIssuer issuer: String) -> UserPool? {
        guard let slash = issuer.lastIndex(of: "/") else { return nil }
        return pool(String(issuer[slash...].dropFirst())).flatMap { $0.issuer == issuer ? $0 : nil }
    }
}
