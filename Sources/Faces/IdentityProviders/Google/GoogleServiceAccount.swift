import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// A service account: an application that acts for itself, or for users of its organization, with assertions that its own key signs.
/// (Google Identity, "Using OAuth 2.0 for Server to Server Applications"; RFC 7523.)
///
/// In a seed it is a client whose identifier is its e-mail address, with its public key in `metadata.jwks` and the grant of RFC 7523.
struct GoogleServiceAccount {
    let client: Client

    static let grantType = FurtherGrant.jwtBearer.rawValue

    /// The account's number, the `sub` of its ID tokens: 21 digits like Google's.
    var subject: String { Self.subject(of: client.id) }

    static func subject(of identifier: String) -> String {
        let number = SHA256.hash("service account \(identifier)").prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number)
        return "1" + String(repeating: "0", count: 20 - digits.count) + digits
    }

    init?(_ client: Client?) {
        guard let client, client.mayUse(.jwtBearer) else { return nil }
        self.client = client
    }

    /// The contents of an assertion.
    struct Request {
        var account: GoogleServiceAccount
        var scopes: [String]
        /// The user that the account impersonates; `nil` for itself.
        var person: Person?
        /// The audience of the requested ID token; `nil` if an access token is requested.
        var targetAudience: String?
    }

    /// The maximum lifetime of an assertion, in seconds.
    private static let longest: Int64 = 3600
    /// The tolerated clock skew in seconds.
    static let tolerance: Int64 = 300

    static let unknownAccount = OAuthError(.invalidGrant, "Invalid grant: account not found")
    static let unknownPerson = OAuthError(.invalidGrant, "Invalid email or User ID")

    /// Verifies an assertion.
    /// - Throws: `OAuthError`.
    static func request(_ text: String, in visit: Visit) async throws -> Request {
        guard let token = try? JSONWebToken(parsing: text) else { throw OAuthError(.invalidGrant, "Bad Request") }
        guard let issuer = token.claims["iss"]?.stringValue, let account = GoogleServiceAccount(visit.provider.client(issuer)) else {
            throw unknownAccount
        }
        guard token.algorithm == .rs256, try await visit.applications.signed(token, client: account.client, in: visit.cloud) else {
            throw OAuthError(.invalidGrant, "Invalid JWT Signature.")
        }
        // Fetching the account's keys can take long.
        guard try visit.has(account.client) else { throw unknownAccount }
        try checkTimes(token.claims, at: visit.call.arrived.seconds)
        let audiences = [
            "https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token",
            "https://www.googleapis.com/oauth2/v4/token", "https://www.googleapis.com/oauth2/v3/token", visit.baseURL + visit.path,
        ]
        guard let audience = token.claims["aud"]?.stringValue, audiences.contains(audience) else {
            throw OAuthError(.invalidGrant, "Invalid JWT: Failed audience check. The right audience is \(audiences[0])")
        }
        return try request(token.claims, account, visit)
    }

    /// Checks the times of an assertion.
    /// - Parameter now: the wall clock's time, which clients use for signing.
    private static func checkTimes(_ claims: JSONObject, at now: Int64) throws {
        let fault = OAuthError(
            .invalidGrant,
            "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in "
                + "the JWT claim.")
        guard let issued = claims["iat"]?.integerValue, let expiry = claims["exp"]?.integerValue,
            (0...1 << 40).contains(issued), (0...1 << 40).contains(expiry)
        else { throw fault }
        guard issued <= now + tolerance, expiry > now - tolerance, expiry - issued <= longest + tolerance else {
            throw fault
        }
    }

    private static func request(_ claims: JSONObject, _ account: GoogleServiceAccount, _ visit: Visit) throws -> Request {
        var request = Request(account: account, scopes: [], targetAudience: claims["target_audience"]?.stringValue)
        let scope = claims["scope"]?.stringValue ?? ""
        for name in scope.split(separator: " ") {
            guard let scope = GoogleScope.normalized(String(name)) else { throw invalidScope }
            request.scopes.append(scope)
        }
        // A request has either scopes or a target audience.
        guard request.scopes.isEmpty != (request.targetAudience == nil) else { throw invalidScope }
        // Domain-wide delegation: an administrator lists the scopes, here in the client's registration.
        if let subject = claims["sub"]?.stringValue, subject != account.client.id {
            guard let delegated = account.client.metadata.scope?.split(separator: " ").map(String.init),
                request.scopes.allSatisfy({ delegated.compactMap(GoogleScope.normalized).contains($0) })
            else {
                throw OAuthError(
                    .unauthorizedClient,
                    "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes "
                        + "requested.", status: .unauthorized)
            }
            guard let person = visit.provider.people.first(.mail(TextKey(subject))) else {
                throw unknownPerson
            }
            request.person = person
        }
        return request
    }

    private static let invalidScope = OAuthError(.invalidScope, "Invalid OAuth scope or ID token audience provided.")
}

extension GoogleServiceAccount.Request {
    /// Returns the response of the token endpoint.
    func answer(in visit: Visit) async throws -> Response {
        visit.call.note(caller: person?.name ?? account.client.id)
        // A service account has no `Person`; the token's records need only its subject.
        let holder = person ?? Person(name: "", subject: account.subject, password: "", claims: [:])
        let approval = Approval(
            provider: visit.provider, client: account.client, person: holder, scopes: scopes, authenticated: visit.cloud.clock.now)
        if let targetAudience {
            let claims: JSONObject = [
                "aud": .string(targetAudience), "azp": .string(account.client.id), "email": .string(account.client.id),
                "email_verified": true,
            ]
            let token = try await visit.mint.idToken(approval, issuer: visit.issuer, claims: claims)
            return .json(["id_token": .string(token)], headers: .unstored)
        }
        return .json(
            [
                "access_token": .string(try await visit.mint.accessToken(approval)),
                "expires_in": .integer(Int64(visit.provider.tokenLifetime)), "token_type": "Bearer",
            ], headers: .unstored)
    }
}
