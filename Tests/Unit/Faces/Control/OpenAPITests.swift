import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("The OpenAPI document of the control API")
struct OpenAPITests {
    @Test("defines each schema to which its operations refer")
    func references() {
        for document in SeedDocument.allCases {
            #expect(document.definition?.objectValue?["properties"] != nil, "\(document)")
        }
    }

    @Test("describes each parameter of a path, and each operation once")
    func calls() {
        let paths = OpenAPI.document(version: "1")["paths"]?.objectValue ?? [:]
        var identifiers: Set<String> = []
        for call in ControlCall.all {
            let operation = paths[call.template]?[call.method.rawValue.lowercased()]
            let parameters = operation?["parameters"]?.arrayValue ?? []
            let inPath = parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.stringValue }
            #expect(inPath == call.pathParameters, "\(call.template)")
            let identifier = operation?["operationId"]?.stringValue ?? ""
            #expect(identifiers.insert(identifier).inserted, "\(identifier)")
        }
        #expect(identifiers.count == ControlCall.all.count)
        #expect(!identifiers.isEmpty)
    }

    @Test("is sent as the text of the version that is asked for")
    func text() throws {
        for version in ["1", "1", "2", "1"] {
            let text = OpenAPI.text(version: version)
            #expect(text == OpenAPI.document(version: version).serializedBytes())
            #expect(try JSONValue(parsing: text)["info"]?["version"]?.stringValue == version)
        }
    }

    @Test("finds an operation by its path only")
    func matching() {
        #expect(ControlCall.at("/faults/7").map(\.method) == [.get, .delete])
        #expect(ControlCall.at("/mobile/realms/a/users/b").allSatisfy { $0.template == "/mobile/realms/{realm}/users/{name}" })
        #expect(ControlCall.at("/mobile/realms/a/users/b").count == 3)
        for path in ["", "/faults/", "/faults/1/2", "faults", "//", "/mobile/realms/a/users/"] {
            #expect(ControlCall.at(path).isEmpty, "\(path)")
        }
    }
}
