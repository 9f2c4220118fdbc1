package import Cloud
package import Federation
package import HTTPTypes
package import NIOCore
import Synchronization
package import WireFormats

/// One HTTP exchange: the request as it was received, and what its entry in the journal will say.
///
/// The front door makes it, a face answers it. It outlives the answer's head: a streamed body may still note its end.
package final class Call: Sendable {
    /// The sandbox.
    package let cloud: Cloud
    /// The request as it was received.
    package let request: Request
    /// The method.
    package let method: HTTPRequest.Method
    /// The header fields.
    package let headers: HTTPFields
    /// Sixteen upper-case characters; S3's form of a request id. Other faces derive theirs from it.
    package let id: RequestID
    /// `host[:port]` as the client addressed it; the part of a signature.
    package let authority: String
    /// Path as received, still percent-encoded, always beginning with a slash.
    package let path: String
    /// Query as received without the question mark; empty if there is none.
    package let query: String
    /// Whether the request came over TLS.
    package let isSecure: Bool
    /// Whether the request has a field that identifies a browser: `Origin`, `Sec-Fetch-Site`, or a `User-Agent` that begins with `Mozilla/`.
    package let isFromBrowser: Bool
    /// By the sandbox's clock.
    package let received: Timestamp
    /// By the wall clock.
    package let arrived: Timestamp
    /// The host names of this server.
    package let names: HostNames
    let peer: SocketAddress?
    private let record = Mutex(Record())

    /// What a face notes for the journal.
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
        method = request.method
        headers = request.headers
        isFromBrowser = Self.isFromBrowser(request.headers)
        (received, arrived) = cloud.clock.reading
        let target = request.target
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            path = String(target[..<mark])
            query = String(target[target.utf8.index(after: mark)...])
        } else {
            path = target
            query = ""
        }
    }

    /// The client's address without port; empty if the transport has none.
    package var sourceIP: String { peer?.ipAddress ?? "" }

    /// `host` of ``authority`` in lower case, without port.
    package var host: String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return authority[...end].lowercased() }
        let end = authority.utf8.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let name = String(authority[..<end])
        return name.utf8.contains { 0x41...0x5A ~= $0 || $0 >= 0x80 } ? name.lowercased() : name
    }

    /// Scheme and authority that absolute URLs in the answer begin with.
    package var origin: String { names.publicURL ?? "\(isSecure ? "https" : "http")://\(authority)" }

    /// Notes something for the journal's entry.
    package func note(face: String) { record.withLock { $0.face = face } }

    /// - Parameter caller: the ARN, or the name that the face uses.
    package func note(caller: String) { record.withLock { $0.caller = caller } }

    /// Notes something for the journal's entry.
    package func note(operation: String) { record.withLock { $0.operation = operation } }

    /// Serves what policies deny from here on, and notes the denials as before.
    package func serveDenied() { record.withLock { $0.servesDenied = true } }

    /// Whether what policies deny is served.
    var servesDenied: Bool { record.withLock { $0.servesDenied } }

    /// Notes the error that the client gets.
    /// - Parameter message: as the client gets it; secrets in it are removed when the journal is read.
    package func note(errorCode: String, message: String? = nil) {
        let message = message.map(JournalEntry.bounded(message:))
        record.withLock { record in
            record.errorCode = errorCode
            record.errorMessage = message
        }
    }

    /// Notes an error that nobody expected, for the log; the client gets the face's words for a failure, without internals. A cancelled
    /// request is no failure.
    package func note(failure: any Error) {
        guard !(failure is CancellationError) else { return }
        record.withLock { $0.failure = failure }
    }

    /// The error that nobody expected, if there was one.
    package var failure: (any Error)? { record.withLock { $0.failure } }

    /// Notes what the call does in a bucket that another service than the object store uses, for the bucket's access logs.
    package func note(access: ObjectAccess) { record.withLock { $0.access = access } }

    /// What the call does in a bucket, where another service than the object store answers it.
    package var access: ObjectAccess? { record.withLock { $0.access } }

    /// Notes what exactly was wrong, which the client is not told.
    /// - Parameter cause: without secrets.
    package func note(cause: String) {
        let cause = JournalEntry.bounded(message: cause)
        record.withLock { $0.cause = cause }
    }

    /// Rules of errors on demand that struck, and where they drop the connection.
    func note(faults: [String], drop: FaultRule.Drop?) {
        record.withLock { record in
            record.faults += faults
            record.drop = record.drop ?? drop
        }
    }

    var drop: FaultRule.Drop? { record.withLock { $0.drop } }

    /// Notes something for the journal's entry.
    package func note(_ decision: JournalDecision) { record.withLock { $0.decisions.append(decision) } }

    /// The newest decision that refused something, if there is one.
    package var refusal: JournalDecision? { record.withLock { $0.decisions.last { !$0.allowed } } }

    /// The entry for the journal, once the answer is known.
    package func entry(status: Int) -> JournalEntry {
        let record = record.withLock { $0 }
        return JournalEntry(
            time: received, requestID: id.text, method: method.rawValue, target: request.target, host: authority,
            face: record.face, caller: record.caller, operation: record.operation, decisions: record.decisions, status: status,
            errorCode: record.errorCode, errorMessage: record.errorMessage, cause: record.cause, faults: record.faults,
            isReported: record.servesDenied && record.decisions.contains { !$0.allowed })
    }
}
