import Cloud
import Cryptography
import Directory
import WireFormats

extension STSSandbox {
    private static func role(_ name: String, _ principal: String, _ actions: String = "'sts:AssumeRole'", _ condition: String = "{}")
        -> String
    {
        """
        {name: '\(name)', maximumSessionDuration: 43200, trustPolicy: {Version: '2012-10-17', Statement: [
          {Effect: 'Allow', Principal: {AWS: '\(principal)'}, Action: [\(actions)], Condition: \(condition)}]},
         policies: {p: {Version: '2012-10-17', Statement: [{Effect: 'Allow', Action: 'sts:*', Resource: '*'}]}}}
        """
    }

    private static func user(_ name: String, _ statements: String = "") -> String {
        let policies = statements.isEmpty ? "{}" : "{p: {Version: '2012-10-17', Statement: [\(statements)]}}"
        return "{name: '\(name)', accessKeys: [{id: 'AKIA\(name.uppercased())', secret: '\(name)'}], policies: \(policies)}"
    }

    private static let ann = "arn:aws:iam::000000000000:user/ann"
    private static let everything = "'sts:AssumeRole', 'sts:TagSession', 'sts:SetSourceIdentity'"

    /// A seed of two accounts, with users and roles for every kind of trust. `ann` has no policies, `bob` may assume every role, `cleo` is
    /// denied what she is allowed. `dora` lives in the other account, and so does `eve`, who has no policies.
    static let principals = """
        {accounts: [
          {id: "000000000000", rootKeys: [{id: "test", secret: "test"}],
           users: [
             \(user("ann")), \(user("bob", "{Effect: 'Allow', Action: ['sts:*', 's3:*'], Resource: '*'}")),
             \(user("cleo", "{Effect: 'Deny', Action: 'sts:*', Resource: '*'}, {Effect: 'Allow', Action: '*', Resource: '*'}"))],
           roles: [
             \(role("for-ann", ann)), \(role("for-account", "000000000000")), \(role("for-all", "*")),
             \(role("for-cleo", "arn:aws:iam::000000000000:user/cleo")),
             \(role("for-eve", "arn:aws:iam::111111111111:user/eve")),
             \(role("for-others", "arn:aws:iam::111111111111:root")),
             \(role("taking", "000000000000", everything)),
             \(role("external", ann, "'sts:AssumeRole'", "{StringEquals: {'sts:ExternalId': 'secret/1'}}")),
             \(role("app", ann, "'sts:AssumeRole'", "{StringEquals: {'sts:RoleSessionName': '${aws:username}'}}")),
             \(role("mfa", ann, "'sts:AssumeRole'", "{Bool: {'aws:MultiFactorAuthPresent': 'true'}, NumericLessThan: {'aws:MultiFactorAuthAge': '60'}}")),
             \(role("red", ann, everything, "{StringEquals: {'aws:RequestTag/team': 'red'}, 'ForAllValues:StringEquals': {'aws:TagKeys': ['team'], 'sts:TransitiveTagKeys': ['team']}}")),
             \(role("next", "arn:aws:iam::000000000000:role/taking", everything)),
             \(role("untagged", "arn:aws:iam::000000000000:role/taking")),
             \(role("by-tag", "arn:aws:iam::000000000000:role/taking", everything, "{StringEquals: {'aws:PrincipalTag/team': 'red', 'aws:SourceIdentity': 'ann'}}"))]},
          {id: "111111111111", users: [\(user("dora", "{Effect: 'Allow', Action: 'sts:*', Resource: '*'}")), \(user("eve"))]}],
         identityProviders: []}
        """

    static func signature(_ user: String) -> Signature { Signature("AKIA\(user.uppercased())", user) }

    /// Calls `AssumeRole`.
    func take(_ role: String, as signature: Signature?, _ more: FormFields = [:]) async throws -> STSAnswer {
        var form: FormFields = ["RoleArn": Self.arn(role), "RoleSessionName": "app1"]
        for field in more.fields {
            form.fields.removeAll { $0.name == field.name }
            form.fields.append(field)
        }
        return try await call("AssumeRole", form, as: signature)
    }

    static let seedOfDevice = Array("12345678901234567890".utf8)

    /// Adds an MFA device to a user, enabled or not.
    func addDevice(_ name: String = "phone", for user: String?, isEnabled: Bool = true) async throws -> String {
        var device = MultiFactorDevice(
            account: Self.account, name: name, path: "/", seed: Self.seedOfDevice, created: cloud.clock.now)
        device.user = user
        device.enabled = isEnabled ? cloud.clock.now : nil
        let added = device
        try await cloud.edit { $0.put(.device(added)) }
        return added.arn
    }

    /// The code that the device shows now.
    var code: String {
        OneTimePassword.password(seed: Self.seedOfDevice, counter: OneTimePassword.counter(atSeconds: cloud.clock.now.seconds))
    }
}
