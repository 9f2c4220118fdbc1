import Testing
import WireFormats

@Suite("Writing XML")
struct XMLWriterTests {
    @Test("elements nest, with declaration, namespace and attributes")
    func writes() {
        var xml = XMLWriter()
        xml.declaration()
        xml.element("Result", namespace: "http://s3.amazonaws.com/doc/2006-03-01/") { xml in
            xml.element("Name", "b")
            xml.element("Prefix", "")
            xml.element("MaxKeys", 1000)
            xml.element("IsTruncated", false)
            xml.element("Grantee", attributes: ["xmlns:xsi": "urn:x", "xsi:type": "A&B"]) { $0.element("ID", "1") }
        }
        #expect(
            String(decoding: xml.bytes, as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <Result xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys>\
                <IsTruncated>false</IsTruncated><Grantee xmlns:xsi="urn:x" xsi:type="A&amp;B"><ID>1</ID></Grantee></Result>
                """)
    }

    @Test("markup, carriage returns and control characters are escaped in text")
    func escapesText() {
        var xml = XMLWriter()
        xml.element("K", "<a> & \"b\"\r\n\t\u{1}é")
        #expect(String(decoding: xml.bytes, as: UTF8.self) == "<K>&lt;a&gt; &amp; &quot;b&quot;&#13;\n\t&#1;é</K>")
    }

    @Test("every character is escaped alike at any position")
    func escapesAtEachPlace() {
        let escapes: [Character: String] = ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "\u{1F}": "&#31;", "\r": "&#13;"]
        for character in ["<", ">", "&", "\"", "\u{1F}", "\r", "\t", " ", "!", "%", "=", "\u{7F}", "\u{80}", "é", "¦", "€"] as [Character] {
            for place in 0..<20 {
                let (before, after) = (String(repeating: "x", count: place), String(repeating: "é", count: 9))
                var xml = XMLWriter()
                xml.element("K", before + String(character) + after)
                let expected = escapes[character] ?? String(character)
                #expect(String(decoding: xml.bytes, as: UTF8.self) == "<K>\(before)\(expected)\(after)</K>")
            }
        }
    }

    @Test("serialized elements are parsed again", arguments: ["", " a\r\n\tb\r ", "<&>\"']]>", "😀 ключ"])
    func roundTrips(text: String) throws {
        var xml = XMLWriter()
        xml.element("r", attributes: ["a": text], text)
        let element = try XMLElement(parsing: xml.bytes)
        #expect(element.text == text)
        #expect(element.attribute("a") == text)
    }

    @Test("a document can exceed its initial capacity", arguments: [0, 1, 100, 100_000])
    func grows(capacity: Int) throws {
        var xml = XMLWriter(capacity: capacity)
        let text = String(repeating: "\"\r", count: 500)
        xml.element("r") { xml in
            for _ in 0..<20 { xml.element("k", text) }
        }
        let element = try XMLElement(parsing: xml.bytes)
        #expect(element.children.map(\.text) == [String](repeating: text, count: 20))
        #expect(xml.withBytes { [UInt8]($0) } == xml.bytes)
    }
}

@Suite("Reading XML")
struct XMLReaderTests {
    private func parse(_ text: String) throws(XMLSyntaxError) -> XMLElement {
        try XMLElement(parsing: Array(text.utf8))
    }

    @Test("a request body is parsed to a tree")
    func reads() throws {
        let delete = try parse(
            """
            <?xml version="1.0" encoding='utf-8' standalone="yes" ?>
            <!-- a comment -->
            <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Object><Key>a&amp;b</Key></Object>
              <Object><Key><![CDATA[<c>]]></Key><VersionId/></Object>
              <Quiet >true</Quiet >
            </Delete>

            """)
        #expect(delete.name == "Delete")
        #expect(delete.namespace == "http://s3.amazonaws.com/doc/2006-03-01/")
        #expect(delete.children(named: "Object").map { $0.child("Key")?.text } == ["a&b", "<c>"])
        #expect(delete.child("Quiet")?.text == "true")
        #expect(delete.child("Quiet")?.namespace == delete.namespace)
        #expect(delete.children.count == 3)
        #expect(delete.child("Absent") == nil)
    }

    @Test("prefixes are resolved in their scope")
    func namespaces() throws {
        let root = try parse(#"<a:r xmlns:a="urn:1" xmlns="urn:d" n="0" a:n="1"><x xmlns="" xmlns:a="urn:2"><a:y/></x><z/></a:r>"#)
        #expect(root.name == "r")
        #expect(root.namespace == "urn:1")
        #expect(root.attributes.map(\.namespace) == ["", "urn:1"])
        #expect(root.attribute("n") == "0")
        #expect(root.children.map(\.namespace) == ["", "urn:d"])
        #expect(root.children.first?.children.first?.namespace == "urn:2")
    }

    @Test("text around a comment or a CDATA section is joined")
    func joinsText() throws {
        let root = try parse("<r>admin<!-- x -->@example<![CDATA[.com]]>&#x21;</r>")
        #expect(root.content == [.text("admin@example.com!")])
    }

    @Test("line ends become line feeds, and white space in attributes becomes spaces")
    func normalises() throws {
        let root = try parse("<r a='1\r\n2\t3&#10;4'>a\r\nb\rc&#13;</r>")
        #expect(root.text == "a\nb\nc\r")
        #expect(root.attribute("a") == "1 2 3\n4")
    }

    static let refused: [(String, XMLSyntaxError.Reason)] = [
        ("", .unexpectedEnd), ("text", .unexpectedCharacter), ("<a>", .unexpectedEnd), ("<a", .unexpectedEnd),
        ("<a></b>", .mismatchedTag), ("<p:a xmlns:p='u'></a>", .mismatchedTag), ("<a/><b/>", .unexpectedCharacter),
        ("<!DOCTYPE a><a/>", .documentType), ("<a/><!DOCTYPE a>", .documentType), ("<?php ?><a/>", .processingInstruction),
        ("<a><?x y?></a>", .processingInstruction), ("<a/><?x y?>", .processingInstruction),
        (" <?xml version='1.0'?><a/>", .processingInstruction), ("<?xml version='1.1'?><a/>", .unexpectedCharacter),
        ("<?xml version='1.0' encoding='latin1'?><a/>", .encoding), ("<a>&nbsp;</a>", .unknownEntity), ("<a>&lt</a>", .unknownEntity),
        ("<a>&#0;</a>", .unknownEntity), ("<a>&#xD800;</a>", .unknownEntity), ("<a>&#+65;</a>", .unknownEntity),
        ("<a>&#xFFFE;</a>", .unknownEntity), ("<a>&#6Z;</a>", .unknownEntity), ("<a>&amp", .unknownEntity),
        ("<a>\u{1}</a>", .unexpectedCharacter), ("<a>\u{FFFF}</a>", .unexpectedCharacter), ("<a>]]></a>", .unexpectedCharacter),
        ("<a b='1' b='2'/>", .duplicateAttribute), ("<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", .duplicateAttribute),
        ("<a xmlns='u' xmlns='v'/>", .duplicateAttribute), ("<a b='1'c='2'/>", .unexpectedCharacter), ("<a b=1/>", .unexpectedCharacter),
        ("<a b='<'/>", .unexpectedCharacter), ("<p:a/>", .namespace), ("<a p:b=''/>", .namespace), ("<a xmlns:p=''/>", .namespace),
        ("<a xmlns:xmlns='u'/>", .namespace), ("<a:b:c xmlns:a='u'/>", .namespace), ("<1a/>", .unexpectedCharacter),
        ("<a><!-- -- --></a>", .unexpectedCharacter), ("<a><!-- ", .unexpectedEnd), ("<a><![CDATA[", .unexpectedEnd),
        ("<a b='", .unexpectedEnd),
        (String(repeating: "<a>", count: 33) + String(repeating: "</a>", count: 33), .tooComplex),
        ("<a \((0..<129).map { "a\($0)=''" }.joined(separator: " "))/>", .tooComplex),
    ]

    @Test("what is not plain, namespace-correct XML is refused", arguments: refused)
    func refuses(document: String, reason: XMLSyntaxError.Reason) {
        let error = #expect(throws: XMLSyntaxError.self) { try parse(document) }
        #expect(error?.reason == reason)
    }

    @Test(
        "every character is accepted on request, and only then", arguments: ["\u{1}", "a\r\nb\r", "\u{FFFE}", "\u{0}"])
    func anyCharacter(text: String) throws {
        let numbers = text.unicodeScalars.map { "&#\($0.value);" }.joined()
        for document in ["<a>\(text)</a>", "<a><![CDATA[\(text)]]></a>", "<a>\(numbers)</a>"] {
            #expect(try XMLElement(parsing: Array(document.utf8), characters: .any).text == text)
            #expect((try? XMLElement(parsing: Array(document.utf8)))?.text != text || text.contains("\r"))
        }
    }

    @Test("thirty-two levels are accepted")
    func depth() throws {
        let document = String(repeating: "<a>", count: 32) + String(repeating: "</a>", count: 32)
        #expect(try parse(document).name == "a")
    }

    @Test("other encodings than UTF-8 are refused, a byte order mark is not")
    func encodings() throws {
        let error = #expect(throws: XMLSyntaxError.self) { try XMLElement(parsing: [0x3C, 0x61, 0xFF, 0x2F, 0x3E]) }
        #expect(error?.reason == .encoding)
        #expect(try XMLElement(parsing: [0xEF, 0xBB, 0xBF] + Array("<a/>".utf8)).name == "a")
    }

    @Test("an error has the position where parsing stopped")
    func offset() {
        let error = #expect(throws: XMLSyntaxError.self) { try parse("<a><b></c></a>") }
        #expect(error?.offset == 6)
    }

    @Test("every prefix and every changed byte of a document causes only a syntax error")
    func survivesDamage() {
        let document = Array(#"<?xml version="1.0"?><r xmlns:p="u"><p:a b="1&lt;">t<![CDATA[x]]><!--c-->&#65;</p:a></r>"#.utf8)
        #expect(throws: Never.self) { try XMLElement(parsing: document) }
        for end in 0..<document.count {
            #expect(throws: XMLSyntaxError.self) { try XMLElement(parsing: Array(document[..<end])) }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var damaged = document
            damaged[Int.random(in: damaged.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
            do { _ = try XMLElement(parsing: damaged) } catch { #expect(error.offset <= damaged.count) }
        }
    }
}
