#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

package struct CannotMakeFolder: Error {}

/// Runs `body` with a temporary folder, and removes the folder and its content afterwards.
package func withTemporaryFolder<T>(_ body: (String) async throws -> T) async throws -> T {
    var template = Array("/tmp/virga-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CannotMakeFolder() }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { removeTree(path) }
    return try await body(path)
}

/// Returns the permission bits of a file, or nil if there is none.
package func permissions(of path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

package func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

private func removeTree(_ path: String) {
    if let folder = opendir(path) {
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { removeTree(path + "/" + name) }
        }
        closedir(folder)
    }
    remove(path)
}
