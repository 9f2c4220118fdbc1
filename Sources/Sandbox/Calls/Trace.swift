package import HTTPTypes
package import WireFormats

/// The distributed trace that a request belongs to. Requests to other servers carry it on. (W3C Trace Context.)
package struct Trace: Hashable, Sendable {
    /// The span of the request in this process.
    package var span: TraceParent
    /// The value of `tracestate`, which is passed on unchanged.
    package var state: String?

    /// The trace of the request that the current task answers; `nil` without one.
    @TaskLocal package static var current: Trace?

    /// Reads the headers of a request, and begins a new span.
    ///
    /// A malformed `traceparent` begins a new trace that is not sampled, without `tracestate`. (W3C Trace Context, section 4.3.)
    /// - Returns: `nil` if the request has no `traceparent`.
    package init?(receivedIn headers: HTTPFields) {
        guard headers.has(.traceparent) else { return nil }
        let span = UInt64.random(in: 1 ... .max)
        // Several headers are joined with a comma, which is malformed.
        guard let parent = headers[.traceparent].flatMap(TraceParent.init(parsing:)) else {
            self.span = TraceParent(trace: (.random(in: 1 ... .max), .random(in: 0 ... .max)), span: span, flags: 0)
            return
        }
        self.span = parent.child(span: span)
        state = headers.has(.tracestate) ? headers[.tracestate] : nil
    }

    /// Adds the headers to a request to another server.
    package func write(to headers: inout HTTPFields) {
        headers[.traceparent] = span.text
        headers[.tracestate] = state
    }
}

extension HTTPField.Name {
    /// The position of a request in a trace. (W3C Trace Context.)
    package static let traceparent = HTTPField.Name(literal: "traceparent")
    /// What tracing systems add to a trace. (W3C Trace Context.)
    package static let tracestate = HTTPField.Name(literal: "tracestate")
}
