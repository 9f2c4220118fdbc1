import Testing

@testable import Directory

@Suite("Endpoint paths of custom APIs")
struct EndpointPathTests {
    struct Case: Sendable {
        var template: String
        var path: [String]
        var values: [String: String]?

        init(_ template: String, _ path: [String], _ values: [String: String]?) {
            self.template = template
            self.path = path
            self.values = values
        }
    }

    static let cases = [
        Case("/", [], [:]), Case("/", ["orders"], nil), Case("/orders", ["orders"], [:]), Case("/orders/", ["orders"], [:]),
        Case("/orders", ["Orders"], nil), Case("/orders", [], nil), Case("/orders", ["orders", "7"], nil),
        Case("/orders/{id}", ["orders", "7"], ["id": "7"]), Case("/orders/{id}", ["orders"], nil),
        Case("/orders/{id}/lines/{line}", ["orders", "7", "lines", "a/b"], ["id": "7", "line": "a/b"]),
        Case("/files/*", ["files"], [:]), Case("/files/*", ["files", "a", "b"], [:]), Case("/files/*", ["other"], nil),
        Case("/{kind}/*", ["files", "a"], ["kind": "files"]),
    ]

    @Test("match paths and return the values of their parameters", arguments: cases)
    func fits(_ example: Case) throws {
        let path = try #require(EndpointPath(example.template))
        #expect(path.values(in: example.path) == example.values)
    }

    @Test("are refused if they are malformed", arguments: ["", "orders", "/{}", "/{a b}", "/{id}/{id}", "/*/more", "/x{id}", "/a*"])
    func malformed(_ text: String) { #expect(EndpointPath(text) == nil) }

    @Test("are ordered by specificity: literal parts before parameters and wildcards")
    func specificity() throws {
        let ordered = try ["/orders/special", "/orders/{id}", "/orders/*", "/{kind}/special", "/{kind}/{id}", "/*"].map {
            try #require(EndpointPath($0))
        }
        for (index, path) in ordered.enumerated() {
            for other in ordered[(index + 1)...] {
                #expect(path.isMoreSpecific(than: other))
                #expect(!other.isMoreSpecific(than: path))
            }
        }
    }
}
