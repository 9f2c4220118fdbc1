/// What `GET /journal` returns.
package struct JournalMembers: DeclaredMembers {
    package var (state, generation) = (included(JournalStateMembers.self), integer("generation"))
    package var entries = list(of: EntryMembers.self, "entries")
    /// How many requests the filter selects, if that was requested.
    package var selected = integer("selected").omitted
}

/// The journal as a whole.
package struct JournalStateMembers: DeclaredMembers {
    package var (last, first, capture) = (integer("last"), integer("first"), document("capture", CaptureMembers.self).orNull)
}

/// Whether headers and bodies are captured.
package struct CaptureAnswerMembers: DeclaredMembers { package var capture = document("capture", CaptureMembers.self).orNull }

/// What the journal captures.
package struct CaptureMembers: DeclaredMembers { package var (body, until) = (integer("body"), date("until")) }

/// A request in the journal.
package struct EntryMembers: DeclaredMembers {
    package var (number, time, requestID) = (integer("number"), date("time"), text("request_id"))
    package var (sourceIP, scheme) = (text("source_ip").orNull, choice("scheme", ["http", "https"]))
    package var (traceID, spanID, traceFlags) = (text("trace_id").orNull, text("span_id").orNull, text("trace_flags").orNull)
    package var (method, target, host) = (text("method"), text("target"), text("host"))
    package var (face, operation) = (text("face"), text("operation").orNull)
    /// Who called, and the access key of a caller that was not accepted.
    package var (caller, claimedKey) = (text("caller").orNull, text("claimed_key").orNull)
    package var (status, error, refused, reason) = (integer("status"), text("error").orNull, flag("refused"), text("reason").orNull)
    /// The errors on demand that it met, and whether a denial was only reported.
    package var (faults, reported) = (texts("faults"), flag("reported"))
    package var (duration, requestBytes, responseBytes) = (
        ControlDocuments.number("duration_ms").orNull, integer("request_bytes").orNull, integer("response_bytes").orNull
    )
    package var (captured, decisions) = (flag("captured"), list(of: EntryDecisionMembers.self, "decisions"))
    /// The server that a call was forwarded to, and the status of its answer.
    package var (upstream, upstreamStatus) = (text("upstream").orNull, integer("upstream_status").orNull)
}

/// A decision in a list of requests.
package struct EntryDecisionMembers: DeclaredMembers {
    package var (action, resource, allowed, trace) = (text("action"), text("resource"), flag("allowed"), texts("trace"))
}

/// A request in the journal with its decisions and messages, as `GET /journal/{id}` returns it.
package struct EntryDetailMembers: DeclaredMembers {
    package var entry = included(EntryMembers.self)
    /// What the policies decided, with the evaluated statements.
    package var decisions = list(of: DecisionMembers.self, "decisions").described(by: Schemas.list(Schemas.anyObject))
    package var (request, response) = (document("request", MessageMembers.self).orNull, document("response", MessageMembers.self).orNull)
    package var curl = text("curl")
}
