package import Cloud
import Cryptography
import Tokens
package import WireFormats

/// A sealed text of a login: the request that a page continues, the authorization code, or the refresh token.
package struct SignInGrant: Sendable {
    /// The purposes of the texts.
    package enum Kind: String, Sendable {
        case form = "signin form"
        case code = "signin code"
        case refresh = "signin refresh"
    }

    /// The ARN of the identity; empty in a form.
    package var identity = ""
    /// The ``SignInIdentity/mark`` of the identity at the login.
    package var mark = ""
    /// The client.
    package var client: String
    /// The redirect URI.
    package var redirect = ""
    /// The value that the client expects with the code.
    package var state = ""
    /// The challenge of the code.
    package var challenge = ""
    /// The thumbprint of the key that a refresh token is bound to.
    package var keyThumbprint = ""
    /// What the code and the refresh tokens of a login have in common; empty in a form.
    package var family = ""
    /// When the identity logged in; of a form, when the page was shown.
    package var begun: Timestamp
    /// Identifies the text, so that it is used once.
    package private(set) var identifier = ""

    /// The lifetime of codes and forms.
    package static let codeLifetime = Duration.seconds(600)

    /// - Parameters:
    ///   - client: the client.
    ///   - begun: when the identity logged in.
    package init(client: String, begun: Timestamp) {
        self.client = client
        self.begun = begun
    }

    private static let members: [(String, any WritableKeyPath<SignInGrant, String> & Sendable)] = [
        ("i", \.identity), ("m", \.mark), ("c", \.client), ("r", \.redirect), ("s", \.state), ("p", \.challenge), ("k", \.keyThumbprint),
        ("f", \.family),
    ]

    /// Returns a new text. A code begins a family.
    /// - Throws: an error of the random generator.
    package func sealed(_ kind: Kind, in cloud: Cloud) throws -> String {
        let identifier = try randomBytes(16).base64url
        var json: JSONObject = ["t": .integer(begun.milliseconds), "j": .string(identifier)]
        for (name, path) in Self.members where !self[keyPath: path].isEmpty { json[name] = .string(self[keyPath: path]) }
        if kind == .code { json["f"] = .string(identifier) }
        let bytes = JSONValue.object(json).serializedBytes()
        return try SealedRecord.sealedBytes(bytes, key: cloud.sealingKey, context: Array(kind.rawValue.utf8)).base64url
    }

    /// Opens a text; `nil` for one that was not sealed here for this purpose.
    package init?(_ text: String, _ kind: Kind, in cloud: Cloud) {
        guard let bytes = [UInt8](base64url: text),
            let plain = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: Array(kind.rawValue.utf8)),
            let json = try? JSONValue(parsing: plain), let begun = json["t"]?.integerValue, let identifier = json["j"]?.stringValue
        else { return nil }
        self.init(client: "", begun: Timestamp(stored: begun))
        self.identifier = identifier
        for (name, path) in Self.members { self[keyPath: path] = json[name]?.stringValue ?? "" }
    }

    /// Uses the text up, together with the proof of the request.
    /// - Parameter proof: identifies the proof, together with its key.
    /// - Throws: an error of the database.
    package func use(proof: String, in cloud: Cloud) async throws -> GrantStore.Use {
        try await cloud.grants.use(
            identifier, proof: proof, family: family, until: begun + .seconds(SignInIdentity.usualSession))
    }
}

extension SessionTokens {
    /// The lifetime of the credentials of a login in seconds.
    package static let signInLifetime = 900

    /// Issues credentials of an identity that has logged in.
    /// - Parameter duration: the duration in seconds.
    package func session(
        signedInAs identity: SignInIdentity, duration: Int = signInLifetime
    ) throws -> (credentials: SessionCredentials, token: String) {
        try mint(for: identity.holder, duration: duration) { $0.claims.append(SessionCredentials.signInMark) }
    }
}

extension SessionCredentials {
    /// Marks the sessions of logins, which may do what their identity may, unlike those of GetSessionToken.
    fileprivate static let signInMark = Claim(key: "virga:SignIn", values: ["true"])

    /// Whether the session is that of a login.
    package var isSignIn: Bool { claims.contains { $0.key == Self.signInMark.key } }
}
