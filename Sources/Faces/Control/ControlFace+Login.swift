import Calls
import Cloud
import ControlDocuments
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

extension ControlFace {
    /// The client of logins on the same device.
    private static let loginClient = "arn:aws:signin:::devtools/same-device"

    /// Returns the cache file of a login as `aws login` writes it, with a new DPoP key. (AWS SDKs and Tools Reference Guide, "Login provider".)
    /// - Parameter name: the ARN of a user or root user, or the name of a user. The first user, or else the first root user, without one.
    func offer(login name: String?, _ call: Call) throws -> Response {
        let identities = SignInIdentity.all(in: call.cloud.directory)
        let usual = identities.first { !$0.arn.hasSuffix(":root") } ?? identities.first
        guard let identity = name.map({ name in identities.first { $0.arn == name || $0.arn.hasSuffix("/\(name)") } }) ?? usual else {
            throw Self.unknownSource(name, identities.map(\.arn))
        }
        let key = try ECPrivateKey.generate()
        var grant = SignInGrant(client: Self.loginClient, begun: call.cloud.clock.now)
        (grant.identity, grant.mark) = (identity.arn, identity.mark)
        grant.keyThumbprint = try JSONWebKey(.ec(key.publicKey)).thumbprint
        let issued = try SessionTokens(cloud: call.cloud).session(signedInAs: identity)
        let credentials = issued.credentials
        let cache: JSONValue = [
            "accessToken": [
                "accessKeyId": .string(credentials.accessKeyID), "secretAccessKey": .string(credentials.secretAccessKey),
                "sessionToken": .string(issued.token), "accountId": .string(identity.account),
                "expiresAt": .string(credentials.expires.iso8601),
            ],
            "tokenType": "aws_sigv4", "clientId": .string(Self.loginClient),
            "refreshToken": .string(try grant.sealed(.refresh, in: call.cloud)), "dpopKey": .string(try key.pem),
        ]
        return Self.response(to: .login, identity.arn, role: nil) { [$0.session(identity.arn), $0.cache(cache)] }
    }
}
