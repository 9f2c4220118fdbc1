import Federation
import Fixtures
import HTTPTypes
import ObjectServing
import Testing
import WireFormats

@testable import S3Face

@Suite("Keys in listings with encoding-type=url")
struct KeyEncodingTests {
    @Test("are encoded as a form encodes them, except for the slash")
    func characters() {
        let kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._/"
        #expect(KeyEncoding.form.encoded(kept) == kept)
        for scalar in (0x20...0x7E).compactMap(UnicodeScalar.init) where !kept.unicodeScalars.contains(scalar) {
            let escape = "%" + String(scalar.value, radix: 16, uppercase: true)
            #expect(KeyEncoding.form.encoded(String(Character(scalar))) == (scalar == " " ? "+" : escape))
        }
        #expect(KeyEncoding.form.encoded("a b+c~ü\n") == "a+b%2Bc%7E%C3%BC%0A")
        #expect(KeyEncoding.percent.encoded("a b+c~*") == "a%20b%2Bc~%2A")
        #expect(KeyEncoding.plain.encoded("a b+c~*") == "a b+c~*")
    }

    @Test("have a plus sign for a space in every listing, and its escape in RADOS Gateway", arguments: Dialect.allCases)
    func listings(_ dialect: Dialect) async throws {
        let (space, key) = dialect == .aws ? ("+", "run+a*~") : ("%20", "run%20a%2A~")
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            for name in ["run a*~", "run b/x", "a+b"] { #expect(try await s3.put(name, "x").status == 200) }
            let id = try #require(try await s3.send(.post, "/files/run%20a%2A~?uploads").xml.child("UploadId")?.text)
            let shown = dialect == .aws ? key.replacing("~", with: "%7E") : key
            for list in ["prefix=run", "list-type=2&prefix=run", "versions&prefix=run", "uploads&prefix=run", "uploads&prefix=run%20"] {
                let answer = try await s3.send(.get, "/files?\(list)&encoding-type=url&delimiter=/")
                #expect(answer.text.contains("<Key>\(shown)</Key>"), "\(list)")
                if !list.contains("uploads") {
                    #expect(answer.text.contains("<CommonPrefixes><Prefix>run\(space)b/</Prefix></CommonPrefixes>"), "\(list)")
                }
            }
            #expect(try await s3.send(.get, "/files?uploads&prefix=run%20&encoding-type=url").text.contains("<Prefix>run\(space)</Prefix>"))
            #expect(try await s3.send(.get, "/files?list-type=2&encoding-type=url").text.contains("<Key>a%2Bb</Key>"))
            let parts = try await s3.send(.get, "/files/run%20a%2A~?uploadId=\(id)&encoding-type=url")
            #expect(parts.text.contains("<Key>\(shown)</Key>"))
        }
    }
}
