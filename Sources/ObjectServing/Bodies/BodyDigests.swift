import Cryptography
package import NIOCore
package import ObjectStore
import Policy

/// A body that has been received.
package struct ReceivedBody: Hashable, Sendable {
    /// The number of bytes.
    package var size: Int64
    /// 16 bytes.
    package var md5: [UInt8]
    /// Of the kinds that were asked for, in their order.
    package var checksums: [Checksum]

    /// The checksum of one kind, if it was asked for.
    package subscript(algorithm: Checksum.Algorithm) -> Checksum? { checksums.first { $0.algorithm == algorithm } }
}

/// What is computed of a body while it passes, in one go.
package struct BodyDigests: Sendable {
    /// The number of bytes so far.
    package private(set) var size: Int64 = 0
    private var md5 = MD5()
    private let algorithms: [Checksum.Algorithm]
    /// Each kind once, and not the MD5, which is computed anyhow.
    private var checksums: [RunningChecksum] = []

    /// - Parameter algorithms: the checksums to return beside the MD5, in this order. A kind that comes twice is computed once.
    package init(_ algorithms: [Checksum.Algorithm]) {
        self.algorithms = algorithms
        for algorithm in algorithms where algorithm != .md5 && !checksums.contains(where: { $0.algorithm == algorithm }) {
            checksums.append(RunningChecksum(algorithm))
        }
    }

    /// Takes the next piece.
    package mutating func update(_ buffer: ByteBuffer) { buffer.withUnsafeReadableBytes { update($0) } }

    /// Takes the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        size += Int64(bytes.count)
        md5.update(bytes)
        for index in checksums.indices { checksums[index].update(bytes) }
    }

    /// Call once.
    package mutating func finish() -> ReceivedBody {
        let digest = md5.finalize()
        let computed = checksums.map { Checksum($0.algorithm, bytes: $0.finalize()) }
        return ReceivedBody(
            size: size, md5: digest,
            checksums: algorithms.map { algorithm in
                computed.first { $0.algorithm == algorithm } ?? Checksum(algorithm, bytes: digest)
            })
    }
}

extension ObjectStore {
    /// Streams a body into the store, at the pace of the store.
    /// - Parameters:
    ///   - length: of the body, if it is known.
    ///   - check: looks at each buffer as it comes, and returns what of it is content.
    /// - Returns: the body, ready to be published.
    /// - Throws: what the source, `check` and the store throw.
    package func receive(
        _ source: some AsyncSequence<ByteBuffer, any Error>, expecting length: Int64?,
        through check: (ByteBuffer) async throws -> [ByteBuffer]
    ) async throws -> BodyWriter {
        let writer = stage(expecting: length)
        for try await buffer in source {
            for content in try await check(buffer) { try await writer.append(content) }
        }
        return writer
    }

    /// Copies bytes of an object into a new body, and computes what is asked for of them.
    /// - Parameters:
    ///   - range: nothing for all of the object.
    ///   - length: how many bytes that are.
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
    /// What is computed of the whole body.
    package func digests(_ algorithms: [Checksum.Algorithm]) async throws -> ReceivedBody {
        var digests = BodyDigests(algorithms)
        for try await piece in bytes() { digests.update(piece) }
        return digests.finish()
    }
}

extension Bucket {
    /// The checksums that readers are told by the doors that show the bucket, where writers ask for no other.
    package var standardChecksums: [Checksum.Algorithm] {
        var algorithms: [Checksum.Algorithm] = []
        if isShown(by: .aws) { algorithms.append(.crc64nvme) }
        if isShown(by: .alibaba) { algorithms.append(.crc64xz) }
        return algorithms
    }
}
