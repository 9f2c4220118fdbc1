import Calls

/// Answers the requests of one wire protocol that the front door routes to it.
protocol Face: Sendable {
    /// Responds to one request, also with error responses.
    func respond(to call: Call, at place: Place) async -> Response
}

/// What the front door knows of a request besides the request itself.
struct Place: Sendable {
    /// The name in the address, see ``Route/name``.
    let name: String?
    /// The path that the face sees, see ``Route/path``.
    let path: String
    /// The form, if the front door has read it to find the service.
    let form: QueryForm?
    /// The door of the sandbox, for requests that the face sends itself.
    let door: FrontDoor

    init(_ route: Route, form: QueryForm? = nil, door: FrontDoor) {
        (name, path, self.form, self.door) = (route.name, route.path, form, door)
    }
}
