import WireFormats

// The members of documents, by the types of their values.

func text(_ name: String) -> Member<String> { Member(name: name) }
func integer(_ name: String) -> Member<Int64> { Member(name: name) }
func number(_ name: String) -> Member<Double> { Member(name: name) }
func flag(_ name: String) -> Member<Bool> { Member(name: name) }
func date(_ name: String) -> Member<String> { Member(name: name) { Schemas.date } }
func duration(_ name: String) -> Member<String> { Member(name: name) { Schemas.duration } }
func choice(_ name: String, _ words: [String]) -> Member<String> { Member(name: name) { Schemas.choice(words) } }
func texts(_ name: String) -> Member<[String]> { Member(name: name) }
func anything(_ name: String) -> Member<JSONValue> { Member(name: name) }
func document<Members>(_ name: String, _ members: Members.Type) -> Member<Document<Members>> { Member(name: name) }
func list<Members>(of members: Members.Type, _ name: String) -> Member<[Document<Members>]> { Member(name: name) }
func included<Members>(_ members: Members.Type) -> Member<Document<Members>> { Member(name: nil) }
