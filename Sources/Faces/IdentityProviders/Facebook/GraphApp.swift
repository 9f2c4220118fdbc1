import Calls
import Cloud
import Directory
import WireFormats

/// `/app` and `/<app id>`: the application that the token was issued to. (Graph API Reference, "Application".)
struct GraphApp {
    let request: GraphRequest
    /// The identifier in the path; `nil` for the token's own app.
    var id: String?

    func respond() async throws -> Response {
        try await request.visit.enter("App")
        let client = try request.holder().client
        if let id, id != client.id { throw GraphError.unknownAlias(id) }
        return .json(["id": .string(client.id), "name": .string(client.name)], headers: .unstored)
    }
}
