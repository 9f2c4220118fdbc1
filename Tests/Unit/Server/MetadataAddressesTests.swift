import Federation
import NIOCore
import NIOEmbedded
import Testing

@testable import VirgaServer

@Suite("Requests to metadata addresses")
struct MetadataAddressesTests {
    @Test(
        "are refused in every spelling of the address",
        arguments: [
            "169.254.169.254", "169.254.170.2", "169.254.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16",
            // The forms that inet_aton accepts: decimal, hexadecimal, octal, and with fewer parts.
            "2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "169.254.43518", "169.16689662", "025177524776",
            "[fe80::1]", "[febf::1]", "[fd00:ec2::254]", "[fd00:ec2::23]", "[fd20:ce::254]", "[fd00:c1::a9fe:a9fe]", "[fd00:42::42]",
            // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4.
            "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::169.254.169.254]", "[::ffff:0:169.254.169.254]",
            "[64:ff9b::169.254.169.254]", "[64:ff9b:1::169.254.169.254]", "[2002:a9fe:a9fe::1]", "[0:0:0:0:0:ffff:6464:64c8]",
        ])
    func refused(host: String) async throws {
        #expect(await MetadataAddresses.isAddress(of: host))
        let network = try NetworkClient(authority: nil, trusting: [])
        for scheme in ["http", "https"] {
            await #expect(throws: OutboundError.notAllowed) {
                try await network.send(OutboundRequest(url: "\(scheme)://\(host)/latest/meta-data/", timeout: .seconds(600)))
            }
        }
        await network.close()
    }

    @Test(
        "do not include others",
        arguments: [
            "127.0.0.1", "localhost", "0.0.0.0", "10.0.0.1", "192.168.1.1", "100.100.100.201", "169.253.255.255", "169.255.0.0",
            "[::1]", "[fec0::1]", "[fd00:ec3::254]", "[::ffff:127.0.0.1]", "[2001:db8::a9fe:a9fe]", "[64:ff9b::10.0.0.1]",
            "no-such-host.invalid", "", "169.254.169.254.invalid", "[fe80::1", "a b",
        ])
    func others(host: String) async {
        #expect(await !MetadataAddresses.isAddress(of: host))
    }

    @Test("are refused for an address that a name got after it was checked")
    func rebinding() throws {
        let loop = EmbeddedEventLoop()
        for (address, isAllowed) in [("169.254.169.254", false), ("fe80::1", false), ("127.0.0.1", true)] {
            let channel = EmbeddedChannel(loop: loop)
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 80)
            let outcome = NetworkClient.checkPeer(of: channel)
            loop.run()
            if isAllowed {
                try outcome.wait()
            } else {
                #expect(throws: OutboundError.notAllowed) { try outcome.wait() }
            }
        }
    }

    @Test("are allowed for a host that a seed names, with exactly this spelling")
    func named() async throws {
        let network = try NetworkClient(authority: nil, trusting: [], namedHosts: ["169.254.169.254", "metadata.example"])
        for url in ["http://169.254.169.254/latest", "https://169.254.169.254:8443", "http://METADATA.example/x"] {
            #expect(try await network.isNamed(url))
        }
        #expect(try await !network.isNamed("http://127.0.0.1:1/"))
        for url in ["http://2852039166/", "http://169.254.169.253/", "http://[::ffff:169.254.169.254]/"] {
            await #expect(throws: OutboundError.notAllowed, "\(url)") { try await network.isNamed(url) }
        }
        await network.close()
    }

    @Test(
        "are refused in URLs that parsers read in different ways",
        arguments: [
            "http://a.example@169.254.169.254/", #"http://a.example\@169.254.169.254/"#, #"http://169.254.169.254\.a.example/"#,
            "http://169%2e254.169.254/", "http://169。254。169。254/", "http://①⑥⑨.254.169.254/", "http://a.example\t169.254.169.254/",
            "http://a.example\r\nHost: b/", "http:///169.254.169.254/", "http:169.254.169.254", "//169.254.169.254/",
            "file:///etc/passwd", "gopher://127.0.0.1:25/x", "ftp://127.0.0.1/", "unix:///run/x", "HTTP://127.0.0.1/", "",
            "http://[fe80::1%25eth0]/",
        ])
    func ambiguous(url: String) async throws {
        let network = try NetworkClient(authority: nil, trusting: [])
        await #expect(throws: OutboundError.notAllowed) { try await network.send(OutboundRequest(url: url, timeout: .seconds(600))) }
        await network.close()
    }
}
