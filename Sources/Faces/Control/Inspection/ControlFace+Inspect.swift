import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    private static let expectations = ["audience", "nonce", "recipient", "backend", "accessToken"]

    /// `POST /_virga/inspect` with `{"text":"…","expect":{"audience":"…"}}`: recognizes a token, assertion, URL or policy, decodes it, and
    /// checks it against this sandbox.
    func inspect(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["text", "expect"])
        guard let text = try body.text("text"), !text.isEmpty else {
            throw ControlError(.badRequest, "missing_member", "Send {\"text\":\"eyJ…\"}.")
        }
        var expected: [String: String] = [:]
        if let value = body["expect"] {
            guard let object = value.objectValue else { throw Self.malformedMember("'expect' must be an object.") }
            try object.expect(only: Self.expectations)
            for name in object.names { expected[name] = try object.text(name) }
        }
        return .json(try await Inspector(call: call, services: inspection, expected: expected).inspect(text).document.json)
    }
}
