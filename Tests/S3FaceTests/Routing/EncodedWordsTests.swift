import Fixtures
import HTTPTypes
import Testing

@testable import S3Face

/// RFC 2047; the encoded texts are answers of S3.
@Suite("Encoded words in metadata")
struct EncodedWordsTests {
    @Test(
        "are what S3 answers",
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
        "are read wherever they stand",
        arguments: [
            ("=?UTF-8?B?w4RNw4Ra?=", "ÄMÄZ"), ("=?utf-8?q?=C3=A9_a?=", "é a"), ("a =?UTF-8?Q?=C3=A9?= b", "a é b"),
            // Space between two words belongs to neither; after one it stays.
            ("=?UTF-8?Q?a?= =?UTF-8?Q?b?=", "ab"), ("=?UTF-8?Q?a?=  c", "a  c"),
            // Base 64 that is broken, and bytes that are no UTF-8, are read all the same.
            ("=?UTF-8?B?=GGG?=", "\u{FFFD}a\u{FFFD}"), ("=?UTF-8?B?/2E=?=", "\u{FFFD}a"), ("=?UTF-8?B?YQ=?=", "=?UTF-8?B?YQ=?="),
            // What only looks like one stays as it is.
            ("=?UTF-8?X?YQ==?=", "=?UTF-8?X?YQ==?="), ("=?KOI8-R?B?YQ==?=", "=?KOI8-R?B?YQ==?="), ("=?UTF-8?B?YQ==", "=?UTF-8?B?YQ=="),
            ("=?UTF-8?Q?=C3?=", "=?UTF-8?Q?=C3?="), ("=?UTF-8?Q?=G?=", "=?UTF-8?Q?=G?="), ("=?", "=?"), ("=?=?UTF-8?Q?a?=", "=?a"),
        ])
    func decoded(_ header: String, _ text: String) {
        #expect(EncodedWords.decoded(header) == text)
    }

    @Test("come back as they were sent, and a form's fields as words")
    func roundTrip() async throws {
        try await S3Sandbox.run { s3 async throws in
            let word = "=?UTF-8?Q?=C3=84M=C3=84Z=C3=95=C3=91_S3?="
            #expect(try await s3.put("k", "x", ["x-amz-meta-name": word, "x-amz-meta-ascii": "=?UTF-8?B?YWJj?="]).status == 200)
            let head = try await s3.send(.head, "/files/k")
            #expect(head["x-amz-meta-name"] == word && head["x-amz-meta-ascii"] == "abc")
        }
    }
}
