import HTTPTypes
import ObjectServing
import Testing
import WireFormats

@testable import OSSFace

@Suite("The policy of a form for OSS")
struct OSSPostPolicyTests {
    private func policy(_ text: String) throws(OSSError) -> PostPolicy { try PostPolicy(oss: Array(text.utf8).base64) }

    private func policy(conditions: String) throws(OSSError) -> PostPolicy {
        try policy(#"{"expiration":"2030-01-01T00:00:00.000Z","conditions":[\#(conditions)]}"#)
    }

    private func refusal(
        _ conditions: String, _ fields: KeyValuePairs<String, String> = [:], fileType: String? = nil, isExpired: Bool = false
    ) throws -> String? {
        var form = PostedForm(fields: fields.map { PostedForm.Field(name: $0.key, value: $0.value) })
        form.fileType = fileType
        do throws(OSSError) {
            try policy(conditions: conditions).check(form, bucket: "files", key: "user/a.txt", isExpired: isExpired)
            return nil
        } catch {
            #expect(error.code == "AccessDenied")
            #expect(error.status == .forbidden)
            return error.message
        }
    }

    @Test("contains an expiration and the allowed lengths of the file")
    func limits() throws {
        let policy = try policy(conditions: #"["content-length-range", 1, 100], ["Content-Length-Range", "5", "1000"]"#)
        #expect(policy.expiration == Timestamp(iso8601: "2030-01-01T00:00:00Z"))
        #expect(policy.contentLength(upTo: 5000) == (5, 100))
        #expect(try self.policy(conditions: "").contentLength(upTo: 5000) == (0, 5000))
    }

    @Test(
        "is satisfied by matching fields",
        arguments: [
            #"{"bucket":"files"}"#, #"["eq","$key","user/a.txt"]"#, #"["starts-with","$key","user/"]"#, #"["STARTS-WITH","$Key",""]"#,
            #"{"x-oss-meta-a":"1"}"#, #"["in","$content-type",["image/jpg","image/png"]]"#, #"["not-in","$cache-control",["no-cache"]]"#,
            #"["not-in","$content-type",["text/html"]]"#, #"["starts-with","$success_action_redirect",""]"#,
        ])
    func met(condition: String) throws {
        #expect(try refusal(condition, ["X-OSS-Meta-A": "1", "other": "fields are nobody's business"], fileType: "image/png") == nil)
    }

    @Test("compares bytes, not equivalent characters")
    func bytes() throws {
        let fields: KeyValuePairs = ["x-oss-meta-a": "e\u{301}/x"]
        #expect(try refusal(#"["starts-with","$x-oss-meta-a","e"]"#, fields) == nil)
        for condition in [
            #"["starts-with","$x-oss-meta-a","\#u{E9}/"]"#, #"["eq","$x-oss-meta-a","\#u{E9}/x"]"#,
            #"["in","$x-oss-meta-a",["\#u{E9}/x"]]"#,
        ] {
            #expect(try refusal(condition, fields) != nil)
        }
        #expect(try refusal(#"["not-in","$x-oss-meta-a",["\#u{E9}/x"]]"#, fields) == nil)
    }

    @Test(
        "is violated by other fields",
        arguments: [
            (#"{"bucket":"other"}"#, #"["eq", "$bucket", "other"]"#), (#"["eq","$key","user/"]"#, #"["eq", "$key", "user/"]"#),
            (#"["starts-with","$key","bob/"]"#, #"["starts-with", "$key", "bob/"]"#),
            (#"{"x-oss-meta-b":"1"}"#, #"["eq", "$x-oss-meta-b", "1"]"#),
            (#"["in","$content-type",["image/jpg"]]"#, #"["in", "$content-type", ["image/jpg"]]"#),
            (#"["in","$nothing",[""]]"#, #"["in", "$nothing", [""]]"#),
            (#"["not-in","$content-type",["image/png"]]"#, #"["not-in", "$content-type", ["image/png"]]"#),
        ])
    func failed(condition: String, shown: String) throws {
        let message = try refusal(condition, ["X-OSS-Meta-A": "1"], fileType: "image/png")
        #expect(message == "Invalid according to Policy: Policy Condition failed: \(shown)")
    }

    @Test("expires")
    func expired() throws {
        #expect(try refusal("", isExpired: true) == "Invalid according to Policy: Policy expired.")
    }

    @Test("takes the file's type from the first field that names it, or from the file")
    func fileType() throws {
        let condition = #"["eq","$content-type","a/b"]"#
        #expect(try refusal(condition, ["Content-Type": "a/b"], fileType: "c/d") == nil)
        #expect(try refusal(condition, ["x-oss-content-type": "a/b"], fileType: "c/d") == nil)
        #expect(try refusal(condition, fileType: "a/b") == nil)
        #expect(try refusal(condition) != nil)
    }

    @Test(
        "is refused if it is malformed",
        arguments: [
            "", "[]", "{}", #"{"expiration":"2030-01-01T00:00:00.000Z"}"#, #"{"conditions":[]}"#,
            #"{"expiration":"2030-01-01","conditions":[]}"#, #"{"expiration":"2030-01-01T00:00:00+01:00","conditions":[]}"#,
            #"{"expiration":"2030-01-01T00:00:00Z","conditions":{}}"#,
        ])
    func malformed(text: String) {
        let error = #expect(throws: OSSError.self) { try policy(text) }
        #expect(error?.code == "InvalidPolicyDocument")
        #expect(error?.status == .badRequest)
        #expect(error?.message.hasPrefix("Invalid Policy: ") == true)
    }

    @Test(
        "has no unknown conditions",
        arguments: [
            "1", "{}", #"{"a":"b","c":"d"}"#, #"{"a":1}"#, "[]", #"["eq","$key"]"#, #"["eq","key","x"]"#, #"["ends-with","$key","x"]"#,
            #"["in","$key","x"]"#, #"["in","$key",[1]]"#, #"["content-length-range",2,1]"#, #"["content-length-range","a",1]"#,
            #"["content-length-range",-1,1]"#, #"["eq","$key",1]"#,
        ])
    func malformedConditions(condition: String) {
        let error = #expect(throws: OSSError.self) { try policy(conditions: condition) }
        #expect(error?.code == "InvalidPolicyDocument")
    }
}
