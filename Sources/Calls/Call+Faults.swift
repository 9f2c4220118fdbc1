package import Cloud
package import HTTPTypes
import NIOCore

/// What a face answers in place of the call's own result, because somebody asked for it. Each face spells it as it spells its own errors.
package struct InjectedFault: Error, Equatable, Sendable {
    /// The error to answer with.
    package var failure: FaultRule.Failure

    /// What a service of AWS says with the code, unless the rule says otherwise.
    package func entry(in family: FaultCatalogue.Family) -> (status: HTTPResponse.Status, message: String) {
        let known = FaultCatalogue.entry(failure.code, in: family)
        return (
            HTTPResponse.Status(code: failure.status ?? known?.status ?? 400), failure.message ?? known?.message ?? failure.code
        )
    }
}

extension Call {
    /// Lets the rules of errors on demand have their way with the call. Each face asks at one place: where operation and caller are
    /// known, and before anything is done.
    ///
    /// To be asked only where `cloud.faults.isArmed`.
    /// - Throws: `InjectedFault`; the call must not be carried out.
    package func meetFaults(_ call: FaultableCall) async throws {
        let strikes = cloud.faults.strike(call)
        guard !strikes.isEmpty else { return }
        let drop = strikes.lazy.compactMap(\.rule.drop).first
        note(faults: strikes.map(\.id), drop: drop)
        let latency = strikes.reduce(Duration.zero) { $0 + $1.rule.latency }
        if latency > .zero { try await Task.sleep(for: latency) }
        if let failure = strikes.lazy.compactMap(\.rule.failure).first { throw InjectedFault(failure: failure) }
        // Nobody will see the answer.
        if drop == .request { throw InjectedFault(failure: .init(code: "ServiceUnavailable")) }
    }

    /// What becomes of a call that a service makes to another one in the course of this call.
    package enum CallOutcome: Sendable {
        case answered
        case failed(InjectedFault)
        /// The connection was dropped.
        case lost
    }

    /// The same for a call that a service makes to another one in the course of this call: the service hears what the rules say, and
    /// this call's own answer stays whole.
    package func meetFaults(calling call: FaultableCall) async throws -> CallOutcome {
        let strikes = cloud.faults.strike(call)
        guard !strikes.isEmpty else { return .answered }
        note(faults: strikes.map(\.id), drop: nil)
        let latency = strikes.reduce(Duration.zero) { $0 + $1.rule.latency }
        if latency > .zero { try await Task.sleep(for: latency) }
        if let failure = strikes.lazy.compactMap(\.rule.failure).first { return .failed(InjectedFault(failure: failure)) }
        return strikes.contains { $0.rule.drop != nil } ? .lost : .answered
    }

    /// The answer as far as it may leave: a rule can have the connection dropped before it or amid its content.
    package func cut(_ response: Response) -> Response {
        switch drop {
        case nil: response
        case .request, .answer: response.lost
        case .body: response.cutInTheMiddle
        }
    }
}

/// Ends a connection, in the place of the rest of an answer's content.
private struct Dropped: Error {}

extension Response {
    fileprivate var lost: Response {
        var response = self
        response.isLost = true
        return response
    }

    /// The same answer, whose connection ends when half of its content has left, and before it where it has too little.
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

/// Hands on a number of bytes and then fails.
private struct HalfWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    var remaining: Int

    mutating func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        let part = buffer.readSlice(length: min(remaining, buffer.readableBytes)) ?? ByteBuffer()
        remaining -= part.readableBytes
        if part.readableBytes > 0 { try await writer.write(part) }
        if remaining == 0 { throw Dropped() }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { throw Dropped() }
}
