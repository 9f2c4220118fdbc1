import Policy
import Testing

@testable import Federation

@Suite("The cache of session policies")
struct SessionPolicyCacheTests {
    private static func policy(_ sid: String) -> String {
        #"{"Version": "2012-10-17", "Statement": [{"Sid": "\#(sid)", "Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}"#
    }

    @Test("parses a text once")
    func repeatedText() throws {
        let cache = SessionPolicyCache()
        let first = try cache.entry(for: Self.policy("a"))
        #expect(try cache.entry(for: Self.policy("a")).document === first.document)
        #expect(try cache.entry(for: Self.policy("b")).document !== first.document)
        #expect(first.compact == #"{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#)
    }

    @Test("tells policies apart whose texts are only canonically equivalent", arguments: [("jos\u{E9}", "jose\u{301}"), ("K", "\u{212A}")])
    func equivalentTexts(one: String, other: String) throws {
        let cache = SessionPolicyCache()
        let texts = [one, other].map { name in
            #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::\#(name)/*"}}"#
        }
        let first = try cache.entry(for: texts[0])
        let second = try cache.entry(for: texts[1])
        #expect(second.document !== first.document)
        #expect(second.compact.utf8.elementsEqual(first.compact.utf8) == false)
    }

    @Test("refuses an invalid policy each time, and does not keep it")
    func faultyText() {
        let cache = SessionPolicyCache()
        for _ in 0..<2 {
            #expect(throws: PolicySyntaxError.self) { try cache.entry(for: #"{"Statement": []"#) }
        }
        #expect(cache.count == 0)
    }

    @Test("keeps at most its capacity")
    func capacity() throws {
        let cache = SessionPolicyCache(capacity: 4)
        for number in 0..<11 {
            _ = try cache.entry(for: Self.policy("n\(number)"))
            #expect((1...4).contains(cache.count))
        }
    }

    @Test("refuses policies of another partition")
    func partitions() {
        let text = #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws-cn:s3:::b"}}"#
        let error = #expect(throws: PolicySyntaxError.self) { try SessionPolicyCache().entry(for: text) }
        #expect(error?.message == #"Partition "aws-cn" is not valid for resource "arn:aws-cn:s3:::b"."#)
    }
}
