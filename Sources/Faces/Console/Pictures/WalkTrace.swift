import Cryptography
import WireFormats

/// The trace of a walk: every request that the console sends in the walk carries it, so that the journal can find them.
struct WalkTrace: Sendable {
    private let digest: [UInt8]

    init(walk: String) { digest = SHA256.hash(walk) }

    /// The trace ID, as 32 hexadecimal digits.
    var id: String { Array(digest.prefix(16)).hex }

    /// The header of a request. (W3C Trace Context, section 3.2.)
    var header: (name: String, value: String) { ("traceparent", "00-\(id)-\(Array(digest[16..<24]).hex)-01") }
}
