import Cryptography
import Policy
package import WireFormats

/// IAM Identity Center: the people of an identity provider, and the roles that they get in accounts.
/// (IAM Identity Center User Guide, "Manage AWS accounts with permission sets".)
package struct IdentityCenter: Sendable, Codable {
    /// A permission set. Identity Center creates a role from it in each account to which it is assigned.
    package struct PermissionSet: Sendable, Codable {
        /// The name.
        package var name: String
        /// The description of the roles.
        package var description: String?
        /// The lifetime of credentials in seconds.
        package var sessionDuration = 3600
        /// ARNs of managed policies.
        package var attachedPolicies: [String] = []
        /// Inline policies.
        package var policies: [InlinePolicy] = []
        /// The ARN of the permissions boundary.
        package var boundary: String?

        /// - Parameter name: the name.
        package init(name: String) { self.name = name }
    }

    /// The assignment of a permission set in an account to people and groups.
    package struct Assignment: Sendable, Codable {
        /// The number of the account.
        package var account: String
        /// The name of the permission set.
        package var permissionSet: String
        /// User names.
        package var people: [String] = []
        /// Names of groups: values of the claim `groups`, or paths of groups of a Keycloak realm.
        package var groups: [String] = []

        package init(account: String, permissionSet: String) {
            self.account = account
            self.permissionSet = permissionSet
        }

        /// Returns whether the assignment is for a person, directly or by a group.
        package func includes(_ person: Person) -> Bool {
            people.contains { $0.equals(person.name) } || person.groupNames.contains { name in groups.contains { $0.equals(name) } }
        }
    }

    /// The region.
    package var region = "us-east-1"
    /// The ID of the instance, `ssoins-…`.
    package var instance = "ssoins-0123456789abcdef"
    /// The URL of the access portal, which clients configure and never request.
    package var startURL = "https://d-0123456789.awsapps.com/start"
    /// The name of the identity provider whose people these are.
    package var identityProvider: String
    /// The permission sets.
    package var permissionSets: [PermissionSet] = []
    /// The assignments.
    package var assignments: [Assignment] = []

    /// - Parameter identityProvider: the name of the identity provider whose people these are.
    package init(identityProvider: String) { self.identityProvider = identityProvider }
}

// MARK: Names

extension IdentityCenter {
    /// The service with which clients register and get tokens, in the journal and in rules for errors.
    package static let authorizationService = "sso-oidc"
    /// The access portal's service, which exchanges tokens for credentials of roles, in the journal and in rules for errors.
    package static let portalService = "sso"
    /// The beginning of the paths of roles that Identity Center has made.
    package static let reservedPath = "/aws-reserved/"

    /// The hosts of Identity Center's services and of the access portal.
    package var hosts: [String] {
        ["oidc.\(region).amazonaws.com", "portal.sso.\(region).amazonaws.com"] + (Self.hostAndPath(startURL).map { [$0.host] } ?? [])
    }

    /// Returns whether a URL is that of the access portal. Clients may add a slash, and the fragment of the portal's page.
    package func isStartURL(_ text: String) -> Bool {
        guard let asked = Self.hostAndPath(text), let own = Self.hostAndPath(startURL) else { return false }
        return asked.host.equals(own.host) && asked.path.equals(own.path)
    }

