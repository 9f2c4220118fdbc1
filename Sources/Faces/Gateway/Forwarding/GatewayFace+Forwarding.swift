import Calls
import Federation
import HTTPTypes
import RequestSigning
import ServiceModels
import WireFormats

extension GatewayFace {
    /// Sends a decided call to its upstream.
    /// - Parameter account: the account that has the resources.
    func forward(_ call: ForwardedCall, _ signer: GatewaySigner, as account: String) async throws -> Response {
        let namesQueues = call.service.name == "sqs" && QueueURLs.operations.contains(call.operation.name)
        var request = call.http.signable
        if call.isDecompressed { request.fields[.contentEncoding] = nil }
        // An answer that is changed must not be compressed.
        if namesQueues { request.fields[.acceptEncoding] = nil }
        let payload = call.isDecompressed ? nil : signer.payload
        let signed = UpstreamRequest.signed(
            request, account: account, region: signer.region, service: call.service.signingName,
            payload: payload ?? PayloadHash(of: call.body), at: call.http.arrived)
        let order = UpstreamOrder(upstream: call.upstream, request: signed, body: call.body, client: call.http.request.client)
        let origin = Origin(url: call.upstream)?.authority ?? call.upstream
        call.http.note(upstream: origin, status: nil)
        var answer = try await client.exchange(order)
        call.http.note(upstream: origin, status: answer.status.code)
        if namesQueues { answer = try await answer.redirectingQueues(to: call.http.origin) }
        return answer.response(from: call.upstream)
    }
}
