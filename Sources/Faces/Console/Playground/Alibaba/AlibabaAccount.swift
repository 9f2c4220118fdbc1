import Calls
import HTTPTypes
import WireFormats

/// What the seed says about one account of Alibaba Cloud, as far as a walk needs it.
struct AlibabaAccount: Sendable {
    var id: String
    var name: String
    var users: [User]
    var roles: [WalkRole]
    /// The app server, if it issues credentials of a role of this account.
    var appServer: AppServer?
    /// The identity provider whose ID tokens the account accepts, by its name in Virga; `nil` if there is none.
    var provider: String?
    /// The ARN of that provider in the account.
    var providerARN = ""
    /// The client ID that the account accepts from it.
    var clientID = ""

    /// A RAM user with an access key.
    struct User: Sendable {
        var name: String
        var accessKeyID: String
        var secret: String
    }

    struct AppServer: Sendable {
        var role: String
        /// The session policy with `${user}`; empty if there is none.
        var policy: String
        var people: [(name: String, password: String)]
        /// The access key with which the server signs for apps, and the bucket that the walk uses then.
        var signingKey: String?
    }

    var root: String { "acs:ram::\(id):root" }

    /// Returns the accounts of the seed that have a role, those with an app server first.
    /// - Throws: ``ConsoleRefusal`` if the control API refuses the call.
    static func all(_ client: ControlClient) async throws -> [AlibabaAccount] {
        let answer = await client.get("/seed")
        if let refusal = answer.refusal { throw refusal }
        let seed = answer.json
        let appServer = seed["alibaba"]?["appServer"]
        let accounts = (seed["alibaba"]?["accounts"]?.arrayValue ?? []).compactMap { account in
            AlibabaAccount(account, appServer: appServer, providers: seed["identityProviders"]?.arrayValue ?? [])
        }
        let known = accounts.filter { !$0.roles.isEmpty }
        return known.filter { $0.appServer != nil } + known.filter { $0.appServer == nil }
    }

    /// Returns the account with an identifier, or the first one.
    static func with(id: String, _ client: ControlClient) async throws -> AlibabaAccount {
        let accounts = try await all(client)
        guard let account = accounts.first(where: { $0.id == id }) ?? accounts.first else {
            throw ConsoleRefusal(code: "no_account", message: "The seed has no account of Alibaba Cloud with a role.", status: .notFound)
        }
        return account
    }

    private init?(_ json: JSONValue, appServer: JSONValue?, providers: [JSONValue]) {
        guard let id = json["id"]?.stringValue else { return nil }
        self.id = id
        name = json["name"]?.stringValue ?? id
        users = (json["users"]?.arrayValue ?? []).compactMap { user in
            guard let name = user["name"]?.stringValue, let key = user["accessKeys"]?.arrayValue?.first,
                let keyID = key["id"]?.stringValue, let secret = key["secret"]?.stringValue
            else { return nil }
            return User(name: name, accessKeyID: keyID, secret: secret)
        }
        let documents = (json["policies"]?.arrayValue ?? []).reduce(into: [String: String]()) { documents, policy in
            documents[policy["name"]?.stringValue ?? ""] = policy["document"]?.serialized(pretty: true)
        }
        roles = (json["roles"]?.arrayValue ?? []).compactMap { role in
            guard let name = role["name"]?.stringValue else { return nil }
            let policies = (role["policies"]?.arrayValue ?? []).compactMap { policy -> (name: String, document: String)? in
                guard let name = policy.stringValue, let document = documents[name] else { return nil }
                return (name, document)
            }
            return WalkRole(
                name: name, arn: "acs:ram::\(id):role/\(name)", trustPolicy: role["trustPolicy"]?.serialized(pretty: true) ?? "",
                policies: policies)
        }
        readAppServer(appServer)
        readProvider(json, providers)
    }

    private mutating func readAppServer(_ json: JSONValue?) {
        guard let json, let role = json["role"]?.stringValue, role.hasPrefix("acs:ram::\(id):") else { return }
        appServer = AppServer(
            role: role, policy: json["policy"]?.serialized(pretty: true) ?? "",
            people: (json["people"]?.arrayValue ?? []).compactMap { person in
                person["name"]?.stringValue.map { ($0, person["password"]?.stringValue ?? "") }
            },
            signingKey: json["signingKey"]?["id"]?.stringValue)
    }

    /// Finds the provider of Virga that has the URL of one that the account accepts.
    private mutating func readProvider(_ json: JSONValue, _ providers: [JSONValue]) {
        for registered in json["openIDConnectProviders"]?.arrayValue ?? [] {
            guard let url = registered["url"]?.stringValue, let clientID = registered["clientIDs"]?.arrayValue?.first?.stringValue,
                let own = providers.first(where: { $0["issuer"]?.stringValue == url })?["name"]?.stringValue
            else { continue }
            (provider, self.clientID) = (own, clientID)
            providerARN = "acs:ram::\(id):oidc-provider/\(registered["name"]?.stringValue ?? "")"
            return
        }
    }
}

/// Reads roles from the seed, and changes them by RAM's API as the root user.
struct RAMRoles: PolicyKeeper {
    let sender: Sender
    let account: String

    func roles() async throws -> [WalkRole] { try await AlibabaAccount.with(id: account, sender.client).roles }

    func complete(_ role: WalkRole) async throws -> WalkRole { role }

    func put(_ document: String, at place: Walk.PolicyPlace) async throws {
        var fields: FormFields = ["Version": "2015-05-01", "Format": "JSON"]
        if let policy = place.policy {
            fields.fields += [
                .init(name: "Action", value: "CreatePolicyVersion"), .init(name: "PolicyName", value: policy),
                .init(name: "PolicyDocument", value: document), .init(name: "SetAsDefault", value: "true"),
                .init(name: "RotateStrategy", value: "DeleteOldestNonDefaultVersionWhenLimitExceeded"),
            ]
        } else {
            fields.fields += [
                .init(name: "Action", value: "UpdateRole"), .init(name: "RoleName", value: place.role),
                .init(name: "NewAssumeRolePolicyDocument", value: document),
            ]
        }
        let answer = try await sender.form("Save the policy", as: .principal("acs:ram::\(account):root"), service: "ram", to: "/", fields)
        if let refusal = answer.refusal { throw ConsoleRefusal(code: refusal.code, message: refusal.message) }
    }
}
