import Cryptography
import Directory
import WireFormats

/// An identity provider as a walk uses it: its endpoints, and the client and people of the seed.
struct WalkProvider: Sendable {
    var name: String
    var kind: IdentityProvider.Kind
    /// The canonical issuer without its scheme, for ARNs and condition keys.
    var issuer: String?
    var clientID: String
    /// `nil` for a public client.
    var clientSecret: String?
    /// Amazon's name for the client in policies.
    var applicationID: String?
    var people: [Person]

    /// A person of the seed.
    struct Person: Sendable {
        var name: String
        var fullName: String
        var subject: String
    }

    /// - Parameter json: a provider as in seeds; `nil` if it has no client or no people.
    init?(_ json: JSONValue) {
        let clients = json["clients"]?.arrayValue ?? []
        guard let name = json["name"]?.stringValue,
            let client = clients.first(where: { $0["secret"]?.stringValue != nil }) ?? clients.first, let id = client["id"]?.stringValue
        else { return nil }
        self.name = name
        kind = IdentityProvider.Kind(of: json)
        issuer = json["issuer"]?.stringValue.map { url in
            ["https://", "http://"].first(where: url.hasPrefix).map { String(url.dropFirst($0.count)) } ?? url
        }
        clientID = id
        clientSecret = client["secret"]?.stringValue
        applicationID = client["applicationID"]?.stringValue
        people = (json["people"]?.arrayValue ?? []).compactMap { person in
            person["name"]?.stringValue.map { name in
                Person(
                    name: name, fullName: person["claims"]?["name"]?.stringValue ?? name, subject: person["subject"]?.stringValue ?? "")
            }
        }
        if people.isEmpty { return nil }
    }

    var title: String { kind.descriptor.pageName ?? name }

    /// How the token reaches an application.
    var explanation: String {
        switch kind {
        case .facebook: "An access token of the Graph API. STS asks Facebook whether it is valid."
        case .amazon: "An access token of Login with Amazon. STS asks Amazon whether it is valid."
        case .google: "An ID token with the issuer accounts.google.com, which every AWS account knows."
        case .github: "An access token of GitHub's API, which STS does not accept."
        case .openIDConnect: "An ID token of an OpenID Connect provider, which the account must trust."
        }
    }

    var base: String { "/idp/\(percentEncoded(name))" }

    var authorizePath: String { base + kind.descriptor.authorizationPath }

    var tokenPath: String { base + kind.descriptor.tokenPath }

    /// The path that returns facts about the user.
    var profilePath: String { base + kind.descriptor.profilePath }

    private var scope: String { kind.descriptor.loginScope }

    /// The member of the token response that STS accepts.
    var tokenMember: String { isOpaque ? "access_token" : "id_token" }

    /// Whether the token is opaque, so that STS asks the provider about it.
    var isOpaque: Bool { !kind.descriptor.signsIDTokens }

    /// The `ProviderId` of the request to STS; empty for ID tokens.
    var providerID: String { kind.descriptor.providerID ?? "" }

    /// The name in trust policies and condition keys.
    var principal: String { kind.descriptor.principal ?? issuer ?? name }

    /// Returns whether a trust policy names this provider as a principal.
    func isTrusted(by policy: String) -> Bool {
        policy.contains(kind.isSocial ? "\"\(principal)\"" : "oidc-provider/\(principal)\"")
    }

    /// Returns the URL that starts a login.
    func authorizeURL(at origin: String, redirectURI: String, state: String, verifier: String) -> String {
        let fields: FormFields = [
            "response_type": "code", "client_id": clientID, "redirect_uri": redirectURI, "scope": scope, "state": state,
            "code_challenge": SHA256.hash(verifier).base64url, "code_challenge_method": "S256",
        ]
        return "\(origin)\(authorizePath)?\(fields.encoded)"
    }

