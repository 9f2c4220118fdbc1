import Calls
import Federation
import HTTPTypes
import RequestSigning
import ServiceModels
import WireFormats

extension GatewayFace {
    /// Sends a decided call to its upstream.
    /// - Parameters:
    ///   - account: the account that has the resources.
    ///   - stream: the stream of a shard iterator in the answer; `nil` if it is not known.
    ///   - check: refuses the key that the answer says was used, which is `nil` for an answer that does not say it; see ``UsedKey``.
    func forward(
        _ call: ForwardedCall, _ signer: GatewaySigner, as account: String, stream: String?, checking check: (String?) async throws -> Void
    ) async throws -> Response {
        let namesQueues = call.service.name == "sqs" && QueueURLs.operations.contains(call.operation.name)
        var request = call.http.signable
        if call.isDecompressed { request.fields[.contentEncoding] = nil }
        let usedKey = UsedKey.member(of: call.operation.name, service: call.service.name)
        let iterator = ShardIterators.member(of: call.operation.name, service: call.service.name)
        // An answer that is read or changed must not be compressed.
        if namesQueues || usedKey != nil || iterator != nil { request.fields[.acceptEncoding] = nil }
        let body = try call.plainBody()
        let isChanged = call.isDecompressed || body != nil
        if isChanged, let name = HTTPField.Name("content-md5") { request.fields[name] = nil }
        let payload = isChanged ? nil : signer.payload
        let signed = UpstreamRequest.signed(
            request, account: account, region: signer.region, service: call.service.signingName,
            payload: payload ?? PayloadHash(of: body ?? call.body), at: call.http.arrived)
        let order = UpstreamOrder(upstream: call.upstream, request: signed, body: body ?? call.body, client: call.http.request.client)
        let origin = Origin(url: call.upstream)?.authority ?? call.upstream
        call.http.note(upstream: origin, status: nil)
        var answer = try await client.exchange(order)
        call.http.note(upstream: origin, status: answer.status.code)
        if let usedKey, answer.status.kind == .successful {
            let key = try await answer.text(at: usedKey)
            try await check(key)
        }
        if let iterator, let stream { try await note(iterator, of: stream, in: &answer, to: call) }
        if namesQueues { answer = try await answer.redirectingQueues(to: call.http.origin) }
        return answer.response(from: call.upstream)
    }

    /// Remembers the shard iterator of an answer, which is held as a whole meanwhile.
    private func note(_ iterator: String, of stream: String, in answer: inout UpstreamAnswer, to call: ForwardedCall) async throws {
        let declared = answer.headers[.contentLength].flatMap { Int($0) } ?? ShardIterators.usualAnswer
        var held = 0
        defer { rules.budget.release(held, for: call.http.sourceIP) }
        try rules.budget.hold(min(max(declared, 0), ShardIterators.longestAnswer), for: call.http.sourceIP, &held)
        let text = try await answer.text(at: iterator, in: call.wire, upTo: ShardIterators.longestAnswer)
        if let text { rules.iterators.note(text, of: stream, at: call.upstream) }
    }
}
