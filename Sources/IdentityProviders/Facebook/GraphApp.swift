import Cloud
import Exchange
import WireFormats

/// `/app`: the application that the token was made for.
struct GraphApp {
    let request: GraphRequest

    func respond() async throws -> Response {
        try await request.visit.enter("App")
        let client = try request.holder().client
        return .json(["id": .string(client.id), "name": .string(client.name)], headers: .unstored)
    }
}
