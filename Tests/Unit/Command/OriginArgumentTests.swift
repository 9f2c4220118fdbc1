import ArgumentParser
import Testing

@testable import VirgaCommand

@Suite("Origins on the command line")
struct OriginArgumentTests {
    @Test(
        "are scheme, host and port, with a slash or without",
        arguments: [
            ("http://127.0.0.1:4566", "http://127.0.0.1:4566"), ("http://localhost:4566/", "http://localhost:4566"),
            ("https://cloud.example", "https://cloud.example"), ("http://[::1]:4566/", "http://[::1]:4566"),
            ("http://[::1]", "http://[::1]"),
            ("http://my_host:80", "http://my_host:80"),
        ])
    func origins(argument: String, text: String) { #expect(OriginArgument(argument)?.text == text) }

    @Test(
        "are refused in any other form",
        arguments: [
            "", "127.0.0.1:4566", "ftp://x", "http://", "http:///", "http://:80", "http://a b", "http://a'b", "http://a/b", "http://a?b",
            "http://a//", "http://a#b", "http://u:p@a", "http://a:", "http://a:0", "http://a:65536", "http://a:80x", "http://[",
            "http://[]",
            "http://[::1", "http://[::1]x", "http://é", "http://.a",
        ])
    func noOrigins(argument: String) {
        #expect(OriginArgument(argument) == nil)
        #expect(throws: ValidationError.self) { try OriginArgument.endpoint(argument) }
    }
}
