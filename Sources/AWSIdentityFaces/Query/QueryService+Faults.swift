import Calls
import Cloud
import Federation
import WireFormats

extension QueryService {
    /// The one place where errors on demand reach a service of the Query protocol: the call can be read, its signature is good, and
    /// nothing of it has been done. Whoever cannot be authenticated is refused by the operation itself.
    func meetFaults(_ call: QueryCall) async throws {
        var caller: String?
        do {
            caller = try signer(of: call)?.caller.arn
        } catch {
            return
        }
        if caller == nil, call.http.cloud.faults.askCaller { caller = await identify?(call) }
        call.http.note(operation: call.action)
        if let caller { call.http.note(caller: caller) }
        try await call.http.meetFaults(
            FaultableCall(service: name, action: call.action, caller: caller, resources: call.resources(of: caller)))
    }
}

extension QueryCall {
    /// What the parameters name: by ARN, or by a name in the caller's account, whose path the call does not say.
    fileprivate func resources(of caller: String?) -> [String] {
        let account = caller?.split(separator: ":", omittingEmptySubsequences: false).dropFirst(4).first ?? ""
        let kinds = ["UserName": "user", "RoleName": "role", "GroupName": "group", "InstanceProfileName": "instance-profile"]
        return fields.fields.compactMap { field in
            if field.value.hasPrefix("arn:") { return field.value }
            return kinds[field.name].map { "arn:aws:iam::\(account):\($0)/\(field.value)" }
        }
    }
}
