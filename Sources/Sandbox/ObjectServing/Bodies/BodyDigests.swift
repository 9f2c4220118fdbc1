import Cryptography
package import NIOCore
package import ObjectStore
import Policy
import WireFormats

/// The size and digests of a received body.
package struct ReceivedBody: Hashable, Sendable {
    /// The number of bytes.
    package var size: Int64
    /// The MD5 digest, 16 bytes.
    package var md5: [UInt8]
    /// The checksums, in the order of the requested algorithms.
    package var checksums: [Checksum]

    /// Returns the checksum with an algorithm, if it was requested.
    package subscript(algorithm: Checksum.Algorithm) -> Checksum? { checksums.first { $0.algorithm == algorithm } }
}

/// Computes the digests of a body in one pass.
package struct BodyDigests: Sendable {
    /// The number of bytes so far.
    package private(set) var size: Int64 = 0
    private var md5 = MD5()
    private let algorithms: [Checksum.Algorithm]
    /// Each kind once, and not the MD5, which is computed anyhow.
    private var checksums: [RunningChecksum] = []

    /// Creates the digests of an empty body.
    /// - Parameter algorithms: the checksums to return in addition to the MD5, in this order. A duplicate is computed once.
    package init(_ algorithms: [Checksum.Algorithm]) {
        self.algorithms = algorithms
        checksums.reserveCapacity(algorithms.count)
        for algorithm in algorithms where algorithm != .md5 && !checksums.contains(where: { $0.algorithm == algorithm }) {
            checksums.append(RunningChecksum(algorithm))
        }
    }

    /// Adds the next buffer.
    package mutating func update(_ buffer: ByteBuffer) { buffer.withUnsafeReadableBytes { update($0) } }

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        size += Int64(bytes.count)
        md5.update(bytes)
        for index in checksums.indices { checksums[index].update(bytes) }
    }

    /// Returns the size and the digests. Call it only once.
    package mutating func finish() -> ReceivedBody {
        let digest = md5.finalize()
        let computed = checksums.map { Checksum($0.algorithm, bytes: $0.finalize()) }
        // Usually each algorithm was requested once, and MD5 was not.
        guard computed.count != algorithms.count else { return ReceivedBody(size: size, md5: digest, checksums: computed) }
        return ReceivedBody(
            size: size, md5: digest,
            checksums: algorithms.map { algorithm in
                computed.first { $0.algorithm == algorithm } ?? Checksum(algorithm, bytes: digest)
            })
    }
}

extension ObjectStore {
    /// Streams a body into the store with backpressure.
    /// - Parameters:
    ///   - length: the length of the body, if it is known.
    ///   - check: inspects each buffer and returns the content in it.
    /// - Returns: the body, ready to be published.
    /// - Throws: the errors of the source, `check` and the store.
    package func receive(
        _ source: some AsyncSequence<ByteBuffer, any Error>, expecting length: Int64?,
        through check: (ByteBuffer) async throws -> [ByteBuffer]
    ) async throws -> BodyWriter {
        let writer = stage(expecting: length)
        for try await buffer in source {
            for content in try await check(buffer) where try !writer.appendIfRoom(content) { try await writer.append(content) }
        }
        return writer
    }

    /// Copies bytes of an object into a new body, and computes their digests.
    /// - Parameters:
    ///   - range: the range of bytes; `nil` for the whole object.
    ///   - length: the number of bytes to copy.
    package func copy(
        _ object: StoredObject, _ range: Range<Int64>?, length: Int64, computing algorithms: [Checksum.Algorithm]
    ) async throws -> (writer: BodyWriter, body: ReceivedBody) {
        let writer = stage(expecting: length)
        var digests = BodyDigests(algorithms)
        for try await piece in object.bytes(in: range) {
            digests.update(piece)
            try await writer.append(piece)
        }
        return (writer, digests.finish())
    }
}

extension StoredObject {
    /// Computes the digests of the whole body.
    package func digests(_ algorithms: [Checksum.Algorithm]) async throws -> ReceivedBody {
        var digests = BodyDigests(algorithms)
        for try await piece in bytes() { digests.update(piece) }
        return digests.finish()
    }
}

extension Bucket {
    /// The checksum algorithms of objects whose request does not select one: those of the services in which the bucket is visible.
    package var standardChecksums: [Checksum.Algorithm] {
        var algorithms: [Checksum.Algorithm] = []
        if isShown(by: .aws) { algorithms.append(.crc64nvme) }
        if isShown(by: .alibaba) { algorithms.append(.crc64xz) }
        return algorithms
    }
}