    /// Returns the request that exchanges a code.
    func tokenRequest(code: String, redirectURI: String, verifier: String) -> FormFields {
        var fields: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "client_id": clientID,
            "code_verifier": verifier,
        ]
        if let clientSecret { fields.fields.append(.init(name: "client_secret", value: clientSecret)) }
        return fields
    }

    /// Returns the URL that starts a login with Amazon's implicit flow; `nil` for other providers. The token returns in the fragment.
    func implicitURL(at origin: String, redirectURI: String, state: String) -> String? {
        guard kind == .amazon else { return nil }
        let fields: FormFields = [
            "response_type": "token", "client_id": clientID, "redirect_uri": redirectURI, "scope": scope, "state": state,
        ]
        return "\(origin)\(authorizePath)?\(fields.encoded)"
    }

    /// Returns the target of a request with which an application checks that an access token was issued to it; `nil` if ID tokens make it
    /// unnecessary.
    func inspection(of token: String) -> String? {
        switch kind {
        case .facebook:
            let fields: FormFields = ["input_token": token, "access_token": "\(clientID)|\(clientSecret ?? "")"]
            return "\(base)/debug_token?\(fields.queryEncoded)"
        case .amazon:
            let fields: FormFields = ["access_token": token]
            return "\(base)/auth/o2/tokeninfo?\(fields.queryEncoded)"
        case .openIDConnect, .google, .github: return nil
        }
    }

    /// Returns the user name of the person with a full name, or of the first person.
    func personName(of person: String?) -> String {
        (people.first { $0.fullName == person || $0.name == person } ?? people.first)?.name ?? ""
    }

    /// Returns the name of the person whose folder has a key; `nil` if none has.
    func owner(of key: String) -> String? {
        people.first { !$0.subject.isEmpty && key.contains($0.subject + "/") }?.name
    }

    /// Returns a trust policy for this provider, and a permission policy with a folder for each person.
    func newRole(account: String, bucket: String) -> (trust: JSONValue, policy: JSONValue) {
        let federated = kind.isSocial ? principal : "arn:aws:iam::\(account):oidc-provider/\(principal)"
        let audience = "\(principal):\(kind.descriptor.audienceKey)"
        let subject = "\(principal):\(kind.descriptor.subjectKey)"
        return (
            [
                "Version": "2012-10-17",
                "Statement": [
                    [
                        "Effect": "Allow", "Principal": ["Federated": .string(federated)], "Action": "sts:AssumeRoleWithWebIdentity",
                        "Condition": ["StringEquals": .object([audience: .string(applicationID ?? clientID)])],
                    ]
                ],
            ],
            [
                "Version": "2012-10-17",
                "Statement": [
                    [
                        "Effect": "Allow", "Action": "s3:ListBucket", "Resource": .string("arn:aws:s3:::\(bucket)"),
                        "Condition": ["StringLike": ["s3:prefix": .string("${\(subject)}/*")]],
                    ],
                    [
                        "Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
                        "Resource": .string("arn:aws:s3:::\(bucket)/${\(subject)}/*"),
                    ],
                ],
            ]
        )
    }

    /// Returns the providers of the cloud with people who can log in, except those that STS does not know.
    /// - Throws: ``ConsoleRefusal`` if the control API refuses the call.
    static func all(_ client: ControlClient) async throws -> [WalkProvider] {
        let answer = await client.get("/providers")
        if let refusal = answer.refusal { throw refusal }
        var providers: [WalkProvider] = []
        for name in (answer.json["providers"]?.arrayValue ?? []).compactMap({ $0["name"]?.stringValue }) {
            if let provider = await named(name, client), provider.kind.descriptor.isKnownToSTS { providers.append(provider) }
        }
        return providers
    }

    /// Returns a provider of the cloud; `nil` if it does not exist, or if it has no client or no people.
    static func named(_ name: String, _ client: ControlClient) async -> WalkProvider? {
        let answer = await client.get("/providers/\(percentEncoded(name))")
        return answer.isSuccess ? WalkProvider(answer.json) : nil
    }
}
