import ControlDocuments
import HTTPTypes
import Synchronization
import WireFormats

/// The control API as an OpenAPI document. (OpenAPI Specification 3.1.)
enum OpenAPI {
    /// The text of the last version that was asked for. A process has one version, and the document has 270 KB.
    private static let known = Mutex<(version: String, text: [UInt8])?>(nil)

    /// Returns the text of the document, which is made once.
    /// - Parameter version: the version of the program.
    static func text(version: String) -> [UInt8] {
        known.withLock { known in
            if let known, known.version == version { return known.text }
            let text = document(version: version).serializedBytes()
            known = (version, text)
            return text
        }
    }

    /// - Parameter version: the version of the program.
    static func document(version: String) -> JSONValue {
        var paths: JSONObject = [:]
        for call in ControlCall.all {
            var item = paths[call.template]?.objectValue ?? [:]
            item[call.method.rawValue.lowercased()] = operation(call)
            paths[call.template] = .object(item)
        }
        var schemas: JSONObject = ["Error": Schemas.error]
        for document in SeedDocument.allCases { schemas[document.rawValue] = document.definition }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Virga control API", "version": .string(version.isEmpty ? "0" : version),
                "description": "Controls the cloud in ways that no real service offers, for tests.",
            ],
            "servers": [["url": "/_virga"]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }

    private static func operation(_ call: ControlCall) -> JSONValue {
        var json: JSONObject = ["summary": .string(call.summary), "operationId": .string(identifier(call))]
        var parameters: [JSONValue] = call.pathParameters.map {
            ["name": .string($0), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
        }
        parameters += call.query().map { ["name": .string($0.key), "in": "query", "schema": $0.value] }
        if !parameters.isEmpty { json["parameters"] = .array(parameters) }
        switch call.body() {
        case .json(let schema): json["requestBody"] = ["required": true, "content": ["application/json": ["schema": schema]]]
        case .other(let types): json["requestBody"] = ["required": true, "content": .object(contents(types))]
        case nil: break
        }
        var responses: JSONObject = [:]
        for (status, content) in call.answers() {
            let types: JSONObject =
                switch content {
                case .json(let schema): ["application/json": ["schema": schema]]
                case .other(let types): contents(types)
                }
            responses[String(status)] = ["description": "Success.", "content": .object(types)]
        }
        let common = call.operation.isOpen ? [] : [400, 401, 403, 413]
        for status in Set(common + call.refusals).sorted() {
            responses[String(status)] = [
                "description": "Refused; nothing was changed.",
                "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
            ]
        }
        json["responses"] = .object(responses)
        // The token is required if one is configured.
        if !call.operation.isOpen { json["security"] = [[:], ["token": []]] }
        return .object(json)
    }

    private static func contents(_ types: [String]) -> JSONObject {
        JSONObject(types.map { ($0, ["schema": ["type": "string"]] as JSONValue) })
    }

    /// Returns an operation ID, such as `put_faults_id` for `PUT /faults/{id}`.
    private static func identifier(_ call: ControlCall) -> String {
        let path = call.template.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return call.method.rawValue.lowercased() + String(path)
    }
}
