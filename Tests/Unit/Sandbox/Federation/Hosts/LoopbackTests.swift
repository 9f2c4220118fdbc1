import Testing

@testable import Federation

@Suite("Loopback hosts")
struct LoopbackTests {
    @Test(
        "are the addresses of RFC 1122 and RFC 4291",
        arguments: ["127.0.0.1", "127.8.200.255", "::1", "[::1]", "::ffff:127.0.0.1", "[::ffff:127.0.0.9]"])
    func addresses(_ host: String) {
        #expect(HostNames.isLoopback(host))
        #expect(HostNames.isThisMachine(host))
        #expect(HostNames.isBrowsersMachine(host))
    }

    @Test(
        "are no names that begin like an address, and no other addresses",
        arguments: [
            "", "127.", "127.0.0", "127.0.0.1.", "127.0.0.256", "127..0.1", "127.0.0.1.2", "127.example.com", "127.0.0.1.example.com",
            "128.0.0.1", "10.0.0.1", "::", "::2", "::1:1", "[::1", "::1]", "[::10]", "[127.0.0.1]", "::ffff:10.0.0.1",
            "::ffff:127.example.com",
            "localhost.example.com", "notlocalhost", "1",
        ])
    func others(_ host: String) {
        #expect(!HostNames.isLoopback(host))
        #expect(!HostNames.isThisMachine(host))
        #expect(!HostNames.isBrowsersMachine(host))
    }

    @Test("are localhost for every program, and the names below it for browsers only")
    func names() {
        #expect(!HostNames.isLoopback("localhost"))
        #expect(HostNames.isThisMachine("localhost"))
        #expect(HostNames.isBrowsersMachine("localhost"))
        #expect(!HostNames.isThisMachine("box.localhost"))
        #expect(HostNames.isBrowsersMachine("box.localhost"))
    }
}
