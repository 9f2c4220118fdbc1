import WireFormats

/// A role with its policies, read and changed by IAM's API as the root user.
struct WalkRole: Sendable {
    var name: String
    var arn: String
    var trustPolicy: String
    /// The inline policies; only loaded for the chosen role.
    var policies: [(name: String, document: String)] = []
}

/// Reads and changes roles.
struct RoleReader: Sendable {
    private static let version = "2010-05-08"

    let sender: Sender
    /// The ARN of the root user.
    let root: String

    /// Returns all roles without their policies.
    func roles() async throws -> [WalkRole] {
        let answer = try await call("ListRoles", [:])
        return (answer.xml?.child("ListRolesResult")?.child("Roles")?.children(named: "member") ?? []).compactMap { member in
            guard let name = member.child("RoleName")?.text, let arn = member.child("Arn")?.text else { return nil }
            let document = member.child("AssumeRolePolicyDocument")?.text ?? ""
            return WalkRole(name: name, arn: arn, trustPolicy: percentDecoded(document) ?? document)
        }
    }

    /// Loads the inline policies of a role.
    func complete(_ role: WalkRole) async throws -> WalkRole {
        var role = role
        let answer = try await call("ListRolePolicies", ["RoleName": role.name])
        let names = answer.xml?.child("ListRolePoliciesResult")?.child("PolicyNames")?.children(named: "member").map(\.text) ?? []
        role.policies = []
        for name in names {
            let policy = try await call("GetRolePolicy", ["RoleName": role.name, "PolicyName": name])
            let document = policy.xml?.child("GetRolePolicyResult")?.child("PolicyDocument")?.text ?? ""
            role.policies.append((name, percentDecoded(document) ?? document))
        }
        return role
    }

    /// Stores a trust policy or an inline policy.
    func put(_ document: String, at place: Walk.PolicyPlace) async throws -> Exchange {
        if let policy = place.policy {
            return try await call(
                "PutRolePolicy", ["RoleName": place.role, "PolicyName": policy, "PolicyDocument": document], title: "Save the policy")
        }
        return try await call(
            "UpdateAssumeRolePolicy", ["RoleName": place.role, "PolicyDocument": document], title: "Save the trust policy")
    }

    /// Creates a role that trusts a provider and allows a folder for each person.
    func create(for provider: WalkProvider, account: String, bucket: String) async throws -> Exchange {
        let federated =
            provider.kind == "openIDConnect" ? "arn:aws:iam::\(account):oidc-provider/\(provider.principal)" : provider.principal
        let audience =
            switch provider.kind {
            case "facebook", "amazon": "\(provider.principal):app_id"
            default: "\(provider.principal):aud"
            }
        let subject =
            switch provider.kind {
            case "facebook": "\(provider.principal):id"
            case "amazon": "\(provider.principal):user_id"
            default: "\(provider.principal):sub"
            }
        let trust: JSONValue = [
            "Version": "2012-10-17",
            "Statement": [
                [
                    "Effect": "Allow", "Principal": ["Federated": .string(federated)], "Action": "sts:AssumeRoleWithWebIdentity",
                    "Condition": ["StringEquals": .object([audience: .string(provider.clientID)])],
                ]
            ],
        ]
        let name = "playground-\(provider.name)"
        let created = try await call(
            "CreateRole", ["RoleName": name, "AssumeRolePolicyDocument": trust.serialized(pretty: true)], title: "Create a role")
        guard created.isSuccess else { return created }
        let policy: JSONValue = [
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
        return try await put(policy.serialized(pretty: true), at: .init(role: name, policy: "personal-files"))
    }

    private func call(_ action: String, _ parameters: [String: String], title: String? = nil) async throws -> Exchange {
        var fields: FormFields = ["Action": action, "Version": Self.version]
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { fields.fields.append(.init(name: name, value: value)) }
        return try await sender.form(title ?? action, as: .principal(root), service: "iam", to: "/", fields)
    }
}
