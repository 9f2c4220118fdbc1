import Cryptography
import ServiceModels
import Synchronization
import WireFormats

/// The streams of Kinesis that shard iterators belong to. An iterator names its stream only to the service, whatever the caller writes beside
/// it, so the gateway remembers the iterators of the answers that it passes on.
package final class ShardIterators: Sendable {
    private struct State {
        /// The ARNs of streams, by the digest of the iterator.
        var streams: [[UInt8]: String] = [:]
        /// The digests, as a ring.
        var digests: [[UInt8]] = []
        /// The place of the oldest digest in a full ring.
        var oldest = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: the most iterators that are remembered, the newest ones.
    package init(capacity: Int = 1 << 16) { self.capacity = capacity }

    /// Remembers an iterator.
    /// - Parameters:
    ///   - stream: the ARN of its stream.
    ///   - upstream: the URL of the server that made it.
    package func note(_ iterator: String, of stream: String, at upstream: String) {
        let digest = Self.digest(iterator, upstream)
        state.withLock { state in
            guard state.streams.updateValue(stream, forKey: digest) == nil else { return }
            if state.digests.count < capacity {
                state.digests.append(digest)
            } else {
                state.streams[state.digests[state.oldest]] = nil
                state.digests[state.oldest] = digest
                state.oldest = (state.oldest + 1) % capacity
            }
        }
    }

    /// Returns the ARN of the stream of an iterator; `nil` for an iterator that is not remembered.
    package func stream(of iterator: String, at upstream: String) -> String? {
        let digest = Self.digest(iterator, upstream)
        return state.withLock { $0.streams[digest] }
    }

    private static func digest(_ iterator: String, _ upstream: String) -> [UInt8] { SHA256.hash("\(upstream)\n\(iterator)") }
}

extension ShardIterators {
    /// The action of reading with an iterator.
    private static let reading = "kinesis:GetRecords"

    /// Returns the permissions of a call: those of reading with an iterator are also on its stream, or on all streams if that is not known.
    func completed(_ permissions: [RequiredPermission], _ input: CallInput, at upstream: String) -> [RequiredPermission] {
        guard permissions.contains(where: { $0.action == Self.reading }) else { return permissions }
        let members = input.document.objectValue?.members ?? []
        let iterators = members.filter { $0.name.lowercasedASCII == "sharditerator" }.map { $0.value.stringValue }
        // An iterator that could be read in two ways is unknown.
        let known = iterators.count == 1 ? iterators[0].flatMap { stream(of: $0, at: upstream) } : nil
        let own = RequiredPermission(Self.reading, on: .known(known ?? "*"))
        let written = permissions.filter { $0.resource != .known("*") }
        return written.contains(own) ? written : written + [own]
    }

    /// The member of an answer that is an iterator; `nil` for other operations.
    static func member(of operation: String, service: String) -> String? {
        switch (service, operation) {
        case ("kinesis", "GetShardIterator"): "ShardIterator"
        case ("kinesis", "GetRecords"): "NextShardIterator"
        default: nil
        }
    }

    /// Returns the stream that the permissions of a call are on; `nil` if they are on several or on all, so that it is not known to which one
    /// an iterator in the answer belongs.
    static func stream(of permissions: [RequiredPermission]) -> String? {
        guard let first = permissions.first, permissions.allSatisfy({ $0.resource == first.resource }),
            case .known(let text) = first.resource, text != "*"
        else { return nil }
        return text
    }

    /// The most bytes of an answer with an iterator. (Kinesis API Reference, "GetRecords": 10 MiB of data, which are Base64 in JSON, and up to
    /// 10,000 records.)
    static let longestAnswer = 24 << 20

    /// The bytes for which an answer without a length counts. Few answers have more.
    static let usualAnswer = 1 << 20
}
