import Federation
import HTTPTypes
import WireFormats

/// Operations for credentials that Virga does not have: those of an organization and of a partner's request. They fail as in an
/// account that has neither: no caller is authorized.
extension STSFace {
    /// AssumeRoot. An organization's management account calls it for a member.
    @Sendable static func assumeRoot(_ call: inout STSCall) async throws -> QueryService.Result? {
        let target = call.parameters.requiredText("TargetPrincipal", length: 12...2048)
        _ = call.parameters.requiredText("TaskPolicyArn.arn", length: 20...2048, pattern: .arn)
        _ = try call.parameters.integer("DurationSeconds", range: 0...900)
        _ = try call.parameters.leastSessionTokenSize()
        try call.parameters.check()
        let isAccount = target.utf8.count == 12 && target.utf8.allSatisfy { (0x30...0x39).contains($0) }
        throw call.notAuthorized("sts:AssumeRoot", on: isAccount ? "arn:aws:iam::\(target):root" : target)
    }

    /// GetDelegatedAccessToken. It exchanges the token of an approved request.
    @Sendable static func getDelegatedAccessToken(_ call: inout STSCall) async throws -> QueryService.Result? {
        _ = call.parameters.requiredText("TradeInToken", length: 0...Int.max)
        try call.parameters.check()
        throw call.notAuthorized("sts:GetDelegatedAccessToken", on: "*")
    }
}
