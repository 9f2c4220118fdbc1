import Fixtures
import HTTPTypes
import Testing

@testable import S3Face

/// RFC 2047; the encoded texts were recorded from S3.
@Suite("Encoded words in metadata")
struct EncodedWordsTests {
    @Test(
        "are encoded as S3 does",
        arguments: [
            ("ÄMÄZÕÑ S3", "=?UTF-8?Q?=C3=84M=C3=84Z=C3=95=C3=91_S3?="),
            ("test_—_file%E2%80%94_é_2👑.pdf", "=?UTF-8?Q?test=5F=E2=80=94=5Ffile%E2%80%94=5F=C3=A9=5F2=F0=9F=91=91.pdf?="),
            ("\u{0}\u{1}\u{2}\u{3}\u{4}", "=?UTF-8?B?AAECAwQ=?="), ("abc \t~", "abc \t~"),
        ])
    func encoded(_ text: String, _ header: String) {
        #expect(EncodedWords.encoded(text) == header)
        #expect(EncodedWords.decoded(header) == text)
    }

    @Test(
        "are decoded at any place",
        arguments: [
            ("=?UTF-8?B?w4RNw4Ra?=", "ÄMÄZ"), ("=?utf-8?q?=C3=A9_a?=", "é a"), ("a =?UTF-8?Q?=C3=A9?= b", "a é b"),
            // White space between two words is not part of the text; after a word it is.
            ("=?UTF-8?Q?a?= =?UTF-8?Q?b?=", "ab"), ("=?UTF-8?Q?a?=  c", "a  c"),
            // Invalid base64 and invalid UTF-8 are decoded as far as possible.
            ("=?UTF-8?B?=GGG?=", "\u{FFFD}a\u{FFFD}"), ("=?UTF-8?B?/2E=?=", "\u{FFFD}a"), ("=?UTF-8?B?YQ=?=", "=?UTF-8?B?YQ=?="),
            // Text that only resembles an encoded word is not changed.
            ("=?UTF-8?X?YQ==?=", "=?UTF-8?X?YQ==?="), ("=?KOI8-R?B?YQ==?=", "=?KOI8-R?B?YQ==?="), ("=?UTF-8?B?YQ==", "=?UTF-8?B?YQ=="),
            ("=?UTF-8?Q?=C3?=", "=?UTF-8?Q?=C3?="), ("=?UTF-8?Q?=G?=", "=?UTF-8?Q?=G?="), ("=?", "=?"), ("=?=?UTF-8?Q?a?=", "=?a"),
        ])
    func decoded(_ header: String, _ text: String) {
        #expect(EncodedWords.decoded(header) == text)
    }

    @Test("are returned as they were sent in headers, and encoded for a form's fields")
    func roundTrip() async throws {
        try await S3Sandbox.run { s3 async throws in
            let word = "=?UTF-8?Q?=C3=84M=C3=84Z=C3=95=C3=91_S3?="
            #expect(try await s3.put("k", "x", ["x-amz-meta-name": word, "x-amz-meta-ascii": "=?UTF-8?B?YWJj?="]).status == 200)
            let head = try await s3.send(.head, "/files/k")
            #expect(head["x-amz-meta-name"] == word)
            #expect(head["x-amz-meta-ascii"] == "abc")
        }
    }
}
