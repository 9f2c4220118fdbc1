import ClientEnvironment
import Cloud
import Directory
import FoundationEssentials
import Policy

extension RunningCloud {
    /// The environment of this process, changed as `virga run` changes it: it points the SDKs of AWS and Alibaba Cloud at this cloud, with
    /// the root access keys, and lacks the variables that would lead elsewhere.
    ///
    /// ```swift
    /// let process = Process()
    /// process.environment = try await cloud.environment
    /// ```
    public var environment: [String: String] {
        get async throws {
            try await withSandbox { sandbox in
                let directory = sandbox.directory
                return variables(.keys(aws: directory.keyPair(of: .aws), alibaba: directory.keyPair(of: .alibaba)))
            }
        }
    }

    /// Returns the environment of this process, changed as `virga run --as USER@PROVIDER --role ROLE` changes it: with a user's token in a
    /// file, for which an SDK assumes the role by itself, and without access keys.
    /// - Parameters:
    ///   - user: the user's login at the provider.
    ///   - provider: the name of the identity provider.
    ///   - role: the name of a role of AWS, or the ARN of a role.
    ///   - tokenFile: the path of the file to which the token is written.
    /// - Throws: ``CloudError`` if there is no such provider, user or role, or the file cannot be written.
    public func environment(
        user: String, at provider: String, role: String, tokenFile: String
    ) async throws -> [String: String] {
        let token = try await token(provider, user: user)
        guard
            FileManager.default.createFile(
                atPath: tokenFile, contents: Data(token.value.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CloudError(.system, "The token file '\(tokenFile)' cannot be written. Use a path in an existing folder.") }
        return try await withSandbox { sandbox in
            let arn = try role.contains(":") ? role : sandbox.directory.roleARN(role)
            return variables(.token(.init(user: user, provider: provider), role: arn, file: tokenFile))
        }
    }

    private func variables(_ identity: ClientVariables.Identity) -> [String: String] {
        let current = ProcessInfo.processInfo.environment
        var variables = ClientVariables(endpoint: endpoint, identity: identity, environment: current)
        variables.hideOtherClouds()
        return variables.applied(to: current)
    }
}

extension Directory {
    fileprivate func keyPair(of vendor: Vendor) -> ClientVariables.KeyPair? {
        rootKey(of: vendor).map { ClientVariables.KeyPair(id: $0.id, secret: $0.secret) }
    }

    /// Returns the ARN of a role of AWS.
    fileprivate func roleARN(_ name: String) throws(CloudError) -> String {
        let found = roles.values.map(\.role).filter { $0.name == name && Vendor(account: $0.account) == .aws }
        guard let role = found.min(by: { $0.account < $1.account }) else {
            throw CloudError(.invalidArgument, "No account of AWS has a role '\(name)'. Use the name or the ARN of a role of the seed.")
        }
        return role.arn
    }
}
