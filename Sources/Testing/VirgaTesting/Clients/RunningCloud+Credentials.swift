import Cloud
import Directory
import Policy

extension RunningCloud {
    /// The root access key of the first AWS account that has one.
    ///
    /// Reading throws ``CloudError`` if no account has one.
    public var credentials: Credentials {
        get async throws { try await rootKey(of: .aws, named: "AWS") }
    }

    /// The root access key of the first Alibaba Cloud account that has one.
    ///
    /// Reading throws ``CloudError`` if no account has one.
    public var alibabaCredentials: Credentials {
        get async throws { try await rootKey(of: .alibaba, named: "Alibaba Cloud") }
    }

    /// Returns the first access key of a user.
    /// - Parameter name: the name of the user; the first account with such a user counts.
    /// - Throws: ``CloudError`` if there is no such user, or the user has no access key.
    public func credentials(ofUser name: String) async throws -> Credentials {
        try await withSandbox { sandbox in
            let users = sandbox.directory.users.values.map(\.user)
            guard let user = users.filter({ $0.name == name }).min(by: { $0.account < $1.account }) else {
                let names = Set(users.map(\.name)).sorted().joined(separator: ", ")
                throw CloudError(
                    .unknownUser, "No account has a user '\(name)'; " + (names.isEmpty ? "there are none." : "expected one of \(names)."))
            }
            guard let key = user.accessKeys.first else {
                throw CloudError(.noAccessKey, "The user '\(name)' has no access key. Add one to the seed.")
            }
            return Credentials(key)
        }
    }

    private func rootKey(of vendor: Vendor, named vendorName: String) async throws -> Credentials {
        try await withSandbox { sandbox in
            guard let key = sandbox.directory.rootKey(of: vendor) else {
                throw CloudError(
                    .noAccessKey, "No account of \(vendorName) has a root access key. Add 'rootKeys' to an account of the seed.")
            }
            return Credentials(key)
        }
    }
}
