import Cryptography
package import Directory
import WireFormats

/// The files in a home folder with which SDKs and the AWS CLI are logged in as a person.
/// (AWS SDKs and Tools Reference Guide, "IAM Identity Center authentication".)
package struct CenterProfile: Sendable {
    /// The account of the credentials.
    package let account: String
    /// The permission set of the credentials.
    package let permissionSet: String
    private let center: IdentityCenter
    private let client: CenterClient
    private let secret: String
    private let tokens: CenterTokens.Issued

    /// The name of the section `sso-session`.
    private static let session = "virga"
    /// The scope without which clients get no refresh tokens.
    package static let scope = "sso:account:access"

    /// - Parameter secret: a secret of the client.
    package init(
        of permissionSet: String, in account: String, by center: IdentityCenter, for client: CenterClient, secret: String,
        tokens: CenterTokens.Issued
    ) {
        self.account = account
        self.permissionSet = permissionSet
        self.center = center
        self.client = client
        self.secret = secret
        self.tokens = tokens
    }

    /// The contents of the files by their paths in the home folder.
    package var files: [(path: String, text: String)] {
        [(".aws/config", config), (".aws/sso/cache/\(SHA1.hash(Array(Self.session.utf8)).hex).json", token.serialized())]
    }

    private var config: String {
        """
        [default]
        sso_session = \(Self.session)
        sso_account_id = \(account)
        sso_role_name = \(permissionSet)
        region = \(center.region)

        [sso-session \(Self.session)]
        sso_start_url = \(center.startURL)
        sso_region = \(center.region)
        sso_registration_scopes = \(Self.scope)

        """
    }

    private var token: JSONValue {
        var token: JSONObject = [
            "startUrl": .string(center.startURL), "region": .string(center.region), "accessToken": .string(tokens.accessToken),
            "expiresAt": .string(tokens.expires.iso8601), "clientId": .string(client.id), "clientSecret": .string(secret),
            "registrationExpiresAt": .string(client.expires.iso8601),
        ]
        if let refreshToken = tokens.refreshToken { token["refreshToken"] = .string(refreshToken) }
        return .object(token)
    }
}
