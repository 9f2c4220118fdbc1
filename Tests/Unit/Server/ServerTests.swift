import Cloud
import ObjectStore
import Synchronization
import Testing
import UnixSignals
import VirgaTesting

@testable import VirgaServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("The server", .serialized)
struct ServerTests {
    private struct Unexpected: Error {}

    @Test("finishes running requests when it is told to stop, and accepts no new ones")
    func stop() async throws {
        var settings = Settings()
        settings.ports = [0]
        let server = Server(settings: settings)
        let (ready, announce) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.run(until: [.sigusr2]) { announce.yield($0) }
                announce.finish()
            }
            group.addTask {
                var endpoints = ready.makeAsyncIterator()
                guard let endpoint = await endpoints.next() else { throw Unexpected() }
                try await Wire.open(endpoint) { wire async throws in
                    try await wire.send("GET /_virga/health")
                    #expect(try await wire.answer().status == 200)
                    // The 100 Continue shows that the request has begun.
                    try await wire.send("POST /_virga/clock", ["Content-Length: 2", "Expect: 100-continue"])
                    #expect(try await wire.answer().status == 100)
                    try await wire.write("{")
                    kill(getpid(), SIGUSR2)
                    while (try? await Wire.open(endpoint) { _ in }) != nil {}
                    try await wire.write("}")
                    #expect(try await wire.answer().status == 400)
                    #expect(try await wire.isClosed())
                }
                // The stream ends with the server.
                #expect(await endpoints.next() == nil)
            }
            try await group.waitForAll()
        }
    }

    @Test("reports a port that is in use")
    func takenPort() async throws {
        try await withCloud { cloud async throws in
            var settings = Settings()
            settings.ports = [cloud.endpoint.split(separator: ":").last.flatMap { Int($0) } ?? 0]
            let server = Server(settings: settings)
            let error = try await #require(throws: ListenError.self) { try await server.run(until: []) { _ in } }
            #expect(error.description == "cannot listen on 127.0.0.1:\(settings.ports[0]): the address is already in use")
        }
    }

    @Test("announces each of its listeners")
    func listeners() async throws {
        var settings = Settings()
        settings.ports = [0, 0]
        let server = Server(settings: settings)
        let (ready, announce) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(until: []) { announce.yield($0) } }
            var endpoints = ready.makeAsyncIterator()
            let (first, second) = (await endpoints.next(), await endpoints.next())
            #expect(first != second)
            for endpoint in [first, second].compactMap(\.self) {
                try await Wire.open(endpoint) { wire async throws in
                    try await wire.send("GET /_virga/health")
                    #expect(try await wire.answer().status == 200)
                }
            }
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
        }
    }

    @Test("does not start with a data folder that is in use, and starts with it afterwards")
    func dataFolder() async throws {
        var template = Array("/tmp/virga-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = Settings()
        settings.ports = [0]
        settings.folder = folder
        let server = Server(settings: settings)
        for _ in 0..<2 {
            try await server.whileRunning { _ -> Void in
                await #expect(throws: StorageError.inUse(path: folder)) { try await server.run(until: []) { _ in } }
            }
        }
        for name in ["virga.sqlite", "virga.sqlite-wal", "virga.sqlite-shm", "virga.lock"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    @Test(
        "detects whether only this machine can reach it",
        arguments: [("127.0.0.1", true), ("::1", true), ("0.0.0.0", false), ("localhost", true)])
    func loopback(host: String, isLoopback: Bool) {
        var settings = Settings()
        settings.host = host
        #expect(settings.isLoopback == isLoopback)
    }
}
