import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    private static let serviceMembers = ["as", "action", "resource", "context", "trustPolicy", "documents"]
    private static let serviceActions = ["sts:assumerole", "sts:tagsession", "sts:setsourceidentity"]

    /// Explains whether a role's trust policy lets a service assume the role.
    ///
    /// For `AssumeRole` and the actions that it can need besides, `as` is the principal of the trust policy: `ec2.amazonaws.com`. The keys of
    /// the service's resource, such as `aws:SourceArn`, are in `context`.
    /// - Returns: `nil` for other actions and callers.
    func explain(service body: JSONObject, _ call: Call) throws(ControlError) -> Response? {
        guard let principal = try body.text("as"), let action = try body.text("action"), let arn = try body.text("resource"),
            principal.hasSuffix(".amazonaws.com"), !principal.contains(":"), Self.serviceActions.contains(action.lowercased())
        else { return nil }
        try body.expect(only: Self.serviceMembers)
        let policies = try AssumedPolicies(body, action: action)
        guard let role = call.cloud.directory.role(arn: arn, at: .aws) else { throw ControlError.unknownRole(arn) }
        let verdict = policies.apply(
            to: call.decide(
                action, for: RoleAssumption(of: role, named: "explain"), by: ServiceCaller(principal: principal, region: "us-east-1"),
                assumed: try body.conditionKeys("context")))
        return .json(try verdict.answer(body, isAssumed: !policies.isEmpty).json)
    }
}
