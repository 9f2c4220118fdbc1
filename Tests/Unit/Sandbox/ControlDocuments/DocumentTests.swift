import Testing
import WireFormats

@testable import ControlDocuments

@Suite("Documents of the control API")
struct DocumentTests {
    private struct BaseMembers: DeclaredMembers {
        var (id, kind) = (text("id"), choice("kind", ["a", "b"]).orNull)
    }

    private struct WholeMembers: DeclaredMembers {
        var (count, sent) = (integer("count_all").orNull, date("sent").omitted)
        var (base, parts) = (included(BaseMembers.self), list(of: BaseMembers.self, "parts"))
        var id = integer("id")
    }

    private static let whole = Document<WholeMembers> {
        [$0.parts([Document { [$0.id("p")] }]), $0.base(Document { [$0.id("7"), $0.kind("a")] }), $0.count(nil), $0.sent(nil), $0.id(7)]
    }

    @Test("are written in the order of their members, with null or without what has no value")
    func writing() {
        #expect(Self.whole.json.serialized() == #"{"parts":[{"id":"p"}],"id":7,"kind":"a","count_all":null}"#)
    }

    @Test("are read by the types of their members")
    func reading() {
        #expect(Self.whole.parts.map(\.id) == ["p"])
        #expect(Self.whole.base.kind == "a")
        #expect(Self.whole.id == 7)
        #expect(Self.whole.count == nil)
    }

    @Test("have blank members where one is missing or has another type")
    func blanks() {
        let document = Document<WholeMembers>(["id": "text", "count_all": "3", "parts": [1, ["id": "x"]], "kind": 2])
        #expect(document.id == 0)
        #expect(document.count == nil)
        #expect(document.sent == nil)
        #expect(document.base.kind == nil)
        #expect(document.parts.map(\.id) == ["x"])
        #expect(Document<WholeMembers>().parts.isEmpty)
    }

    @Test("are described by a JSON Schema")
    func schema() {
        let kind: JSONValue = ["anyOf": [["type": "string", "enum": ["a", "b"]], ["type": "null"]]]
        #expect(
            Document<WholeMembers>.schema
                == Schemas.object(
                    [
                        "count_all": ["anyOf": [["type": "integer"], ["type": "null"]]], "sent": Schemas.date, "id": ["type": "integer"],
                        "kind": kind, "parts": Schemas.list(Schemas.object(["id": ["type": "string"], "kind": kind])),
                    ], required: ["count_all", "id", "kind", "parts"]))
        #expect(Document<EntryMembers>.schema["properties"]?["caller"] == ["type": ["string", "null"]])
    }
}