    private static func hostAndPath(_ url: String) -> (host: String, path: String)? {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return nil }
        let rest = url.dropFirst(scheme.count).prefix { $0 != "#" && $0 != "?" }
        let host = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(host.count)
        while path.hasSuffix("/") { path = path.dropLast() }
        return host.isEmpty ? nil : (host.lowercased(), String(path))
    }

    /// Returns the name of the role that a permission set has in an account.
    package func roleName(of permissionSet: String, in account: String) -> String {
        "AWSReservedSSO_\(permissionSet)_\(Self.mark("\(instance)/\(account)/\(permissionSet)"))"
    }

    /// The path of the roles. (IAM Identity Center User Guide, "Referencing permission sets in resource policies".)
    package var rolePath: String {
        "\(Self.reservedPath)sso.amazonaws.com/" + (region == "us-east-1" ? "" : "\(region)/")
    }

    /// Returns the name of the SAML provider that the roles of an account trust.
    package func samlProviderName(in account: String) -> String {
        "AWSSSO_\(Self.mark("\(instance)/\(account)"))_DO_NOT_DELETE"
    }

    /// Returns the ARN of the SAML provider that the roles of an account trust.
    package func samlProviderARN(in account: String) -> String {
        identityARN(account, "saml-provider/", samlProviderName(in: account))
    }

    /// Returns 16 hexadecimal digits that only depend on a text.
    private static func mark(_ text: String) -> String { String(SHA256.hash(text).hex.prefix(16)) }

    /// The permission set with a name.
    package func permissionSet(_ name: String) -> PermissionSet? { permissionSets.first { $0.name.equals(name) } }

    /// The accounts in which a person has a permission set, sorted by number, with the names of these sets.
    package func access(of person: Person) -> [(account: String, permissionSets: [String])] {
        let own = assignments.filter { $0.includes(person) }
        return Set(own.map(\.account)).sorted { $0 < $1 }.map { account in
            (account, Set(own.filter { $0.account == account }.map(\.permissionSet)).sorted { $0 < $1 })
        }
    }
}

// MARK: Records

extension IdentityCenter {
    /// Returns the records of the SAML providers and of the roles in the accounts that have assignments.
    package func provisioned(created: Timestamp) -> [DirectoryRecord] {
        let accounts = Set(assignments.map(\.account)).sorted { $0 < $1 }
        return accounts.flatMap { account -> [DirectoryRecord] in
            var trust = SAMLTrust(account: account, name: samlProviderName(in: account), metadata: "", created: created)
            trust.validUntil = created + .seconds(100 * 365 * 86_400)
            trust.uuid = UniqueName.id(prefix: "SAMLP", of: trust.arn)
            let names = Set(assignments.filter { $0.account == account }.map(\.permissionSet)).sorted { $0 < $1 }
            return [.samlTrust(trust)] + names.compactMap(permissionSet).map { .role(role(of: $0, in: account, created: created)) }
        }
    }

    private func role(of set: PermissionSet, in account: String, created: Timestamp) -> Role {
        let name = roleName(of: set.name, in: account)
        return Role(
            account: account, name: name, path: rolePath, id: UniqueName.id(prefix: "AROA", of: "\(account)/role/\(name)"),
            created: created, description: set.description, trustPolicy: TrustPolicy(document: trustPolicy(in: account)),
            policies: set.policies, attachedPolicies: set.attachedPolicies, boundary: set.boundary, maximumSessionDuration: 43_200)
    }

    private func trustPolicy(in account: String) -> PolicyDocument {
        let policy: JSONValue = [
            "Version": "2012-10-17",
            "Statement": [
                [
                    "Effect": "Allow", "Principal": ["Federated": .string(samlProviderARN(in: account))],
                    "Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"],
                    "Condition": ["StringEquals": ["SAML:aud": .string(Self.audience)]],
                ]
            ],
        ]
        return (try? PolicyDocument(parsing: policy.serialized(), kind: .trust)) ?? .empty
    }

    /// The audience of Identity Center's assertions.
    package static let audience = "https://signin.aws.amazon.com/saml"
}

extension Role {
    /// Whether Identity Center has made the role, which IAM does not change.
    package var isReserved: Bool { path.hasPrefix(IdentityCenter.reservedPath) }
}

extension Person {
    /// The names of the person's groups: those of the claim `groups`, and the paths of a Keycloak realm with and without the first slash.
    package var groupNames: [String] {
        let claimed = claims["groups"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let paths = keycloak?.groups ?? []
        return claimed + paths + paths.filter { $0.hasPrefix("/") }.map { String($0.dropFirst()) }
    }
}
