import Testing
import WireFormats

@Suite("Building texts")
struct WritingTests {
    @Test("parts are joined, short ones and long ones")
    func joining() {
        let arn = String(joining: "arn:aws:iam::", "123456789012", ":", "role", "/é/a-long-name-of-a-role")
        #expect(arn == "arn:aws:iam::123456789012:role/é/a-long-name-of-a-role")
        #expect(String(joining: "a", "", "é", "d", "", "f") == "aédf")
        #expect(String(joining: "", "", "") == "")
    }

    @Test("texts are compared byte by byte")
    func comparing() {
        #expect("AWS4-HMAC".begins(with: "AWS4-"))
        #expect("AWS4-".begins(with: "AWS4-"))
        #expect("".begins(with: ""))
        #expect(!"AWS4".begins(with: "AWS4-"))
        #expect(!"AWS5-HMAC".begins(with: "AWS4-"))
        // The accent belongs to the character before it, but not to the bytes.
        #expect("AWS4-\u{301}".begins(with: "AWS4-"))
        let name = "x-amz-date"
        #expect(name.equals("x-amz-" + "date"))
        #expect(!name.equals("user-agent"))
        #expect(!name.equals("x-amz-dates"))
        #expect("".equals(""))
        #expect(!"é".equals("e\u{301}"))
    }

    @Test("numbers are written in decimal digits", arguments: [0, 9, 10, 99, 1_234_567_890, .max, -1, -10, .min])
    func numbers(number: Int64) {
        var xml = XMLWriter(capacity: 1)
        xml.element("n", number)
        #expect(String(decoding: xml.bytes, as: UTF8.self) == "<n>\(number)</n>")
    }

    @Test("an entity tag in XML equals its text")
    func quotedHex() {
        var xml = XMLWriter(capacity: 1)
        let bytes = [0x00, 0x9A, 0xFF] + Array(UInt8.min...UInt8.max)
        xml.element("t", quotedHexOf: bytes)
        var other = XMLWriter()
        other.element("t", "\"009aff\(bytes.dropFirst(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\"")
        #expect(xml.bytes == other.bytes)
    }

    @Test("times are written in whole seconds", arguments: [0, 1_790_000_000_999, -1, 253_402_300_800_000])
    func times(milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        var xml = XMLWriter(capacity: 1)
        xml.element("t", wholeSecondsOf: time)
        #expect(String(decoding: xml.bytes, as: UTF8.self) == "<t>\(time.iso8601WholeSeconds)</t>")
        var bytes: [UInt8] = [0x21]
        bytes.append(basic: time)
        #expect(String(decoding: bytes, as: UTF8.self) == "!" + time.basic)
    }

    @Test("base64 is appended as it is encoded alone", arguments: 0..<8)
    func base64url(count: Int) {
        let bytes = [UInt8](repeating: 0xFB, count: count)
        var text = Array("head.".utf8)
        text.append(base64url: bytes)
        #expect(String(decoding: text, as: UTF8.self) == "head." + bytes.base64url)
    }

    @Test("printable characters are distinguished from others at every position", arguments: 0..<20)
    func printable(place: Int) {
        let plain = [UInt8](repeating: UInt8(ascii: "~"), count: 20)
        #expect(String(decoding: plain, as: UTF8.self).isPrintableASCII)
        for byte: UInt8 in [0x00, 0x09, 0x1F, 0x7F] {
            var text = plain
            text[place] = byte
            #expect(!String(decoding: text, as: UTF8.self).isPrintableASCII)
        }
        #expect(!(String(repeating: "a", count: place) + "é").isPrintableASCII)
    }

    @Test("a document written member by member equals the one written from a tree")
    func members() {
        var json = JSONWriter()
        json.object { json in
            json.member("text", "a\"b\\c\n\u{1}\u{1F}é{")
            json.member("number", -42)
            json.member("texts", ["", "[", "x"])
            json.member("none", [])
            json.member("object", object: { $0.member("least", Int64.min) })
            json.member("empty", object: { _ in })
            json.member(
                "lists",
                array: { json in
                    json.element("[")
                    json.element(array: { $0.element("{") })
                    json.element(array: { _ in })
                })
        }
        let tree: JSONValue = [
            "text": "a\"b\\c\n\u{1}\u{1F}é{", "number": -42, "texts": ["", "[", "x"], "none": [], "object": ["least": .integer(.min)],
            "empty": [:], "lists": ["[", ["{"], []],
        ]
        #expect(json.bytes == tree.serializedBytes())
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"text":"a\"b\\c\n\u0001\u001fé{","number":-42,"texts":["","[","x"],"none":[],"object":{"least":-9223372036854775808},"#
                + #""empty":{},"lists":["[",["{"],[]]}"#)
    }

    @Test("characters to escape are found at every position of a long text", arguments: [0, 1, 7, 8, 9, 4095, 4096, 4097, 8191, 9000])
    func longTexts(place: Int) throws {
        var text = String(repeating: "a", count: place) + "\"\\\u{0}" + String(repeating: "é", count: 5000)
        #expect(try JSONValue(parsing: JSONValue.string(text).serializedBytes()) == .string(text))
        text = String(repeating: "a", count: place) + "<&>\r" + String(repeating: "é", count: 5000)
        var xml = XMLWriter(capacity: 16)
        xml.element("a", text)
        #expect(try XMLElement(parsing: xml.bytes).text == text)
    }
}
