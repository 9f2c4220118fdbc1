import Calls
import HTTPTypes
import RequestSigning
import WireFormats

/// Sends requests to upstreams: those of clients, and the gateway's own.
struct UpstreamClient: Sendable {
    /// The time between two attempts to reach an upstream that does not listen yet.
    private static let pause = Duration.milliseconds(100)

    /// How long a request waits for an upstream that does not listen yet.
    let wait: Duration
    let health: UpstreamHealth
    let send: UpstreamSend

    /// - Parameter send: sends requests to upstreams.
    init(_ rules: GatewayRules, send: @escaping UpstreamSend) {
        wait = rules.wait
        health = rules.health
        self.send = send
    }

    /// Sends a request, and waits for an upstream that does not listen yet.
    func exchange(_ order: UpstreamOrder) async throws -> UpstreamAnswer {
        let deadline = ContinuousClock.now + wait
        while true {
            if let answer = try await attempt(order, until: deadline) { return answer }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Sends a request.
    /// - Returns: `nil` if there was no connection, and there is time for another attempt.
    private func attempt(_ order: UpstreamOrder, until deadline: ContinuousClock.Instant) async throws -> UpstreamAnswer? {
        do {
            let answer = try await send(order)
            health.note(.answering, of: order.upstream)
            return answer
        } catch {
            guard let failure = error as? UpstreamFailure else { throw error }
            health.note(.unreachable(failure.cause), of: order.upstream)
            guard failure.isUnconnected, ContinuousClock.now < deadline, order.client?.mayBeGone != true else { throw error }
            return nil
        }
    }

    /// Sends a request of the gateway itself.
    /// - Parameter account: the account that has the resource.
    func ask(_ request: OwnRequest, account: String, region: String, _ place: OwnRequestPlace) async throws -> OwnAnswer {
        let signed = UpstreamRequest.signed(
            SignableRequest(method: request.method, target: request.target, authority: place.authority, fields: request.fields),
            account: account, region: region, service: request.service, payload: PayloadHash(of: request.body), at: place.time)
        let answer = try await exchange(
            UpstreamOrder(upstream: place.upstream, request: signed, body: request.body, client: place.client))
        do {
            let body = try await answer.body.collected(upTo: 1 << 20)
            return OwnAnswer(status: answer.status, fields: answer.headers, body: body)
        } catch is BodyTooLarge {
            throw UpstreamFailure("\(request.operation) was answered with more than 1 MiB")
        }
    }
}

/// Where and when a request of the gateway itself is made.
struct OwnRequestPlace: Sendable {
    /// The URL of the upstream.
    let upstream: String
    /// The `Host` that the upstream gets.
    let authority: String
    /// The origin of the URLs of queues.
    let origin: String
    /// The time of the signature.
    let time: Timestamp
    /// The client that waits for the answer; `nil` if none does.
    let client: ClientPresence?
}

extension ForwardedCall {
    /// Where and when requests are made to decide the call.
    var place: OwnRequestPlace {
        OwnRequestPlace(
            upstream: upstream, authority: http.authority, origin: http.origin, time: http.arrived, client: http.request.client)
    }
}
