import Cloud
import Federation
import ObjectServing
import Testing
import WireFormats

@testable import S3Face

@Suite("The policy of a form")
struct PostPolicyTests {
    private func policy(_ text: String) throws(S3Error) -> PostPolicy {
        try PostPolicy(s3: Array(text.utf8).base64)
    }

    private func policy(conditions: String) throws(S3Error) -> PostPolicy {
        try policy("{\"expiration\": \"2030-01-01T12:00:00.000Z\", \"conditions\": [{\"bucket\": \"files\"}, \(conditions)]}")
    }

    private func check(
        _ policy: PostPolicy, _ fields: KeyValuePairs<String, String>, key: String = "user/1", isExpired: Bool = false,
        dialect: Dialect = .aws
    ) throws(S3Error) {
        try policy.check(
            PostedForm(fields: fields.map { PostedForm.Field(name: $0.key, value: $0.value) }), bucket: "files", key: key,
            isExpired: isExpired, dialect: dialect)
    }

    @Test("is parsed, with operators and names in any case")
    func reading() throws {
        let policy = try policy(
            #"{"expiration":"2030-01-01T12:00:00Z","conditions":[{"aCl":"private"},["StArTs-WiTh","$Key","a\$b\\$\v"],["content-length-range",1,"10"]]}"#
        )
        #expect(policy.expiration == Timestamp(iso8601: "2030-01-01T12:00:00Z"))
        #expect(
            policy.conditions == [
                .equals(name: "$aCl", value: "private"), .startsWith(name: "$Key", prefix: "a$b\\$\u{0B}"), .contentLength(1...10),
            ])
        #expect(policy.contentLength(upTo: 100) == (1, 10))
        #expect(policy.contentLength(upTo: 5) == (1, 5))
    }

    static let invalid = [
        ("", "Expecting '{' but found End-of-Input"), ("[]", "Invalid JSON."), ("{", "Invalid JSON."),
        (#"{"expiration":"2030-01-01T12:00:00Z"}"#, "Policy missing conditions."), (#"{"conditions":[]}"#, "Policy missing expiration."),
        (#"{"EXPIRATION":"x","conditions":[]}"#, "Unexpected: 'expiration'"), (#"{"Version":"x"}"#, "Unexpected: 'version'"),
        (#"{"expiration":"2030-01-01 12:00:00","conditions":[]}"#, "Invalid 'expiration' value: '2030-01-01 12:00:00'"),
        (#"{"expiration":"2030-01-01T12:00:00+02:00","conditions":[]}"#, "Invalid 'expiration' value: '2030-01-01T12:00:00+02:00'"),
        (#"{"expiration":"2030-01-01T12:00:00Z","conditions":{}}"#, "Invalid 'conditions' value: must be a List."),
    ]

    @Test("that is malformed is refused", arguments: invalid)
    func documents(text: String, message: String) {
        let error = #expect(throws: S3Error.self) { try policy(text) }
        #expect(error?.code == .invalidPolicyDocument)
        #expect(error?.message == "Invalid Policy: \(message)")
    }

    @Test(
        "with an invalid condition is refused",
        arguments: [
            ("{}", "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified."),
            (#"{"a":"b","c":"d"}"#, "Invalid Simple-Condition: Simple-Conditions must have exactly one property specified."),
            (#"{"a":1}"#, "Invalid Simple-Condition: value must be a string."),
            ("[]", "Invalid Condition: missing operation identifier."), ("1", "Invalid condition test: must be a List or Object."),
            (#"["like","$key","x"]"#, "Invalid Condition: unknown operation 'like'."),
            (#"["eq","$key"]"#, "Invalid eq: wrong number of arguments."),
            (#"["content-length-range",0]"#, "Invalid content-length-range: wrong number of arguments."),
            (#"["content-length-range",-1,0]"#, "Token - must be enclosed in quotes."),
            (#"["content-length-range",0,512.0]"#, "Invalid JSON."), (#"["eq","$key",1]"#, "Invalid JSON."),
        ])
    func conditions(condition: String, message: String) {
        let error = #expect(throws: S3Error.self) { try policy(conditions: condition) }
        #expect(error?.code == .invalidPolicyDocument)
        #expect(error?.message == "Invalid Policy: \(message)")
    }

    @Test(
        "is satisfied by matching fields",
        arguments: [
            #"["starts-with","$key","user/"]"#, #"["starts-with","$key",""]"#, #"{"Key":"user/1"}"#, #"["eq","$key","user/1"]"#,
        ])
    func holds(conditions: String) throws {
        try check(policy(conditions: conditions), ["kEy": "ignored", "policy": "x", "x-ignore-me": "1", "X-Amz-Signature": "s"])
    }

    @Test(
        "has an error that names the failed condition",
        arguments: [
            (#"{"key":"other"}"#, #"["eq", "$key", "other"]"#), (#"["eq","$acl","private"]"#, #"["eq", "$acl", "private"]"#),
            (#"["starts-with","$Key","other/"]"#, #"["starts-with", "$Key", "other/"]"#),
            (#"["starts-with","$Content-Type",""]"#, #"["starts-with", "$Content-Type", ""]"#),
            (#"["eq","key","user/1"]"#, #"["eq", "key", "user/1"]"#), (#"{"bucket":"other"}"#, #"["eq", "$bucket", "other"]"#),
            (#"["content-length-range","test","10"]"#, #"["content-length-range", "test", "10"]"#),
            (#"{"x":"a\"b"}"#, #"["eq", "$x", "a\"b"]"#),
        ])
    func fails(condition: String, text: String) throws {
        let policy = try policy(conditions: condition)
        let error = #expect(throws: S3Error.self) { try check(policy, ["key": "user/1", "bucket": "files"]) }
        #expect(error?.code == .accessDenied)
        #expect(error?.message == "Invalid according to Policy: Policy Condition failed: \(text)")
    }

    @Test(
        "compares bytes, not equivalent characters",
        arguments: [
            (#"["eq","$key","u/caf\#u{E9}"]"#, "u/cafe\u{301}"), (#"["starts-with","$key","u/caf\#u{E9}"]"#, "u/cafe\u{301}/x"),
            (#"{"key":"u/caf\#u{E9}"}"#, "u/cafe\u{301}"), (#"["starts-with","$key","K"]"#, "\u{212A}"),
        ])
    func bytes(condition: String, key: String) throws {
        #expect(throws: S3Error.self) { try check(policy(conditions: condition), ["key": key], key: key) }
    }

    @Test("allows a prefix before a combining character", arguments: ["\u{301}", "\u{200D}", "\u{110BD}"])
    func combining(joiner: String) throws {
        let key = "user/\(joiner)x"
        try check(policy(conditions: #"["starts-with","$key","user/"]"#), ["key": key], key: key)
    }

    @Test("checks each of several content types")
    func contentTypes() throws {
        let policy = try policy(conditions: #"["starts-with","$key",""],["starts-with","$Content-Type","image/"]"#)
        try check(policy, ["key": "k", "Content-Type": "image/jpg,image/png, image/gif"])
        #expect(throws: S3Error.self) { try check(policy, ["key": "k", "Content-Type": "image/jpg,text/plain"]) }
    }

    @Test("must contain every field, and the bucket")
    func coverage() throws {
        let policy = try policy(conditions: #"["starts-with","$key",""]"#)
        let error = #expect(throws: S3Error.self) { try check(policy, ["key": "k", "StorageClass": "x", "tagging": "y"]) }
        #expect(error?.message == "Invalid according to Policy: Extra input fields: StorageClass, tagging")
        let open = try self.policy(#"{"expiration":"2030-01-01T12:00:00Z","conditions":[{"key":"user/1"}]}"#)
        let bucket = #expect(throws: S3Error.self) { try check(open, ["key": "user/1"]) }
        #expect(bucket?.message == "Invalid according to Policy: Extra input fields: bucket")
    }

    @Test("in Ceph's dialect may omit checksums, and allows missing encryption if any is allowed")
    func ceph() throws {
        let checksum: KeyValuePairs = ["key": "k", "x-amz-checksum-sha256": "x"]
        let plain = try policy(conditions: #"["starts-with","$key",""]"#)
        try check(plain, checksum, dialect: .ceph)
        let extra = #expect(throws: S3Error.self) { try check(plain, checksum) }
        #expect(extra?.message == "Invalid according to Policy: Extra input fields: x-amz-checksum-sha256")
        let encrypted = try policy(conditions: #"["starts-with","$key",""],["starts-with","$x-amz-server-side-encryption",""]"#)
        try check(encrypted, ["key": "k"], dialect: .ceph)
        #expect(throws: S3Error.self) { try check(encrypted, ["key": "k"]) }
    }

    @Test("expires")
    func expiry() throws {
        let policy = try policy(conditions: #"["starts-with","$key",""]"#)
        let error = #expect(throws: S3Error.self) { try check(policy, ["key": "k"], isExpired: true) }
        #expect(error?.code == .accessDenied)
        #expect(error?.message == "Invalid according to Policy: Policy expired.")
    }
}
