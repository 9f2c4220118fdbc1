import ControlDocuments
import WireFormats

/// Saves an edited policy where it is stored, by the API of the service, as the root user.
struct PolicySaver {
    let sender: Sender
    let info: CloudInfo

    /// Returns whether a policy can be saved: it belongs to the account, and it exists.
    static func canSave(_ policy: Simulator.StoredPolicy) -> Bool {
        if policy.owner?.kind != nil { return true }
        if let arn = policy.owner?.arn { return !arn.contains(":aws:policy/") && !arn.contains(":system:policy/") }
        return policy.place.type == "role trust policy"
            || policy.place.type == "resource-based policy" && Simulator.bucket(of: policy.resource) != nil
    }

    /// Saves a text.
    /// - Throws: ``ConsoleRefusal`` with the error of the service.
    func save(_ text: String, as policy: Simulator.StoredPolicy) async throws {
        let exchange: Exchange
        let title = "Save \(policy.place.name)"
        if let owner = policy.owner, let kind = owner.kind, let holder = owner.name, let name = owner.policy {
            let word = kind.prefix(1).uppercased() + kind.dropFirst()
            exchange = try await iam(title, "Put\(word)Policy", ["\(word)Name": holder, "PolicyName": name, "PolicyDocument": text])
        } else if let arn = policy.owner?.arn {
            if arn.hasPrefix("acs:") {
                exchange = try await sender.form(
                    title, as: .principal(root("alibaba")), service: "ram", to: "/",
                    [
                        "Action": "CreatePolicyVersion", "Version": "2015-05-01",
                        "PolicyName": String(arn.split(separator: "/").last ?? ""),
                        "PolicyDocument": text, "SetAsDefault": "true", "RotateStrategy": "DeleteOldestNonDefaultVersionWhenLimitExceeded",
                    ])
            } else {
                exchange = try await iam(
                    title, "CreatePolicyVersion", ["PolicyArn": arn, "PolicyDocument": text, "SetAsDefault": "true"])
            }
        } else if policy.place.type == "role trust policy" {
            let role = String(policy.resource.split(separator: "/").last ?? "")
            exchange = try await iam(title, "UpdateAssumeRolePolicy", ["RoleName": role, "PolicyDocument": text])
        } else if let bucket = Simulator.bucket(of: policy.resource) {
            let isOSS = policy.resource.hasPrefix("acs:")
            let isRemoved = text.allSatisfy(\.isWhitespace)
            exchange = try await sender.send(
                title, as: .principal(root(isOSS ? "alibaba" : "aws")), service: isOSS ? "oss" : "s3", isRemoved ? "DELETE" : "PUT",
                "/\(percentEncoded(bucket))?policy", headers: isRemoved ? [:] : ["Content-Type": "application/json"],
                body: isRemoved ? nil : text)
        } else {
            throw ConsoleRefusal(code: "not_saveable", message: "This policy is not stored in the account, so it cannot be saved.")
        }
        if let refusal = exchange.refusal {
            throw ConsoleRefusal(code: refusal.code, message: "The policy was not saved. \(refusal.message)")
        }
    }

    private func root(_ vendor: String) -> String {
        info.accounts.first { $0.vendor == vendor }?.root ?? ""
    }

    private func iam(_ title: String, _ action: String, _ parameters: [(String, String)]) async throws -> Exchange {
        var fields: FormFields = ["Action": action, "Version": "2010-05-08"]
        for (name, value) in parameters { fields.fields.append(.init(name: name, value: value)) }
        return try await sender.form(title, as: .principal(root("aws")), service: "iam", to: "/", fields)
    }

    private func iam(_ title: String, _ action: String, _ parameters: KeyValuePairs<String, String>) async throws -> Exchange {
        try await iam(title, action, parameters.map { ($0.key, $0.value) })
    }
}
