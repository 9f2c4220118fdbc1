import Testing
import WireFormats

@Suite("Canonical XML")
struct XMLCanonicalFormTests {
    private func canonical(_ text: String, _ method: XMLCanonicalization = .inclusive) throws -> String {
        String(decoding: try XMLElement(parsing: Array(text.utf8)).canonicalForm(method), as: UTF8.self)
    }

    /// Returns the canonical form of the first child.
    private func canonicalChild(_ text: String, _ method: XMLCanonicalization) throws -> String {
        let root = try XMLElement(parsing: Array(text.utf8))
        return String(decoding: try #require(root.children.first).canonicalForm(method, within: [root]), as: UTF8.self)
    }

    @Test("keeps white space in content (Canonical XML 1.0, section 3.2)")
    func whiteSpace() throws {
        let text = """
            <doc>
               <clean>   </clean>
               <dirty>   A   B   </dirty>
               <mixed>
                  A
                  <clean>   </clean>
                  B
               </mixed>
            </doc>
            """
        #expect(try canonical(text) == text)
    }

    @Test("orders attributes and declarations in start tags (Canonical XML 1.0, section 3.3, without its document type)")
    func startTags() throws {
        let text = """
            <doc>
               <e1   />
               <e2   ></e2>
               <e3   name = "elem3"   id="elem3"   />
               <e4   name="elem4"   id="elem4"   ></e4>
               <e5 a:attr="out" b:attr="sorted" attr2="all" attr="I'm"
                  xmlns:b="http://www.ietf.org"
                  xmlns:a="http://www.w3.org"
                  xmlns="http://example.org"/>
               <e6 xmlns="" xmlns:a="http://www.w3.org">
                  <e7 xmlns="http://www.ietf.org">
                     <e8 xmlns="" xmlns:a="http://www.w3.org">
                        <e9 xmlns="" xmlns:a="http://www.ietf.org"/>
                     </e8>
                  </e7>
               </e6>
            </doc>
            """
        let expected = """
            <doc>
               <e1></e1>
               <e2></e2>
               <e3 id="elem3" name="elem3"></e3>
               <e4 id="elem4" name="elem4"></e4>
               <e5 xmlns="http://example.org" xmlns:a="http://www.w3.org" xmlns:b="http://www.ietf.org" attr="I'm" attr2="all" \
            b:attr="sorted" a:attr="out"></e5>
               <e6 xmlns:a="http://www.w3.org">
                  <e7 xmlns="http://www.ietf.org">
                     <e8 xmlns="">
                        <e9 xmlns:a="http://www.ietf.org"></e9>
                     </e8>
                  </e7>
               </e6>
            </doc>
            """
        #expect(try canonical(text) == expected)
    }

    @Test("has one form of each character (Canonical XML 1.0, section 3.4, without its document type)")
    func characters() throws {
        let text = """
            <doc>
               <text>First line&#x0d;&#10;Second line</text>
               <value>&#x32;</value>
               <compute><![CDATA[value>"0" && value<"10" ?"valid":"error"]]></compute>
               <compute expr='value>"0" &amp;&amp; value&lt;"10" ?"valid":"error"'>valid</compute>
            </doc>
            """
        let expected = """
            <doc>
               <text>First line&#xD;
            Second line</text>
               <value>2</value>
               <compute>value&gt;"0" &amp;&amp; value&lt;"10" ?"valid":"error"</compute>
               <compute expr="value>&quot;0&quot; &amp;&amp; value&lt;&quot;10&quot; ?&quot;valid&quot;:&quot;error&quot;">valid</compute>
            </doc>
            """
        #expect(try canonical(text) == expected)
    }

    @Test("is independent of the envelope only if it is exclusive (Exclusive XML Canonicalization 1.0, section 2.2)")
    func envelopes() throws {
        let inner = "<n1:elem2 xmlns:n1=\"http://example.net\" xml:lang=\"en\"><n3:stuff xmlns:n3=\"ftp://example.org\"/></n1:elem2>"
        let one = "<n0:local xmlns:n0=\"foo:bar\" xmlns:n3=\"ftp://example.org\">\(inner)</n0:local>"
        let other =
            "<n2:pdu xmlns:n1=\"http://example.com\" xmlns:n2=\"http://foo.example\" xml:lang=\"fr\" xml:space=\"retain\">\(inner)</n2:pdu>"
        #expect(
            try canonicalChild(one, .inclusive)
                == "<n1:elem2 xmlns:n0=\"foo:bar\" xmlns:n1=\"http://example.net\" xmlns:n3=\"ftp://example.org\" xml:lang=\"en\"><n3:stuff></n3:stuff></n1:elem2>"
        )
        #expect(
            try canonicalChild(other, .inclusive)
                == "<n1:elem2 xmlns:n1=\"http://example.net\" xmlns:n2=\"http://foo.example\" xml:lang=\"en\" xml:space=\"retain\"><n3:stuff xmlns:n3=\"ftp://example.org\"></n3:stuff></n1:elem2>"
        )
        for text in [one, other] {
            #expect(
                try canonicalChild(text, .exclusive())
                    == "<n1:elem2 xmlns:n1=\"http://example.net\" xml:lang=\"en\"><n3:stuff xmlns:n3=\"ftp://example.org\"></n3:stuff></n1:elem2>"
            )
        }
        #expect(
            try canonicalChild(other, .exclusive(inclusivePrefixes: ["n2", "n9"]))
                == "<n1:elem2 xmlns:n1=\"http://example.net\" xmlns:n2=\"http://foo.example\" xml:lang=\"en\"><n3:stuff xmlns:n3=\"ftp://example.org\"></n3:stuff></n1:elem2>"
        )
    }

    @Test("treats the default namespace in a prefix list as the inclusive form does")
    func defaultPrefix() throws {
        let text = "<a xmlns=\"urn:a\"><p:b xmlns:p=\"urn:p\"><c xmlns=\"\"/></p:b></a>"
        #expect(try canonicalChild(text, .exclusive()) == "<p:b xmlns:p=\"urn:p\"><c></c></p:b>")
        #expect(
            try canonicalChild(text, .exclusive(inclusivePrefixes: ["#default"]))
                == "<p:b xmlns=\"urn:a\" xmlns:p=\"urn:p\"><c xmlns=\"\"></c></p:b>")
    }

    @Test("omits comments and joins the text around them")
    func comments() throws {
        #expect(try canonical("<!-- a --><a>x<!-- b -->y<b/><!----></a><!-- c -->") == "<a>xy<b></b></a>")
    }

    @Test("distinguishes names that differ only in their bytes")
    func decomposed() throws {
        let text = "<a xmlns:\u{E9}=\"urn:1\"><\u{E9}:b/><e\u{301}:c xmlns:e\u{301}=\"urn:1\"/></a>"
        let written = try canonical(text, .exclusive())
        let expected = "<a><\u{E9}:b xmlns:\u{E9}=\"urn:1\"></\u{E9}:b><e\u{301}:c xmlns:e\u{301}=\"urn:1\"></e\u{301}:c></a>"
        #expect(Array(written.utf8) == Array(expected.utf8))
    }

    @Test("built elements are serialized with the required declarations, once")
    func building() throws {
        var value = XMLElement("saml:V", in: "urn:s", text: "x")
        value.declarations = [.init(prefix: "xs", namespace: "urn:xs")]
        value.attributes = [.init(prefix: "xsi", name: "type", namespace: "urn:xsi", value: "xs:string")]
        let built = XMLElement(
            "saml:A", in: "urn:s", attributes: ["ID": "1", "B": "<\"&\n>"],
            [.element(value), .element(XMLElement("c", in: "", text: "")), .element(XMLElement("d", in: "urn:d"))])
        let text = String(decoding: built.serialized(), as: UTF8.self)
        #expect(
            text == """
                <saml:A xmlns:saml="urn:s" B="&lt;&quot;&amp;&#xA;>" ID="1"><saml:V xmlns:xs="urn:xs" xmlns:xsi="urn:xsi" xsi:type="xs:string">x\
                </saml:V><c></c><d xmlns="urn:d"></d></saml:A>
                """)
        let read = try XMLElement(parsing: Array(text.utf8))
        #expect(read.canonicalForm() == built.canonicalForm())
        #expect(read.attribute("B") == "<\"&\n>")
    }

    @Test("documents beyond the limits are refused")
    func limits() throws {
        func reason(_ text: String, _ limits: XMLLimits) -> XMLSyntaxError.Reason? {
            do {
                _ = try XMLElement(parsing: Array(text.utf8), limits: limits)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason("<a><b/></a>", XMLLimits(depth: 2, attributes: 0, elements: 2, size: 11)) == nil)
        #expect(reason("<a><b/></a>", XMLLimits(depth: 1)) == .tooComplex)
        #expect(reason("<a><b/></a>", XMLLimits(elements: 1)) == .tooComplex)
        #expect(reason("<a><b/></a>", XMLLimits(size: 10)) == .tooComplex)
        #expect(reason("<a b=''/>", XMLLimits(attributes: 0)) == .tooComplex)
    }

    @Test("a document inside another has the other's namespaces")
    func within() throws {
        let outer = try XMLElement(parsing: Array("<p:a xmlns:p=\"urn:p\" xmlns=\"urn:d\"/>".utf8))
        let inner = try XMLElement(parsing: Array("<p:b><c/></p:b>".utf8), within: [outer])
        #expect(inner.namespace == "urn:p")
        #expect(inner.children[0].namespace == "urn:d")
        #expect(throws: XMLSyntaxError.self) { try XMLElement(parsing: Array("<p:b/>".utf8)) }
    }
}

