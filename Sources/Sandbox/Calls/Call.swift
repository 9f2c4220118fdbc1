package import Cloud
package import Federation
package import HTTPTypes
package import NIOCore
import Synchronization
package import WireFormats

/// One HTTP exchange: the request as received, and the data for its journal entry.
///
/// The front door creates it, a face responds to it. It lives longer than the response head: a streamed body may still record its end.
package final class Call: Sendable {
    /// The sandbox.
    package let cloud: Cloud
    /// The request as it was received.
    package let request: Request
    /// The HTTP method.
    package let method: HTTPRequest.Method
    /// The request headers.
    package let headers: HTTPFields
    /// The request ID. S3 shows it as sixteen upper-case hexadecimal digits; other services derive their own formats.
    package let id: RequestID
    /// The `host[:port]` that the client used and signed.
    package let authority: String
    /// The host of ``authority`` in lower case, without the port.
    package let host: String
    /// The path as received, still percent-encoded. It always begins with a slash.
    package let path: String
    /// The query as received, without the question mark; empty if there is none.
    package let query: String
    /// Whether the client used TLS.
    package let isSecure: Bool
    /// Whether the request has a header that identifies a browser: `Origin`, `Sec-Fetch-Site`, or a `User-Agent` that begins with
    /// `Mozilla/`.
    package let isFromBrowser: Bool
    /// The time of arrival by the sandbox's clock.
    package let received: Timestamp
    /// The time of arrival by the wall clock.
    package let arrived: Timestamp
    /// The host names of this server.
    package let names: HostNames
    /// The address of the client, if the transport has one. Behind a trusted proxy it is the address that the proxy reports; `nil` if the
    /// proxy reports none.
    package let peer: SocketAddress?
    /// How the request came to this process.
    package var forwarding: Forwarding {
        if case .direct = request.forwarding, headers.areForwarded { .undeclared } else { request.forwarding }
    }
    /// Whether the client is on this machine, which also holds without an address, but not behind a proxy that does not name the client or
    /// that is not trusted.
    package var isFromThisMachine: Bool {
        switch forwarding {
        case .unknownClient, .undeclared: return false
        case .direct, .trusted: break
        }
        guard let address = peer?.ipAddress else { return true }
        return HostNames.isLoopback(address)
    }
    /// The distributed trace that the request belongs to; `nil` without one.
    package let trace: Trace?
    private let record = Mutex(Record())

    /// The data that a face records for the journal.
    struct Record {
        var face = ""
        var caller: String?
        var operation: String?
        var errorCode: String?
        var errorMessage: String?
        var cause: String?
        var decisions: [JournalDecision] = []
        var faults: [String] = []
        var drop: FaultRule.Drop?
        var servesDenied = false
        var failure: (any Error)?
        var access: ObjectAccess?
        var upstream: JournalEntry.Upstream?
        /// The parsed query, once something has asked for it.
        var query: ParsedQuery?
    }

    /// The result of parsing a query.
    struct ParsedQuery {
        /// `nil` for an invalid escape.
        let fields: FormFields?
    }

    /// - Parameter peer: the address that the connection came from.
    package init(request: Request, peer: SocketAddress?, isSecure: Bool, cloud: Cloud, names: HostNames) {
        self.cloud = cloud
        self.request = request
        self.peer = peer
        self.isSecure = isSecure
        self.names = names
        id = RequestID()
        authority = request.authority
        host = Self.host(of: request.authority)
        method = request.method
        headers = request.headers
        trace = Trace(receivedIn: request.headers)
        isFromBrowser = Self.isFromBrowser(request.headers)
        (received, arrived) = cloud.clock.reading
        (path, query) = Self.split(request.target)
    }

    /// Splits a target at the first question mark.
    private static func split(_ target: String) -> (path: String, query: String) {
        var text = target
        return text.withUTF8 { bytes in
            let mark = bytes.place(of: UInt8(ascii: "?"), from: 0)
            guard mark < bytes.count else { return (target, "") }
            return (
                String(decoding: UnsafeBufferPointer(rebasing: bytes[..<mark]), as: UTF8.self),
                String(decoding: UnsafeBufferPointer(rebasing: bytes[(mark + 1)...]), as: UTF8.self)
            )
        }
    }

    /// The names and values of the query; `nil` if it has an invalid escape. It is parsed once, because many parts of the process ask for it.
    package var queryFields: FormFields? {
        guard !query.isEmpty else { return [:] }
        return record.withLock { record in
            let parsed = record.query ?? ParsedQuery(fields: FormFields(parsing: query))
            record.query = parsed
            return parsed.fields
        }
    }

    /// The client's IP address; empty if the transport has none.
    package var sourceIP: String { peer?.ipAddress ?? "" }

    private static func host(of authority: String) -> String {
        if authority.begins(with: "["), let end = authority.firstIndex(of: "]") { return authority[...end].lowercased() }
        var authority = authority
        let (name, isLowercase) = authority.withUTF8 { bytes in
            let name = UnsafeBufferPointer(rebasing: bytes[..<bytes.place(of: UInt8(ascii: ":"), from: 0)])
            return (String(decoding: name, as: UTF8.self), !name.contains { 0x41...0x5A ~= $0 || $0 >= 0x80 })
        }
        return isLowercase ? name : name.lowercased()
    }

    /// The scheme and authority that begin absolute URLs in the response.
    package var origin: String { names.publicURL ?? "\(isSecure ? "https" : "http")://\(authority)" }

    /// Records the face in the journal entry.
    package func note(face: String) { record.withLock { $0.face = face } }

    /// Records the caller in the journal entry.
    /// - Parameter caller: the ARN, or the name that the face uses.
    package func note(caller: String) { record.withLock { $0.caller = caller } }

    /// Records the operation in the journal entry.
    package func note(operation: String) { record.withLock { $0.operation = operation } }

    /// Allows requests that policies deny from now on. Denials are recorded as before.
    package func serveDenied() { record.withLock { $0.servesDenied = true } }

    /// Whether requests are allowed even if policies deny them.
    var servesDenied: Bool { record.withLock { $0.servesDenied } }

    /// Records the error that the client receives.
    /// - Parameter message: the message for the client; secrets in it are removed when the journal is read.
    package func note(errorCode: String, message: String? = nil) {
        let message = message.map(JournalEntry.bounded(message:))
        record.withLock { record in
            record.errorCode = errorCode
            record.errorMessage = message
        }
    }

    /// Records an unexpected error for the log.
    /// The client receives the face's generic error without internal details. A canceled request is not recorded.
    package func note(failure: any Error) {
        guard !(failure is CancellationError) else { return }
        record.withLock { $0.failure = failure }
    }

    /// The unexpected error, if there was one.
    package var failure: (any Error)? { record.withLock { $0.failure } }

    /// Records what the call does in a bucket that another service than the object store uses, for the bucket's access logs.
    package func note(access: ObjectAccess) { record.withLock { $0.access = access } }

    /// What the call does in a bucket, where another service than the object store answers it.
    package var access: ObjectAccess? { record.withLock { $0.access } }

    /// Records the exact cause of an error, which the client does not receive.
    /// - Parameter cause: a sentence without secrets.
    package func note(cause: String) {
        let cause = JournalEntry.bounded(message: cause)
        record.withLock { $0.cause = cause }
    }

    /// Records the rules of errors on demand that applied, and where they drop the connection.
    func note(faults: [String], drop: FaultRule.Drop?) {
        record.withLock { record in
            record.faults += faults
            record.drop = record.drop ?? drop
        }
    }

    var drop: FaultRule.Drop? { record.withLock { $0.drop } }

    /// Records the server that the call was forwarded to.
    /// - Parameters:
    ///   - upstream: `host[:port]`.
    ///   - status: the status of its answer; `nil` if there is none yet.
    package func note(upstream: String, status: Int?) {
        record.withLock { $0.upstream = JournalEntry.Upstream(address: upstream, status: status) }
    }

    /// Records an authorization decision in the journal entry.
    package func note(_ decision: JournalDecision) { record.withLock { $0.decisions.append(decision) } }

    /// The latest denial, if there is one.
    package var refusal: JournalDecision? { record.withLock { $0.decisions.last { !$0.allowed } } }

    /// Returns the journal entry, once the response is known.
    package func entry(status: Int) -> JournalEntry {
        record.withLock { record in
            var entry = JournalEntry(
                time: received, requestID: id.text, method: method.rawValue, target: request.target, host: authority,
                face: record.face, caller: record.caller, operation: record.operation, decisions: record.decisions, status: status,
                errorCode: record.errorCode, errorMessage: record.errorMessage, cause: record.cause, faults: record.faults,
                isReported: record.servesDenied && record.decisions.contains { !$0.allowed })
            (entry.peer, entry.isSecure, entry.trace) = (peer, isSecure, trace?.span)
            if case .unknownClient = request.forwarding { entry.isFromUnknownClient = true }
            entry.upstream = record.upstream
            return entry
        }
    }
}
