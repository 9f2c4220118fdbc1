import Directory
import HTTPTypes
import WireFormats

@testable import MobileCloudFace

extension FormFields {
    /// Creates the fields of a form with changes, which replace fields of the same name.
    init(_ form: FormFields, _ changes: FormFields) {
        self = form
        for field in changes.fields {
            fields.removeAll { $0.name == field.name }
            fields.append(field)
        }
    }
}

extension MobileSandbox {
    /// Returns a token of client credentials.
    func clientToken(_ name: String) async throws -> String {
        let backend = try backend(name)
        let key = Array("\(backend.clientID):\(backend.clientSecret)".utf8).base64
        let answer = try await post("/oam/oauth2/tokens", ["grant_type": "client_credentials"], [.authorization: "Basic \(key)"])
        return answer["access_token"] ?? ""
    }
}