@Suite("Raw DEFLATE")
struct DeflateTests {
    @Test("compressed data is decompressed", arguments: [0, 1, 100, 100_000])
    func roundTrips(count: Int) {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        #expect(text.deflated.inflated(upTo: count) == text)
        #expect(count == 0 || text.deflated.inflated(upTo: count - 1) == nil)
    }

    @Test("decompresses the output of another program")
    func foreign() {
        // The output of Python's zlib.compressobj(wbits=-15) for "<a>hello hello hello</a>".
        let bytes: [UInt8] = [0xB3, 0x49, 0xB4, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0x40, 0x22, 0x6D, 0xF4, 0x13, 0xED, 0x00]
        #expect(bytes.inflated(upTo: 100) == Array("<a>hello hello hello</a>".utf8))
        #expect(Array(bytes.dropLast()).inflated(upTo: 100) == nil)
        #expect((bytes + [0]).inflated(upTo: 100) == nil)
        #expect([UInt8]("no such thing".utf8).inflated(upTo: 100) == nil)
        #expect([UInt8]().inflated(upTo: 100) == nil)
    }

    @Test("a few bytes that expand to very many are refused")
    func bomb() {
        let bomb = [UInt8](repeating: 0, count: 10_000_000).deflated
        #expect(bomb.count < 20_000)
        #expect(bomb.inflated(upTo: 1 << 20) == nil)
    }
}
