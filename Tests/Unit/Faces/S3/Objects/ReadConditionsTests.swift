import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Conditions of a read")
struct ReadConditionsTests {
    static let tag = EntityTag(md5: [UInt8](repeating: 0xAB, count: 16))
    static let quoted = "\"abababababababababababababababab\""
    static let modified = Timestamp(seconds: 1_700_000_000)
    static let now = Timestamp(seconds: 1_700_010_000)
    static let before = Timestamp(seconds: 1_699_999_000).httpDate
    static let after = Timestamp(seconds: 1_700_001_000).httpDate
    static let future = Timestamp(seconds: 1_700_020_000).httpDate

    struct Example: Sendable {
        var headers: HTTPFields
        var verdict: ReadConditions.Verdict

        static let all: [Example] = [
            Example(headers: [:], verdict: .holds),
            Example(headers: [.ifMatch: quoted], verdict: .holds),
            Example(headers: [.ifMatch: "abababababababababababababababab"], verdict: .holds),
            Example(headers: [.ifMatch: "*"], verdict: .holds),
            Example(headers: [.ifMatch: "\"x\", \(quoted)"], verdict: .holds),
            Example(headers: [.ifMatch: "\"x\""], verdict: .failed(condition: "If-Match")),
            Example(headers: [.ifNoneMatch: "\"x\""], verdict: .holds),
            Example(headers: [.ifNoneMatch: quoted], verdict: .notModified(condition: "If-None-Match")),
            Example(headers: [.ifNoneMatch: "W/\(quoted)"], verdict: .notModified(condition: "If-None-Match")),
            Example(headers: [.ifNoneMatch: "*"], verdict: .notModified(condition: "If-None-Match")),
            Example(headers: [.ifModifiedSince: before], verdict: .holds),
            Example(headers: [.ifModifiedSince: after], verdict: .notModified(condition: "If-Modified-Since")),
            Example(headers: [.ifModifiedSince: modified.httpDate], verdict: .notModified(condition: "If-Modified-Since")),
            Example(headers: [.ifModifiedSince: future], verdict: .holds),
            Example(headers: [.ifModifiedSince: "yesterday"], verdict: .holds),
            Example(headers: [.ifUnmodifiedSince: after], verdict: .holds),
            Example(headers: [.ifUnmodifiedSince: modified.httpDate], verdict: .holds),
            Example(headers: [.ifUnmodifiedSince: before], verdict: .failed(condition: "If-Unmodified-Since")),
            Example(headers: [.ifMatch: quoted, .ifUnmodifiedSince: before], verdict: .holds),
            Example(
                headers: [.ifNoneMatch: quoted, .ifModifiedSince: before],
                verdict: .notModified(condition: "If-None-Match")),
            Example(headers: [.ifNoneMatch: "\"x\"", .ifModifiedSince: after], verdict: .holds),
        ]
    }

    @Test("are evaluated in S3's order and with its exceptions", arguments: Example.all)
    func judges(_ example: Example) {
        let verdict = ReadConditions(example.headers).judge(Self.tag, modified: Self.modified, now: Self.now)
        #expect(verdict == example.verdict)
    }

    @Test("of a copy's source have names of their own")
    func copySource() {
        let conditions = ReadConditions([.copySourceIfMatch: "\"x\"", .ifMatch: Self.quoted], .copySource)
        let verdict = conditions.judge(Self.tag, modified: Self.modified, now: Self.now)
        #expect(verdict == .failed(condition: "x-amz-copy-source-If-Match"))
    }

    @Test("of a write are * or one entity tag")
    func writes() throws {
        for dialect in Dialect.allCases {
            #expect(try Precondition(write: [:], dialect) == .none)
            #expect(try Precondition(write: [.ifNoneMatch: "*"], dialect) == .ifNoneMatchAny)
            #expect(try Precondition(write: [.ifMatch: Self.quoted], dialect) == .ifMatch(Self.tag))
            let error = #expect(throws: S3Error.self) {
                try Precondition(write: [.ifMatch: Self.quoted, .ifNoneMatch: "*"], dialect)
            }
            #expect(error?.code == .notImplemented)
        }
        #expect(try Precondition(write: [.ifMatch: "*"], .ceph) == .ifMatchAny)
        #expect(try Precondition(write: [.ifNoneMatch: Self.quoted], .ceph) == .ifNoneMatch(Self.tag))
        // No object has this entity tag.
        #expect(try Precondition(write: [.ifNoneMatch: "\"x\""], .ceph) == .none)
        for headers in [[.ifMatch: "*"], [.ifNoneMatch: Self.quoted]] as [HTTPFields] {
            #expect(throws: S3Error.self) { try Precondition(write: headers, .aws) }
        }
    }
}
