import NIOCore
import Testing

@testable import ObjectServing

@Suite("The parser of multipart/form-data")
struct FormDataParserTests {
    private struct Parsed: Equatable {
        var fields: [String: String] = [:]
        var filename: String?
        var type: String?
        var content: String?
        var isEnded = false
    }

    private func parse(_ body: String, boundary: String = "xYz", pieces: Int = .max) throws -> Parsed {
        var parser = FormDataParser(boundary: boundary)
        var parsed = Parsed()
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(piece.count)
            parser.take(ByteBuffer(bytes: piece))
            while let event = try parser.next() {
                switch event {
                case .field(let name, let value): parsed.fields[name] = value
                case .file(let name, let type):
                    parsed.filename = name
                    parsed.type = type
                    parsed.content = ""
                case .content(let buffer):
                    #expect(buffer.readableBytes > 0)
                    parsed.content? += String(buffer: buffer)
                case .end: parsed.isEnded = true
                }
            }
        }
        try parser.finish()
        return parsed
    }

    private static let form = """
        --xYz\r
        Content-Disposition: form-data; name="key"\r
        \r
        two\r
        lines\r
        --xYz\r
        content-disposition: FORM-DATA; NAME="acl"; filename="acl"\r
        Content-Type: text/plain\r
        \r
        \r
        --xYz  \r
        Content-Disposition: form-data; filename="a\\"b.txt"; name="File"\r
        \r
        content\r\r
        --xY\r\n--x\r
        \r
        --xYz--\r
        ignored
        """

    @Test("returns fields, the file's name and its content, in chunks of any size", arguments: [1, 2, 3, 7, 50, .max])
    func whole(pieces: Int) throws {
        let parsed = try parse(Self.form, pieces: pieces)
        #expect(parsed.fields == ["key": "two\r\nlines", "acl": ""])
        #expect(parsed.filename == "a\"b.txt")
        #expect(parsed.content == "content\r\r\n--xY\r\n--x\r\n")
        #expect(parsed.isEnded)
    }

    private func part(_ disposition: String, _ value: String) -> String {
        "--xYz\r\nContent-Disposition: \(disposition)\r\n\r\n\(value)\r\n"
    }

    @Test("allows a preamble, and ignores what follows the file")
    func surroundings() throws {
        let file = part("form-data; name=file", "x")
        #expect(try parse("preamble\r\n\(file)--xYz--").content == "x")
        let later = try parse("\(file)\(part("form-data; name=acl", "private"))--xYz--")
        #expect(later.fields.isEmpty)
        #expect(later.content == "x")
        #expect(later.filename == nil)
        #expect(try parse("\(part("form-data; name=file; filename=\"\"", ""))--xYz--").filename == "")
        #expect(try parse("\(part("form-data; name=file", "\r"))--xYz--").content == "\r")
        #expect(try parse("--xYz--\r\n") == Parsed())
    }

    @Test(
        "removes the path from the file's name",
        arguments: [
            (#"filename="C:\Users\ann\a.txt""#, "a.txt"), ("filename=/tmp/b.txt", "b.txt"),
            ("filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"),
            (#"filename="x"; filename*=UTF-8''y"#, "y"), (#"filename="a;b=c.txt""#, "a;b=c.txt"), (#"filename="é.txt""#, "é.txt"),
        ])
    func names(parameter: String, name: String) throws {
        #expect(try parse("\(part("form-data; name=\"file\"; \(parameter)", "x"))--xYz--").filename == name)
    }

    @Test("returns the type of the file from its part", arguments: [("\r\nContent-TYPE:  image/png", "image/png"), ("", nil)])
    func type(header: String, type: String?) throws {
        let body = "--xYz\r\nContent-Disposition: form-data; name=file\(header)\r\n\r\nx\r\n--xYz--"
        #expect(try parse(body).type == type)
    }

    @Test(
        "refuses an invalid form",
        arguments: [
            "", "--other--", "--xYz", "--xYz\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nx",
            "--xYz\r\nContent-Disposition: form-data; name=file\r\n\r\nx\r\n--xY", "--xYz\r\n\r\nx\r\n--xYz--", "--xYzz\r\n",
            "--xYz\r\nContent-Disposition: attachment; name=key\r\n\r\nx\r\n--xYz--",
            "--xYz\r\nContent-Disposition: form-data\r\n\r\nx\r\n--xYz--", "--xYz\r\nContent-Type: text/plain\r\n\r\nx\r\n--xYz--",
        ])
    func malformed(body: String) {
        #expect(throws: FormDataError.malformed) { try parse(body) }
    }

    @Test("takes the time of its length for a form in small chunks, and not of its square")
    func smallChunks() throws {
        /// The least time of three attempts, which other work on the machine changes least.
        func time(_ boundaries: Int) throws -> Duration {
            let form = String(repeating: "\r\n--", count: boundaries) + "\r\n" + Self.form
            var least = Duration.seconds(3600)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                let parsed = try parse(form, pieces: 1)
                least = min(least, start.duration(to: .now))
                #expect(parsed.fields["key"] == "two\r\nlines")
            }
            return least
        }
        #expect(try time(5000) < time(500) * 40)
    }

    @Test("allows 20 KiB before the file, in chunks of any size", arguments: [1000, .max])
    func limit(pieces: Int) throws {
        func form(_ size: Int) -> String {
            part("form-data; name=key", String(repeating: "k", count: size))
                + part("form-data; name=file", String(repeating: "f", count: 50_000))
                + "--xYz--"
        }
        #expect(try parse(form(20_000), pieces: pieces).content?.utf8.count == 50_000)
        #expect(throws: FormDataError.fieldsTooLong(limit: 20_480)) { try parse(form(20_480), pieces: pieces) }
    }
}
