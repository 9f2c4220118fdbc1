import Calls
import Cloud
import Federation
import WireFormats

extension Service {
    /// Applies errors on demand. The call is already parsed, and has had no effect yet. If no caller can be identified, the
    /// operation itself rejects the call.
    func applyFaults(_ call: ServiceCall) async throws {
        var caller: String?
        do {
            caller = try signer(of: call)?.caller.arn
        } catch {
            return
        }
        if caller == nil, call.http.cloud.faults.needCaller { caller = await identify?(call) }
        call.http.note(operation: call.action)
        if let caller { call.http.note(caller: caller) }
        try await call.http.applyFaults(
            FaultableCall(service: name, action: call.action, caller: caller, resources: call.resources(of: caller)))
    }
}

extension ServiceCall {
    /// Returns the ARNs in the parameters, and those of names in the caller's account. The latter have no path, because the call has none.
    fileprivate func resources(of caller: String?) -> [String] {
        let account = caller?.split(separator: ":", omittingEmptySubsequences: false).dropFirst(4).first ?? ""
        let kinds = ["UserName": "user", "RoleName": "role", "GroupName": "group", "InstanceProfileName": "instance-profile"]
        return fields.fields.compactMap { field in
            if field.value.hasPrefix("arn:") { return field.value }
            return kinds[field.name].map { "arn:aws:iam::\(account):\($0)/\(field.value)" }
        }
    }
}
