import Cryptography
import ObjectStore
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension CertificateAuthority {
    /// Returns the CA in a data folder and creates it if it is missing. Without a folder, the CA is temporary.
    /// - Parameter isSynced: whether the CA survives a power failure.
    /// - Throws: `FileError`, `StorageError` or an error of OpenSSL.
    static func kept(in folder: String?, isSynced: Bool = false) throws -> CertificateAuthority {
        guard let folder else { return try make(named: name, now: Timestamp.now().seconds) }
        let path = "\(folder)/\(fileName)"
        if let text = try File.read(path) {
            // An earlier process may have written it without syncing.
            if isSynced { try DiskSync.sync(path) }
            do { return try CertificateAuthority(pem: text) } catch {
                throw FileError(path: path, reason: "it is not a certificate with its key (\(error)). Remove it to get a new CA")
            }
        }
        let authority = try make(named: name, now: Timestamp.now().seconds)
        try File.write(try authority.pem, to: path, mode: 0o600, isSynced: isSynced)
        return authority
    }

    /// The name of the file with the CA and its key.
    static let fileName = "tls-authority.pem"

    private static let name = "Virga local authority"
}

/// The error for a file that could not be read or written.
package struct FileError: Error, CustomStringConvertible {
    /// The path of the file.
    package var path: String
    /// The reason.
    package var reason: String

    package var description: String { "cannot use \(path): \(reason)" }
}

/// Reads and writes small text files.
enum File {
    /// The size of the largest file that is read: a description with a seed of 64 MiB in Base64, and some room.
    static let largest = 128 << 20

    /// Reads a file.
    /// - Returns: `nil` if the file does not exist.
    static func read(_ path: String) throws(FileError) -> String? {
        guard let file = RegularFile.open(path) else {
            if errno == ENOENT { return nil }
            throw FileError(path: path, reason: RegularFile.reason)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= largest else {
            throw FileError(path: path, reason: "it is larger than \(largest >> 20) MiB")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(file, &piece, piece.count)
            #elseif canImport(Musl)
                let count = Musl.read(file, &piece, piece.count)
            #elseif canImport(Darwin)
                let count = Darwin.read(file, &piece, piece.count)
            #endif
            guard count >= 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece.prefix(count)
        }
    }

    /// Removes what a killed process left of files that it was writing. No other process may write in the folder.
    /// - Parameter isFile: whether files of a name are written there.
    static func removeDrafts(in folder: String, of isFile: (Substring) -> Bool) {
        for name in DataFolder.names(in: folder) {
            guard let dot = name.lastIndex(of: "."), isFile(name[..<dot]), name[dot...].hasPrefix(draftInfix),
                Int32(name[dot...].dropFirst(draftInfix.count)) != nil
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Follows the name of a file in that of its draft, before the process ID. Without it, a copy that a user made could look like a draft.
    private static let draftInfix = ".draft-"

    /// Writes a file atomically: to a temporary file, which is then renamed.
    /// - Parameter isSynced: whether the file survives a power failure when this returns. A power failure before that leaves the file as it
    ///   was.
    /// - Throws: `FileError` or `StorageError`.
    static func write(_ text: String, to path: String, mode: mode_t, isSynced: Bool = false) throws {
        let draft = "\(path)\(draftInfix)\(getpid())"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
        var rest = Array(text.utf8)[...]
        var isWritten = true
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Glibc)
                    Glibc.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    Musl.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Darwin)
                    Darwin.write(file, bytes.baseAddress, bytes.count)
                #endif
            }
            isWritten = count > 0
            rest = rest.dropFirst(max(count, 0))
        }
        if isSynced { isWritten = isWritten && fsync(file) == 0 }
        isWritten = close(file) == 0 && isWritten
        guard isWritten, rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw FileError(path: path, reason: reason)
        }
        if isSynced { try DiskSync.syncName(of: path) }
    }
}
