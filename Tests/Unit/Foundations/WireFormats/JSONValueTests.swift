import FoundationEssentials
import Testing
import WireFormats

@Suite("JSON values")
struct JSONValueTests {
    struct Fault: Equatable {
        var reason: JSONSyntaxError.Reason
        var offset: Int
    }

    func fault(of bytes: [UInt8]) -> Fault? {
        do {
            _ = try JSONValue(parsing: bytes)
            return nil
        } catch {
            return Fault(reason: error.reason, offset: error.offset)
        }
    }

    @Test(
        "parses every kind of value",
        arguments: [
            ("null", .null), ("true", true), (" false\n", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", 1.5), ("1e2", .number(100)), ("-2.5E-1", -0.25),
            ("3.0", .number(3)), (#""""#, ""), (#""Grüße 🌦""#, "Grüße 🌦"), ("[]", []), ("[ 1 , [2] ]", [1, [2]]), ("{}", [:]),
            (#"{"a":{"b":[null]},"c":"d"}"#, ["a": ["b": [nil]], "c": "d"]),
        ] as [(String, JSONValue)])
    func parses(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "resolves escapes",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u0000""#, "é\0"), (#""a\ud83c\uDF26b""#, "a🌦b"),
        ])
    func escapes(_ text: String, _ expected: String) throws {
        #expect(try JSONValue(parsing: text).stringValue == expected)
    }

    @Test(
        "refuses what RFC 8259 does not allow, with the position",
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3),
            ("01", .invalidNumber, 0), ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1), ("1.", .unexpectedEnd, 2),
            ("1.e1", .invalidNumber, 2),
            ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("1e999", .numberOutOfRange, 0), ("NaN", .unexpectedByte, 0),
            ("1 2", .trailingBytes, 2), ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3), ("[1", .unexpectedEnd, 2),
            (#"{"a":1,}"#, .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1), (#"{"a" 1}"#, .unexpectedByte, 5),
            (#"{"a":1"#, .unexpectedEnd, 6),
            (#"{"a":1,"b":2,"\u0061":3}"#, .duplicateName, 13), (#""a"#, .unexpectedEnd, 2), ("\"a\nb\"", .controlCharacter, 2),
            (#""\x""#, .invalidEscape, 1), (#""\u12g4""#, .invalidEscape, 1), (#""\ud800""#, .invalidEscape, 1),
            (#""\ud800\u0041""#, .invalidEscape, 1), (#""\udc00""#, .invalidEscape, 1), ("/* */1", .unexpectedByte, 0),
            ("'a'", .unexpectedByte, 0),
            ("\u{FEFF}1", .unexpectedByte, 0),
        ] as [(String, JSONSyntaxError.Reason, Int)])
    func refuses(_ text: String, _ reason: JSONSyntaxError.Reason, _ offset: Int) {
        #expect(fault(of: Array(text.utf8)) == Fault(reason: reason, offset: offset))
    }

    @Test("uses the last of several members with one name, on request", arguments: [0, 30])
    func repeatedNames(others: Int) throws {
        let padding = (0..<others).map { "\"p\($0)\":0," }.joined()
        let text = #"{"a":1,"b":{"c":1,"c":2},\#(padding)"\u0061":3,"a":4}"#
        let value = try JSONValue(parsing: Array(text.utf8), repeatedNames: .lastCounts)
        #expect(value["a"] == 4)
        #expect(value["b"] == ["c": 2])
        #expect(value.objectValue?.count == others + 2)
    }

    @Test("takes no square of the time for repeated names")
    func manyRepeatedNames() throws {
        let names = (0..<50_000).map { "\"n\($0)\":0" }.joined(separator: ",")
        let repetitions = String(repeating: ",\"n49999\":1", count: 50_000)
        let value = try JSONValue(parsing: Array("{\(names)\(repetitions)}".utf8), repeatedNames: .lastCounts)
        #expect(value.objectValue?.count == 50_000)
        #expect(value["n49999"] == 1)
    }

    @Test(
        "refuses strings that are not UTF-8",
        arguments: [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3]] as [[UInt8]])
    func refusesBrokenText(_ bytes: [UInt8]) {
        #expect(fault(of: [0x22] + bytes + [0x22]) == Fault(reason: .invalidUTF8, offset: 1))
    }

    @Test("limits the depth of nesting")
    func limitsDepth() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try JSONValue(parsing: deepest).arrayValue?.count == 1)
        #expect(fault(of: Array("[\(deepest)]".utf8)) == Fault(reason: .tooDeep, offset: 64))
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("refuses a repeated name in a large object too")
    func largeObject() throws {
        let members = (0..<200).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
        #expect(try JSONValue(parsing: "{\(members)}")["n199"] == 199)
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\(members),\"n7\":0}") }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\(members),\"n199\":0}") }
    }

    @Test("keeps the order of members, but equality ignores it")
    func order() throws {
        let value = try JSONValue(parsing: #"{"z":1,"a":2}"#)
        #expect(value.objectValue?.names == ["z", "a"])
        #expect(value == ["a": 2, "z": 1])
        #expect(value.hashValue == (["a": 2, "z": 1] as JSONValue).hashValue)
        #expect(value != ["a": 2, "z": 2])
        #expect(value != ["a": 2])
    }

    @Test("changes members in place")
    func mutation() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = "x"
        object["c"] = true
        object["b"] = nil
        object["missing"] = nil
        #expect(JSONValue.object(object).serialized() == #"{"a":"x","c":true}"#)
    }

    @Test(
        "serializes what it parsed",
        arguments: [
            #"{"b":[1,-2.5,true,null,"é/🌦"],"a":{},"c":[]}"#, #""\"\\\b\f\n\r\t\u0001\u001f""#, "1e+100", "0.1", "-9223372036854775808",
            "3.0",
        ])
    func roundTrip(_ text: String) throws {
        #expect(try JSONValue(parsing: text).serialized() == text)
    }

    @Test(
        "escapes what must be escaped, at any position",
        arguments: [
            ("\"", #"\""#), ("\\", #"\\"#), ("\u{0}", #"\u0000"#), ("\u{1f}", #"\u001f"#), ("\n", #"\n"#), ("\u{7f}", "\u{7f}"),
            ("\u{20}", " "),
            ("!", "!"), ("#", "#"), ("[", "["), ("]", "]"), ("\u{a2}", "\u{a2}"), ("\u{dc}", "\u{dc}"), ("\u{1f600}", "\u{1f600}"),
        ])
    func places(_ character: String, _ escaped: String) throws {
        for length in 0..<20 {
            let (before, after) = (String(repeating: "~", count: length), String(repeating: "\u{e9}", count: 20 - length))
            #expect(JSONValue.string(before + character + after).serialized() == "\"\(before)\(escaped)\(after)\"")
        }
    }

    @Test("indents on request")
    func pretty() {
        let value: JSONValue = ["a": [1, "b"], "c": [:], "d": []]
        #expect(value.serialized(pretty: true) == "{\n  \"a\": [\n    1,\n    \"b\"\n  ],\n  \"c\": {},\n  \"d\": []\n}")
    }

    @Test("writes null for numbers that JSON cannot represent", arguments: [Double.infinity, -.infinity, .nan])
    func notFinite(_ number: Double) {
        #expect(JSONValue.number(number).serialized() == "null")
    }

    @Test("survives JSONEncoder and JSONDecoder")
    func codable() throws {
        let value: JSONValue = ["text": "x", "whole": 7, "part": 1.5, "yes": true, "none": nil, "list": [1, [], "a", [:]]]
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test("returns only values of the requested type")
    func accessors() {
        let value: JSONValue = ["s": "x", "i": 1, "n": 1.5, "b": false, "a": [1]]
        #expect(value["s"]?.stringValue == "x")
        #expect(value["i"]?.integerValue == 1)
        #expect(value["i"]?.numberValue == 1)
        #expect(value["n"]?.numberValue == 1.5)
        #expect(value["n"]?.integerValue == nil)
        #expect(value["b"]?.boolValue == false)
        #expect(value["a"]?.arrayValue == [1])
        #expect(value["a"]?.stringValue == nil)
        #expect(value["a"]?["s"] == nil)
    }
}
