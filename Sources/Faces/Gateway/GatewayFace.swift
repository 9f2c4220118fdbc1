package import Calls
import Cloud
package import Federation
import HTTPTypes
import NIOCore
import RequestSigning
import ServiceModels
import WireFormats

/// Calls of AWS services that another server has: they are authenticated and decided here, refused in the words of their service, and
/// otherwise forwarded.
package struct GatewayFace: Sendable {
    private let authenticator: Authenticator
    let rules: GatewayRules
    /// Sends requests to upstreams.
    let client: UpstreamClient

    /// Creates the face.
    /// - Parameter send: sends requests to upstreams.
    package init(authenticator: Authenticator, rules: GatewayRules, send: @escaping UpstreamSend) {
        self.authenticator = authenticator
        self.rules = rules
        client = UpstreamClient(rules, send: send)
    }

    /// Reads policies and tags of resources.
    var reader: ResourceReader { ResourceReader(client: client, policies: rules.policies) }

    /// Responds to a call.
    /// - Parameters:
    ///   - name: the name of the service in credential scopes. It must be forwarded.
    ///   - form: the body, if the front door has already read it.
    package func respond(to call: Call, service name: String, form: QueryForm? = nil) async -> Response {
        guard let service = ServiceTable.builtIn.service(signing: name), let upstream = rules.upstreams.url(signing: name) else {
            return Response(status: .notFound)
        }
        call.note(face: service.name)
        var forwarded = ForwardedCall(http: call, service: service, upstream: upstream)
        var held = 0
        let response: Response
        do {
            response = try await answer(&forwarded, form, &held)
        } catch {
            response = refuse(error, forwarded)
        }
        rules.budget.release(held, for: call.sourceIP)
        return response
    }

    /// Decides a call, and forwards it.
    private func answer(_ call: inout ForwardedCall, _ form: QueryForm?, _ held: inout Int) async throws -> Response {
        try await call.read(form, rules, holding: &held)
        let signer = try authenticated(call)
        call.http.note(operation: call.operation.name)
        let input = try call.input()
        let scope = CallScope(region: signer.region, account: signer.account)
        let permissions = rules.iterators.completed(try self.permissions(of: call, input, in: scope), input, at: call.upstream)
        if call.http.cloud.faults.isArmed { try await applyFaults(call, permissions, signer) }
        let names = try await names(of: permissions, for: call, signer)
        let access = try await access(to: permissions, named: names, for: call, signer)
        let keys = try await keys(of: call, input, permissions, access, signer)
        // Only the answer names the key of a ciphertext, if the caller does not.
        let unnamed = permissions.filter { UsedKey.isUnnamed($0) }
        try decide(permissions.filter { !UsedKey.isUnnamed($0) }, of: call, names, keys, access, signer)
        let account = try account(of: permissions, named: names, in: call, signer)
        defer { if PolicyChange.isMade(by: call.operation.name, of: call.service.name) { rules.policies.forget() } }
        let decided = call
        return try await forward(decided, signer, as: account, stream: ShardIterators.stream(of: permissions)) { key in
            let used = key.map { UsedKey.permissions(permissions, on: $0, besides: names) } ?? unnamed
            if used.isEmpty { return }
            let found = try await self.access(to: used, named: names, for: decided, signer)
            try decide(used, of: decided, names, keys, found, signer)
        }
    }

    /// Refuses a call that one of its permissions denies.
    private func decide(
        _ permissions: [RequiredPermission], of call: ForwardedCall, _ names: ResolvedNames, _ keys: [RequestKey],
        _ access: TextDictionary<ResourceAccess>, _ signer: GatewaySigner
    ) throws(Refusal) {
        let denial = call.http.denial(of: permissions, keys: keys, by: signer.caller, region: signer.region, access: access) {
            names.text(of: $0)
        }
        guard let denial,
            let refusal = Refusal.denied(
                denial.decision, denial.context, operation: call.operation.name, of: call.service.name, in: call.wire)
        else { return }
        throw refusal
    }

    /// Returns who signed a call.
    private func authenticated(_ call: ForwardedCall) throws(Refusal) -> GatewaySigner {
        let found: Authenticated?
        do {
            found = try authenticator.authenticate(call.http.signable, service: call.service.signingName, body: call.received)
        } catch {
            throw .unauthenticated(AuthenticationRefusal(error), of: call.service.name, in: call.wire)
        }
        guard let found, let account = found.caller.account else {
            throw .unauthenticated(.missingToken, of: call.service.name, in: call.wire)
        }
        if let message = call.http.refusal(ofKey: found.accessKey, by: authenticator, .call) { throw .foreignPage(message, in: call.wire) }
        if let arn = found.caller.arn { call.http.note(caller: arn) }
        // Some clients sign with an empty region.
        let region = found.region.flatMap { $0.isEmpty ? nil : $0 } ?? "us-east-1"
        try call.checkHost(region: region)
        return GatewaySigner(caller: found.caller, account: account, region: region, payload: found.payload)
    }

    /// Returns the permissions that a call needs: none if they are not known, and such calls are forwarded.
    private func permissions(
        of call: ForwardedCall, _ input: CallInput, in scope: CallScope
    ) throws(Refusal) -> [RequiredPermission] {
        let (service, operation) = (call.service, call.operation)
        do {
            return try service.permissions(
                for: operation, input, method: call.http.method.rawValue, path: call.decidedPath, in: scope)
        } catch {
            if case .unmapped = error, rules.forwardsUnmapped {
                call.http.note(cause: "The permission of \(service.name):\(operation.name) is not known. The call was not decided.")
                return []
            }
            throw .undecidable(error, operation: operation.name, of: service.name, in: call.wire)
        }
    }

    private func applyFaults(_ call: ForwardedCall, _ permissions: [RequiredPermission], _ signer: GatewaySigner) async throws {
        let resources = permissions.compactMap { permission -> String? in
            if case .known(let text) = permission.resource { text } else { nil }
        }
        try await call.http.applyFaults(
            FaultableCall(
                service: call.service.name, action: call.operation.name, caller: signer.caller.arn, resources: resources))
    }

    private func refuse(_ error: any Error, _ call: ForwardedCall) -> Response {
        let refusal = refusal(for: error, call)
        call.http.note(errorCode: refusal.code, message: refusal.message)
        return refusal.response(of: call.service.name, in: call.wire, requestID: call.http.id.uuid)
    }

    private func refusal(for error: any Error, _ call: ForwardedCall) -> Refusal {
        switch error {
        case let refusal as Refusal: return refusal
        case let failure as UpstreamFailure:
            return .unreachable(call.upstream, failure.cause, of: call.service.name, in: call.wire)
        case let fault as InjectedFault: return .injected(fault)
        case let tooLarge as BodyTooLarge: return .tooLarge(tooLarge.limit)
        case is BudgetExhausted: return .busy
        case is ContentCutOff: return .malformed("The request body ended before its length.", in: call.wire)
        default:
            call.http.note(failure: error)
            return .failure(in: call.wire)
        }
    }
}

/// Who signed a call of a forwarded service.
struct GatewaySigner: Sendable {
    let caller: Caller
    /// The account of the caller.
    let account: String
    /// The region that the call is signed for.
    let region: String
    /// The signed hash of the body as received.
    let payload: PayloadHash?
}
