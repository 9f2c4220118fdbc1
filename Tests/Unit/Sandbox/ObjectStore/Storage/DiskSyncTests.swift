import Fixtures
import Foundation
import ObjectStore
import Testing

@Suite("A sync to the disk")
struct DiskSyncTests {
    @Test("takes files, folders, and all that is in a folder, and leaves them as they are")
    func kinds() async throws {
        try await withTemporaryFolder { folder in
            _ = try DataFolder(path: folder + "/a/b", isSynced: true)
            let file = folder + "/a/b/file"
            try Data("x".utf8).write(to: URL(filePath: file))
            try FileManager.default.createSymbolicLink(atPath: folder + "/a/link", withDestinationPath: folder + "/nowhere")
            try DiskSync.sync(file)
            try DiskSync.sync(folder)
            try DiskSync.syncName(of: file)
            try DiskSync.syncTree(folder)
            #expect(try Data(contentsOf: URL(filePath: file)) == Data("x".utf8))
        }
    }

    @Test("says which file cannot be synced")
    func missing() async throws {
        try await withTemporaryFolder { folder in
            let error = #expect(throws: StorageError.self) { try DiskSync.sync(folder + "/missing") }
            #expect(error?.description.contains(folder + "/missing") == true)
            #expect(throws: StorageError.self) { try DiskSync.syncName(of: folder + "/missing/file") }
        }
    }

    @Test("of a name is one of the folder above it, which may be the root or the current one")
    func folders() throws {
        try DiskSync.syncName(of: "/tmp")
        try DiskSync.syncName(of: "anything")
    }
}
