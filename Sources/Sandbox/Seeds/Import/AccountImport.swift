import Directory
import Policy
package import WireFormats

/// Creates a seed from an account of AWS, given the output of `aws iam get-account-authorization-details`.
///
/// (IAM API Reference, "GetAccountAuthorizationDetails".)
package struct AccountImport {
    /// The seed.
    package private(set) var seed: JSONValue = .null
    /// The parts of the account that the seed does not contain, one line for each.
    package private(set) var leftOut: [String] = []

    /// An error: the document is not the output of `get-account-authorization-details`.
    package struct Fault: Error, CustomStringConvertible {
        package var description: String
    }

    private var managedPolicies: Set<String> = []
    private var groupNames: Set<String> = []

    /// - Throws: `Fault`.
    package init(_ document: JSONValue) throws(Fault) {
        let lists = ["UserDetailList", "GroupDetailList", "RoleDetailList", "Policies"]
        guard let object = document.objectValue, lists.contains(where: { object[$0] != nil }) else {
            throw Fault(
                description: "expected an object with \(lists.joined(separator: ", ")), as get-account-authorization-details prints it")
        }
        func elements(_ name: String) throws(Fault) -> [JSONObject] {
            guard let value = object[name] else { return [] }
            guard case .array(let elements) = value else { throw Fault(description: "\(name): expected a list") }
            return elements.compactMap(\.objectValue)
        }
        let (users, groups) = (try elements("UserDetailList"), try elements("GroupDetailList"))
        let (roles, policies) = (try elements("RoleDetailList"), try elements("Policies"))
        let arns = (users + groups + roles + policies).compactMap { $0["Arn"]?.stringValue }
        let accounts = Set(arns.compactMap(Self.account))
        guard accounts.count <= 1 else {
            throw Fault(description: "expected the ARNs of one account, not of \(accounts.sorted().joined(separator: ", "))")
        }
        guard let account = accounts.first else { throw Fault(description: "expected at least one ARN with an account ID") }
        if object["IsTruncated"]?.boolValue == true {
            leftOut.append("further pages: IsTruncated is true; run the command without --max-items")
        }

        groupNames = Set(groups.compactMap { $0["GroupName"]?.stringValue?.lowercased() })
        var seeded: JSONObject = ["id": .string(account)]
        let ownPolicies = policies.compactMap { policy($0, of: account) }
        seeded["policies"] = .array(ownPolicies)
        seeded["groups"] = .array(groups.compactMap { group($0) })
        seeded["users"] = .array(users.compactMap { user($0) })
        seeded["roles"] = .array(roles.compactMap { role($0) })
        let profiles = roles.flatMap { instanceProfiles(of: $0) }
        if !profiles.isEmpty { seeded["instanceProfiles"] = .array(profiles) }
        for name in seeded.names where seeded[name] == .array([]) { seeded[name] = nil }
        seed = ["accounts": [.object(seeded)]]
    }

    private static func account(ofARN arn: String) -> String? {
        let parts = arn.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count >= 6 && parts[4].count == 12 && parts[4].allSatisfy(\.isNumber) ? String(parts[4]) : nil
    }

    /// Converts a customer managed policy with its default version; `nil` for policies of AWS, which every sandbox has.
    private mutating func policy(_ source: JSONObject, of account: String) -> JSONValue? {
        guard let arn = source["Arn"]?.stringValue, Self.account(ofARN: arn) == account, let name = source["PolicyName"]?.stringValue else {
            return nil
        }
        let versions = source["PolicyVersionList"]?.arrayValue ?? []
        let current = versions.first { $0["IsDefaultVersion"]?.boolValue == true } ?? versions.first
        guard let document = document(current?["Document"], .identity, "policy \(name)") else { return nil }
        if versions.count > 1 {
            leftOut.append("policy \(name): \(versions.count - 1) of \(versions.count) versions; only the default version is kept")
        }
        managedPolicies.insert(arn)
        var policy = named(name, source)
        policy["description"] = source["Description"]
        policy["document"] = document
        policy["tags"] = tags(of: source)
        return .object(policy)
    }

    private mutating func group(_ source: JSONObject) -> JSONValue? {
        guard let name = source["GroupName"]?.stringValue else { return nil }
        var group = named(name, source)
        group["policies"] = inline(source["GroupPolicyList"], "group \(name)")
        group["attachedPolicies"] = attached(source, "group \(name)")
        return .object(group)
    }

    private mutating func user(_ source: JSONObject) -> JSONValue? {
        guard let name = source["UserName"]?.stringValue else { return nil }
        var user = named(name, source)
        user["policies"] = inline(source["UserPolicyList"], "user \(name)")
        user["attachedPolicies"] = attached(source, "user \(name)")
        user["boundary"] = boundary(source, "user \(name)")
        var groups: [JSONValue] = []
        for group in source["GroupList"]?.arrayValue ?? [] {
            guard let text = group.stringValue else { continue }
            if groupNames.contains(text.lowercased()) {
                groups.append(group)
            } else {
                leftOut.append("user \(name): membership of group \(text), which the document does not have")
            }
        }
        if !groups.isEmpty { user["groups"] = .array(groups) }
        user["tags"] = tags(of: source)
        return .object(user)
    }

    private mutating func role(_ source: JSONObject) -> JSONValue? {
        guard let name = source["RoleName"]?.stringValue,
            let trust = document(source["AssumeRolePolicyDocument"], .trust, "role \(name): the whole role, since its trust policy")
        else { return nil }
        var role = named(name, source)
        role["description"] = source["Description"]
        role["trustPolicy"] = trust
        role["policies"] = inline(source["RolePolicyList"], "role \(name)")
        role["attachedPolicies"] = attached(source, "role \(name)")
        role["boundary"] = boundary(source, "role \(name)")
        role["tags"] = tags(of: source)
        if let duration = source["MaxSessionDuration"]?.integerValue, duration != 3600 {
            role["maximumSessionDuration"] = .integer(duration)
        }
        return .object(role)
    }

    private func instanceProfiles(of role: JSONObject) -> [JSONValue] {
        (role["InstanceProfileList"]?.arrayValue ?? []).compactMap { profile in
            guard let profile = profile.objectValue, let name = profile["InstanceProfileName"]?.stringValue else { return nil }
            var seeded = named(name, profile)
            seeded["role"] = role["RoleName"]
            return .object(seeded)
        }
    }

    /// Returns an object with the name, and with the path if it is not the default.
    private func named(_ name: String, _ source: JSONObject) -> JSONObject {
        var object: JSONObject = ["name": .string(name)]
        if let path = source["Path"]?.stringValue, path != "/" { object["path"] = .string(path) }
        return object
    }

    /// Converts a policy that Virga accepts: the object that the command prints, or the URL-encoded text that the API returns.
    private mutating func document(_ source: JSONValue?, _ kind: PolicyDocument.Kind, _ name: String) -> JSONValue? {
        let text = source?.stringValue.flatMap { percentDecoded($0) }
        guard let json = text.flatMap({ try? JSONValue(parsing: $0) }) ?? source, json.objectValue != nil else {
            leftOut.append("\(name): has no document")
            return nil
        }
        do {
            _ = try PolicyDocument(json: json, kind: kind)
            return json
        } catch {
            leftOut.append("\(name): is not valid here: \(error)")
            return nil
        }
    }

    private mutating func inline(_ source: JSONValue?, _ owner: String) -> JSONValue? {
        var policies: JSONObject = [:]
        for policy in source?.arrayValue ?? [] {
            guard let name = policy["PolicyName"]?.stringValue else { continue }
            policies[name] = document(policy["PolicyDocument"], .identity, "\(owner): inline policy \(name)")
        }
        return policies.isEmpty ? nil : .object(policies)
    }

    private mutating func attached(_ source: JSONObject, _ owner: String) -> JSONValue? {
        let arns = (source["AttachedManagedPolicies"]?.arrayValue ?? []).compactMap { $0["PolicyArn"]?.stringValue }
        let known = arns.filter { arn in isKnown(arn, "\(owner): attached policy") }
        return known.isEmpty ? nil : .array(known.map { .string($0) })
    }

    private mutating func boundary(_ source: JSONObject, _ owner: String) -> JSONValue? {
        guard let arn = source["PermissionsBoundary"]?["PermissionsBoundaryArn"]?.stringValue else { return nil }
        return isKnown(arn, "\(owner): permissions boundary") ? .string(arn) : nil
    }

    private mutating func isKnown(_ arn: String, _ use: String) -> Bool {
        if managedPolicies.contains(arn) || ManagedPolicy.ofAWS(arn) != nil { return true }
        leftOut.append("\(use) \(arn), which Virga does not have")
        return false
    }

    private func tags(of source: JSONObject) -> JSONValue? {
        var tags: JSONObject = [:]
        for tag in source["Tags"]?.arrayValue ?? [] {
            guard let key = tag["Key"]?.stringValue else { continue }
            tags[key] = tag["Value"] ?? ""
        }
        return tags.isEmpty ? nil : .object(tags)
    }
}
