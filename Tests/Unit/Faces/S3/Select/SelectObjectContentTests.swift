import Cloud
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("SelectObjectContent")
struct SelectObjectContentTests {
    private static let people = "name,age\nRosie,44\n\"Ross, L.\",24\nEleanor,43\n"
    private static let target = "/files/people.csv?select&select-type=2"

    private static func request(
        _ expression: String = "select * from s3object", input: String = "<CSV/>", output: String = "<CSV/>", further: String = ""
    ) -> String {
        """
        <SelectObjectContentRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Expression>\(expression)</Expression>\
        <ExpressionType>SQL</ExpressionType><InputSerialization>\(input)</InputSerialization>\
        <OutputSerialization>\(output)</OutputSerialization>\(further)</SelectObjectContentRequest>
        """
    }

    @Test(
        "refuses an invalid request",
        arguments: [
            (request(further: "<RequestProgress><Enabled>maybe</Enabled></RequestProgress>"), "InvalidRequestParameter"),
            (request(further: "<Colour/>"), "MalformedXML"), (request(further: "<ScanRange/>"), "InvalidScanRange"),
            (request(further: "<ScanRange><Start>-1</Start></ScanRange>"), "InvalidScanRange"), ("<Other/>", "MalformedXML"),
            ("", "EmptyRequestBody"), (request(""), "MissingRequiredParameter"), (request(input: ""), "MissingRequiredParameter"),
            (request(output: ""), "MissingRequiredParameter"), (request(input: "<CSV/><JSON/>"), "ObjectSerializationConflict"),
            (request(output: "<CSV/><JSON/>"), "ObjectSerializationConflict"), (request(input: "<JSON/>"), "MissingRequiredParameter"),
            (request(input: "<JSON><Type>TREE</Type></JSON>"), "InvalidJsonType"), (request(input: "<Parquet/>"), "NotImplemented"),
            (request(input: "<CSV/><CompressionType>ZIP</CompressionType>"), "InvalidCompressionFormat"),
            (request(input: "<CSV><FileHeaderInfo>SOME</FileHeaderInfo></CSV>"), "InvalidFileHeaderInfo"),
            (request(input: "<CSV><FieldDelimiter>,,</FieldDelimiter></CSV>"), "InvalidRequestParameter"),
            (request(output: "<CSV><QuoteFields>NEVER</QuoteFields></CSV>"), "InvalidQuoteFields"),
            (request().replacing("SQL", with: "XPath"), "InvalidExpressionType"),
            (request(String(repeating: "a", count: 257 << 10)), "ExpressionTooLong"),
        ] as [(String, String)])
    func refusals(body: String, code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("people.csv", Self.people)
            let answer = try await s3.send(.post, Self.target, body: Array(body.utf8))
            #expect(answer.code == code)
            #expect(answer.journal.errorCode == code)
            #expect(answer.status == (code == "NotImplemented" ? 501 : 400))
        }
    }

    @Test("names what is missing")
    func missing() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("people.csv", Self.people)
            let answer = try await s3.send(.post, Self.target, body: Array(Self.request(input: "<JSON/>").utf8))
            #expect(answer.text.contains("<Message>Type is required. Please check the service documentation and try again.</Message>"))
        }
    }

    @Test(
        "refuses an object that does not match the request",
        arguments: [
            ("a,\"b\nc\"\n", "<CSV/>", "CSVEscapingRecordDelimiter"), ("a,\"b", "<CSV/>", "CSVUnescapedQuote"),
            ("a,\"b\"c\n", "<CSV/>", "CSVParsingError"), ("{\"a\":", "<JSON><Type>LINES</Type></JSON>", "JSONParsingError"),
            ("name,NAME\n1,2\n", "<CSV><FileHeaderInfo>USE</FileHeaderInfo></CSV>", "AmbiguousFieldName"),
            ("age\n1\n", "<CSV><FileHeaderInfo>USE</FileHeaderInfo></CSV>", "MissingHeaders"),
        ])
    func objects(content: String, input: String, code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.put("people.csv", content)
            let expression = input.contains("USE") ? "select name from s3object" : "select * from s3object"
            let answer = try await s3.send(.post, Self.target, body: Array(Self.request(expression, input: input).utf8))
            #expect(answer.status == 400)
            #expect(answer.code == code)
        }
    }

    @Test("refuses text that is not UTF-8, and records of more than 1 MiB")
    func contents() async throws {
        try await S3Sandbox.run { s3 async throws in
            for (content, code) in [
                ([0x61, 0xFF, 0x0A], "InvalidTextEncoding"), ([UInt8](repeating: 0x61, count: 1_400_000), "OverMaxRecordSize"),
            ] as [([UInt8], String)] {
                _ = try await s3.send(.put, "/files/people.csv", body: content)
                let answer = try await s3.send(.post, Self.target, body: Array(Self.request().utf8))
                #expect(String(decoding: answer.body, as: UTF8.self).contains(code))
            }
        }
    }

    @Test("refuses JSON values of more than 1 MiB", arguments: ["DOCUMENT", "LINES"])
    func values(type: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let message = "The length of a record in the input or result is greater than the maxCharsPerRecord limit of 1 MB."
            _ = try await s3.send(.put, "/files/people.csv", body: Array("[\(String(repeating: "1,", count: 1 << 19))1]".utf8))
            let body = Self.request("select count(*) from s3object s", input: "<JSON><Type>\(type)</Type></JSON>", output: "<JSON/>")
            let answer = try await s3.send(.post, Self.target, body: Array(body.utf8))
            // An error after a second, on a busy machine, is an event of a response that has begun.
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains("OverMaxRecordSize"))
            #expect(text.contains(message))
        }
    }

    @Test("reads fields with escaped quotation marks, and fields without any")
    func quotes() async throws {
        try await S3Sandbox.run { s3 async throws in
            for (content, csv, output, selected) in [
                ("\"a\\\"b\",c\n", "<QuoteEscapeCharacter>\\</QuoteEscapeCharacter>", "<CSV/>", "\"a\"\"b\",c\n"),
                ("\"a,b\n", "<QuoteCharacter></QuoteCharacter>", "<JSON/>", "{\"_1\":\"\\\"a\",\"_2\":\"b\"}\n"),
                ("x\n#y\n%z\n", "<Comments>%</Comments>", "<CSV/>", "x\n#y\n"),
                ("a,\"b\nc\"\n", "<AllowQuotedRecordDelimiter>TRUE</AllowQuotedRecordDelimiter>", "<CSV/>", "a,\"b\nc\"\n"),
            ] {
                try await s3.put("people.csv", content)
                let body = Self.request(input: "<CSV>\(csv)</CSV>", output: output)
                let answer = try await s3.send(.post, Self.target, body: Array(body.utf8))
                #expect(answer.status == 200)
                #expect(String(decoding: answer.body, as: UTF8.self).contains("Records\(selected)"))
            }
        }
    }

    @Test("requires read permission and a signature, and refuses versions and ranges")
    func access() async throws {
        try await S3Sandbox.run { s3 async throws in
            let body = Array(Self.request().utf8)
            let target = "/files/public/hello.txt?select&select-type=2"
            #expect(try await s3.send(.post, target, body: body, as: .reader).status == 200)
            #expect(try await s3.send(.post, target, body: body, as: .other).code == "AccessDenied")
            #expect(try await s3.send(.post, target, body: body, as: .nobody).code == "AccessDenied")
            #expect(try await s3.send(.post, "\(target)&versionId=null", body: body).code == "InvalidArgument")
            #expect(try await s3.send(.post, "/files/public/hello.txt?select", body: body).code == "InvalidArgument")
            #expect(try await s3.send(.post, target, ["Range": "bytes=0-1"], body: body).code == "UnsupportedRangeHeader")
            #expect(try await s3.send(.post, "/files/gone?select&select-type=2", body: body).code == "NoSuchKey")
            try await s3.put("cold", "a\n", ["x-amz-storage-class": "GLACIER"])
            #expect(try await s3.send(.post, "/files/cold?select&select-type=2", body: body).code == "UnsupportedStorageClass")
        }
    }
}
