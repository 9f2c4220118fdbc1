import Calls
import HTTPTypes
import NIOCore
import NIOPosix
import ObjectStore
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads and writes files in pieces, on a thread of its own: a thread that serves requests would wait for the disk.
private let fileThread: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    return pool
}()

extension Response {
    /// Creates a response with a file that nothing changes meanwhile.
    /// - Throws: `StorageError.unusableFolder`.
    static func file(_ file: FrozenDatabase, contentType: String) throws -> Response {
        let handle = try OpenFile(reading: file.path)
        let body = ResponseBody(contentLength: Int(file.size)) { writer in
            while let piece = try await handle.next(upTo: try await writer.room().size) { try await writer.write(piece) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: contentType], body: body)
    }
}

extension RequestBody {
    /// Writes the body into a new file.
    /// - Throws: `StorageError.unusableFolder`, or ``ContentCutOff``.
    func write(toFile path: String) async throws {
        let handle = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
        for try await piece in self { try await handle.append(piece) }
    }
}

/// A file that is open until nothing refers to it.
private final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    init(_ path: String, _ flags: Int32) throws(StorageError) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusableFolder(path: path, reason: String(cString: strerror(errno))) }
    }

    /// Opens a regular file for reading.
    init(reading path: String) throws(StorageError) {
        self.path = path
        guard let file = RegularFile.open(path) else { throw .unusableFolder(path: path, reason: RegularFile.reason) }
        descriptor = file
    }

    deinit { close(descriptor) }

    /// Returns the next piece; `nil` at the end.
    func next(upTo size: Int) async throws -> ByteBuffer? {
        try await fileThread.runIfActive { [self] in
            var piece = ByteBufferAllocator().buffer(capacity: size)
            let count = piece.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
                max(read(descriptor, bytes.baseAddress, size), 0)
            }
            return count == 0 ? nil : piece
        }
    }

    func append(_ piece: ByteBuffer) async throws {
        try await fileThread.runIfActive { [self] in
            var rest = piece
            while rest.readableBytes > 0 {
                let count = rest.readWithUnsafeReadableBytes { bytes in max(write(descriptor, bytes.baseAddress, bytes.count), 0) }
                guard count > 0 else {
                    throw StorageError.unusableFolder(path: path, reason: String(cString: strerror(errno)))
                }
            }
        }
    }
}
