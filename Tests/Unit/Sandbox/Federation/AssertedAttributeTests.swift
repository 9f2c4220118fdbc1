import Directory
import Federation
import Testing
import WireFormats

@Suite("Attributes of SAML assertions")
struct AssertedAttributeTests {
    @Test("have the values of sources: attributes, groups, templates and constants")
    func sources() {
        let person = Person(
            name: "alice", subject: "1", password: "p", claims: ["email": "a@x.example", "groups": ["app-a", "app-b", "staff"]])
        var provider = ServiceProvider(entityID: "e", name: "n", assertionConsumerServices: [])
        let sources: [ClaimSource] = [
            .attribute("email"), .groups(prefix: "app-"), .template("${username}:${sub}"), .constant("gold"), .attribute("title"),
        ]
        provider.attributes = sources.enumerated().map { index, source in
            var mapping = AttributeMapping("a\(index)")
            mapping.source = source
            return mapping
        }
        let attributes = AssertedAttribute.all(of: person, for: provider)
        #expect(attributes.map(\.name) == ["a0", "a1", "a2", "a3"], "an attribute without values is left out")
        #expect(attributes.map(\.values) == [["a@x.example"], ["app-a", "app-b"], ["alice:1"], ["gold"]])
    }
}
