import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `/<id>`: an app or a user by identifier, and the operations of an app on its test users.
struct GraphNode {
    let request: GraphRequest
    let id: String

    func respond() async throws -> Response {
        switch request.method {
        case .post:
            try await request.visit.enter("UpdateTestUser")
            return try await TestUsers(request: request).change(id)
        case .delete:
            try await request.visit.enter("DeleteTestUser")
            return try await TestUsers(request: request).delete(id)
        default:
            if request.visit.provider.client(id) != nil { return try await GraphApp(request: request, id: id).respond() }
            return try await GraphUser(request: request, node: id).respond()
        }
    }
}
