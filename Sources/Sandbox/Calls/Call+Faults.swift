package import Cloud
package import HTTPTypes
import NIOCore
import WireFormats

/// The error that a rule of errors on demand injects in place of the operation's result. Each face formats it like its own errors.
package struct InjectedFault: Error, Equatable, Sendable {
    /// The error to return.
    package var failure: FaultRule.Failure

    /// Returns the status and message that AWS sends with the code, unless the rule defines them.
    package func entry(in family: FaultCatalogue.Family) -> (status: HTTPResponse.Status, message: String) {
        let known = FaultCatalogue.entry(failure.code, in: family)
        return (
            failure.status.map { HTTPResponse.Status(code: $0) } ?? known?.status ?? .badRequest,
            failure.message ?? known?.message ?? failure.code
        )
    }
}

extension Call {
    /// Applies the rules of errors on demand to the request. Each face calls it in one place: after the operation and the caller are known,
    /// and before anything is changed.
    ///
    /// Call it only if `cloud.faults.isArmed`.
    /// - Throws: `InjectedFault`; the operation must not be performed.
    package func applyFaults(_ call: FaultableCall) async throws {
        let applied = cloud.faults.apply(call)
        guard !applied.isEmpty else { return }
        let drop = applied.lazy.compactMap(\.rule.drop).first
        note(faults: applied.map(\.id), drop: drop)
        let latency = applied.reduce(Duration.zero) { $0 + $1.rule.latency }
        if latency > .zero { try await Task.sleep(for: latency) }
        if let failure = applied.lazy.compactMap(\.rule.failure).first { throw InjectedFault(failure: failure) }
        // The response will not be sent.
        if drop == .request { throw InjectedFault(failure: .init(code: "ServiceUnavailable")) }
    }

    /// The outcome of a request that one service sends to another while handling this request.
    package enum CallOutcome: Sendable {
        case answered
        case failed(InjectedFault)
        /// The connection was dropped.
        case lost
    }

    /// Applies the rules to a request that one service sends to another while handling this request. The rules affect only the inner
    /// request; the response to this request is not cut.
    package func applyFaults(calling call: FaultableCall) async throws -> CallOutcome {
        let applied = cloud.faults.apply(call)
        guard !applied.isEmpty else { return .answered }
        note(faults: applied.map(\.id), drop: nil)
        let latency = applied.reduce(Duration.zero) { $0 + $1.rule.latency }
        if latency > .zero { try await Task.sleep(for: latency) }
        if let failure = applied.lazy.compactMap(\.rule.failure).first { return .failed(InjectedFault(failure: failure)) }
        return applied.contains { $0.rule.drop != nil } ? .lost : .answered
    }

    /// Returns the part of the response that may be sent: a rule can drop the connection before the response or within its body.
    package func cut(_ response: Response) -> Response {
        switch drop {
        case nil: response
        case .request, .answer: response.lost
        case .body: response.cutInTheMiddle
        }
    }
}

/// The error that ends a connection within a response body.
private struct Dropped: Error {}

extension Response {
    fileprivate var lost: Response {
        var response = self
        response.isLost = true
        return response
    }

    /// The same response, whose connection closes after half of the body, or before the response if the body is too short.
    fileprivate var cutInTheMiddle: Response {
        let half = body.contentLength.map { $0 / 2 } ?? 1
        guard half > 0 else { return lost }
        let content = body
        return Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: body.contentLength) { writer in
                try await content.write(HalfWriter(writer: writer, remaining: half))
                throw Dropped()
            })
    }
}

/// Forwards a number of bytes and then throws.
private struct HalfWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    var remaining: Int

    mutating func room() async throws -> BodyRoom { try await writer.room() }

    mutating func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        let part = buffer.readSlice(length: min(remaining, buffer.readableBytes)) ?? ByteBuffer()
        remaining -= part.readableBytes
        if part.readableBytes > 0 { try await writer.write(part) }
        if remaining == 0 { throw Dropped() }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { throw Dropped() }
}
