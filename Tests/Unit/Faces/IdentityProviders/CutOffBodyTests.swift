import Calls
import Cloud
import Fixtures
import HTTPTypes
import IdentityProviders
import Testing
import WireFormats

@Suite("Truncated request bodies at the identity providers")
struct CutOffBodyTests {
    @Test(
        "cause a client error",
        arguments: [
            ("company", "/token", "application/x-www-form-urlencoded"), ("company", "/register", "application/json"),
            ("google", "/token", "application/x-www-form-urlencoded"), ("amazon", "/auth/o2/token", "application/x-www-form-urlencoded"),
        ])
    func cutOff(provider: String, path: String, type: String) async throws {
        let cloud = try await Visitor.sandbox()
        let call = Call(.post, "/idp/\(provider)\(path)", [.contentType: type], body: .cutOff(after: "x"), cloud: cloud)
        let response = await IdentityProviderFace(applications: .unreachable).respond(to: call, provider: provider, path: path)
        let document = try JSONValue(parsing: try await response.collectedBody())
        #expect(response.status == .badRequest, "\(document.serialized())")
        #expect(document["error"] == "invalid_request", "\(document.serialized())")
    }
}
