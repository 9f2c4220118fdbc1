import Cloud
import Directory
import WireFormats

extension UserPoolInput.Pattern {
    /// Identifiers of resource servers, and whole scopes.
    static let scope = UserPoolInput.Pattern(
        text: "[\\x21\\x23-\\x5B\\x5D-\\x7E]+", accepts: { ("!"..."~").contains($0) && $0 != "\"" && $0 != "\\" })
    /// Names of scopes, which have no slash.
    fileprivate static let scopeName = UserPoolInput.Pattern(
        text: "[\\x21\\x23-\\x2E\\x30-\\x5B\\x5D-\\x7E]+",
        accepts: { ("!"..."~").contains($0) && $0 != "\"" && $0 != "\\" && $0 != "/" })
}

extension UserPoolResourceServer {
    /// The limits of a pool. (Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".)
    fileprivate static let mostOfPool = 25
    fileprivate static let mostScopes = 100

    fileprivate var document: JSONValue {
        [
            "UserPoolId": .string(pool), "Identifier": .string(identifier), "Name": .string(name),
            "Scopes": .array(
                scopes.map { ["ScopeName": .string($0.name), "ScopeDescription": .string($0.description)] }),
        ]
    }
}

extension SignedUserPoolCall {
    private mutating func identifier() throws(UserPoolError) -> String {
        try input.requiredText("Identifier", length: 1...256, pattern: .scope)
    }

    private mutating func serverName() throws(UserPoolError) -> String {
        try input.requiredText("Name", length: 1...256, pattern: .title)
    }

    private mutating func scopes() throws(UserPoolError) -> [UserPoolResourceServer.Scope] {
        var scopes: [UserPoolResourceServer.Scope] = []
        for var element in try input.objects("Scopes") ?? [] {
            let name = try element.requiredText("ScopeName", length: 1...256, pattern: .scopeName)
            let description = try element.requiredText("ScopeDescription", length: 1...256)
            try element.check()
            guard !scopes.contains(where: { $0.name == name }) else {
                throw .invalidParameter("The scope \(name) is given twice.")
            }
            scopes.append(UserPoolResourceServer.Scope(name, description: description))
        }
        guard scopes.count <= UserPoolResourceServer.mostScopes else {
            throw UserPoolError("LimitExceededException", "A resource server can have at most 100 scopes.")
        }
        return scopes
    }

    private func server(_ identifier: String, of pool: UserPool) throws(UserPoolError) -> UserPoolResourceServer {
        guard let server = pools.resourceServer(identifier, in: pool.id) else {
            throw UserPoolError(UserPoolRefusal.noSuchResourceServer(identifier))
        }
        return server
    }

    /// CreateResourceServer.
    mutating func createResourceServer() async throws -> JSONValue? {
        let (id, identifier, name, scopes) = (try poolID(), try identifier(), try serverName(), try scopes())
        let pool = try pool(id)
        guard pools.resourceServers(of: pool.id).count < UserPoolResourceServer.mostOfPool else {
            throw UserPoolError("LimitExceededException", "A user pool can have at most 25 resource servers.")
        }
        let server = UserPoolResourceServer(pool: pool.id, identifier: identifier, name: name, scopes: scopes)
        try await cloud.edit { directory in try directory.addResourceServer(server) }
        return ["ResourceServer": server.document]
    }

    /// DescribeResourceServer.
    mutating func describeResourceServer() async throws -> JSONValue? {
        let (id, identifier) = (try poolID(), try identifier())
        return ["ResourceServer": try server(identifier, of: try pool(id)).document]
    }

    /// UpdateResourceServer. Scopes that the call omits are removed.
    mutating func updateResourceServer() async throws -> JSONValue? {
        let (id, identifier, name, scopes) = (try poolID(), try identifier(), try serverName(), try scopes())
        let pool = try pool(id)
        var server = try server(identifier, of: pool)
        (server.name, server.scopes) = (name, scopes)
        let changed = server
        try await cloud.edit { directory in directory.put(inUserPools: .resourceServer(changed)) }
        return ["ResourceServer": changed.document]
    }

    /// DeleteResourceServer.
    mutating func deleteResourceServer() async throws -> JSONValue? {
        let (id, identifier) = (try poolID(), try identifier())
        let pool = try pool(id)
        try await cloud.edit { directory in try directory.deleteResourceServer(identifier, of: pool.id) }
        return nil
    }

    /// ListResourceServers.
    mutating func listResourceServers() async throws -> JSONValue? {
        let id = try poolID()
        let most = try input.integer("MaxResults", range: 1...50) ?? 50
        let token = try input.text("NextToken", length: 1...131_072, pattern: .visible)
        let all = pools.resourceServers(of: try pool(id).id)
        let rest = all.drop { server in token.map { TextKey(server.identifier) <= TextKey($0) } ?? false }
        let page = rest.prefix(most)
        var result: JSONObject = ["ResourceServers": .array(page.map(\.document))]
        if page.count < rest.count, let last = page.last { result["NextToken"] = .string(last.identifier) }
        return .object(result)
    }
}
